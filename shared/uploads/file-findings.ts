import type { ScanResult } from './files.ts'

/** What the check names in a file, with the words that follow `conține`. The code is stored in `facts.findings`. */
export const FILE_FINDINGS = {
  executable: 'un program, un script sau o pagină web',
  macros: 'macrocomenzi',
  'remote-template': 'un șablon luat din rețea la deschidere',
  'embedded-object': 'un obiect OLE încorporat',
  'old-office': 'un document Office vechi, în care pot fi macrocomenzi',
  'pdf-script': 'cod JavaScript',
  'pdf-launch': 'o comandă care pornește un program',
  'pdf-address': 'o adresă care se deschide singură',
  'pdf-form': 'un formular XFA, care poate rula cod',
  'pdf-media': 'filme, sunete sau modele 3D, care pot rula cod',
  'pdf-attachment': 'fișiere atașate în PDF',
  'appended-media': 'imagini sau filmări în plus, după imaginea care se vede',
  unexamined: 'părți care nu au putut fi controlate',
} as const
export type FindingKind = keyof typeof FILE_FINDINGS

/** `where`: the name of the entry of an archive or of the file attached to a PDF; absent for the file itself. */
export type Finding = { kind: FindingKind; where?: string }

/** What acts when the file is opened: the site setting `upload_active_content` decides about these. */
const ACTIVE: ReadonlySet<FindingKind> = new Set([
  'macros',
  'remote-template',
  'embedded-object',
  'old-office',
  'pdf-script',
  'pdf-launch',
  'pdf-address',
  'pdf-form',
  'pdf-media',
  'pdf-attachment',
])
export const isActive = ({ kind }: Finding): boolean => ACTIVE.has(kind)

/** The name of a result for people; null until there is one, and for a rejected file. */
export const SCAN_RESULT_NAMES: Readonly<Record<ScanResult, string | null>> = {
  pending: null,
  unscanned: 'nescanat antivirus',
  clean: 'scanat antivirus',
  refused: null,
}
