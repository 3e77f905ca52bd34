import { counted, formatDate } from '../../../shared/romania/romanian.ts'
import {
  FILE_FINDINGS,
  type Finding,
  type FindingKind,
  SCAN_RESULT_NAMES,
} from '../../../shared/uploads/file-findings.ts'
import { FILE_REJECTIONS, type FileRejection } from '../../../shared/uploads/file-rejections.ts'
import type { PreviewFile } from './preview-controls.ts'

/** The result of the check of a file, as far as the screens show it. */
export type FileFields = {
  reason?: FileRejection
  /** The name that the malware scanner gave. */
  signature?: string
  /** What a reviewer has to know of the content. */
  findings?: Finding[]
  /** Whether the malware scanner read only the beginning. */
  scan?: 'incomplete'
  /** Why the product could not read the file. */
  unreadable?: 'locked' | 'damaged' | 'too-large' | 'entries'
  /** Whether the limits ended its reading, and whether it says more than is kept. */
  reading?: 'incomplete'
  factsCut?: boolean
  /** Whether it has no text and no code, as a scan. */
  noText?: boolean
  width?: number
  height?: number
  /** For an archive: the number of files, the first names, and the unpacked size in bytes. */
  entries?: number
  names?: string[]
  unpacked?: number
  /** What a DICOM file shows, or the DICOM files of an archive. */
  dicom?: {
    modality?: string
    studyDate?: string
    description?: string
    bodyPart?: string
    rows?: number
    columns?: number
    images?: number
    series?: number
  }
  /** Files in an archive that the product could not compare with the patient, with the first names. */
  unreadEntries?: { count: number; names: readonly string[] }
}

export const describeFileFields = ({ facts }: Pick<PreviewFile, 'facts'>): FileFields =>
  (facts ?? {}) as FileFields

type CheckedFile = Pick<PreviewFile, 'facts' | 'scanResult'>

/** What the content is of a file whose name ends as that of another type, by the reason of its rejection. */
const OTHER_CONTENT: Partial<Record<FileRejection, string>> = {
  executable: 'conținutul este un program, un script sau o pagină web. Astfel de fișiere nu se primesc.',
  'extension-mismatch': 'conținutul este de alt tip. Exportă documentul din nou, sau corectează numele.',
  'type-not-allowed': 'conținutul este de alt tip, care nu se primește.',
}
const ALLOWED_ENDING = /\.(pdf|jpe?g|png|dcm|zip|docx|xlsx|txt|csv)$/i

/** Returns the sentences why a file was rejected, with what was found; null if it was not. */
export function describeRejection(file: CheckedFile & Pick<PreviewFile, 'name'>): string | null {
  if (file.scanResult !== 'refused') return null
  const { reason, signature, findings = [] } = describeFileFields(file)
  const [ending] = ALLOWED_ENDING.exec(file.name) ?? []
  const other = reason && findings.length === 0 && ending !== undefined && OTHER_CONTENT[reason]
  if (other) return `Numele se termină în „${ending}”, dar ${other}`
  const sentence = (reason && FILE_REJECTIONS[reason]) ?? 'Fișierul nu a trecut controlul automat.'
  // The reason itself says what was found in an archive; only active content has several kinds.
  const described = reason === 'active-content' ? describeFindings(file).join('; ') : listPlaces(findings)
  const found = signature ?? described
  return found === '' ? sentence : `${sentence} Găsit: ${found}.`
}

/** Names for one finding; more are counted. */
const MAX_PLACES = 3

/** Returns what the check found in a file, as a sentence about it without its name and full stop; null for nothing. */
export function describeContent(file: Pick<PreviewFile, 'facts'>): string | null {
  const isLocked = describeFileFields(file).unreadable === 'locked'
  // Of what a password protects nothing is known, not only of parts of it.
  const found = describeFindings(file, ({ kind }) => !(isLocked && kind === 'unexamined'))
  const sentences = [
    found.length > 0 && `conține ${found.join('; ')}`,
    isLocked && 'se deschide numai cu parolă, deci conținutul nu a putut fi controlat',
  ].filter((sentence) => sentence !== false)
  return sentences.length > 0 ? sentences.join(', și ') : null
}

/** Returns what the check found in a file, one line for each kind, with the entries of an archive. */
export function describeFindings(
  file: Pick<PreviewFile, 'facts'>,
  isNamed: (finding: Finding) => boolean = () => true,
): string[] {
  const findings = (describeFileFields(file).findings ?? []).filter(isNamed)
  return [...Map.groupBy(findings, ({ kind }) => kind)].map(([kind, found]) => {
    const places = listPlaces(found)
    const name = FILE_FINDINGS[kind as FindingKind] ?? kind
    return places === '' ? name : `${name}: ${places}`
  })
}

function listPlaces(findings: readonly Finding[]): string {
  const places = findings.flatMap(({ where }) => (where === undefined ? [] : `„${where}”`))
  const more = places.length > MAX_PLACES ? ` și încă ${places.length - MAX_PLACES}` : ''
  return places.slice(0, MAX_PLACES).join(', ') + more
}

/** Returns whether the file was scanned for malware; null until it was checked, and for a rejected file. */
export function describeScan(file: CheckedFile): string | null {
  const name = SCAN_RESULT_NAMES[file.scanResult]
  return describeFileFields(file).scan === 'incomplete' ? `${name}: este prea mare` : name
}

const UNREADABLE_NAMES = {
  locked: 'se deschide numai cu parolă',
  damaged: 'este deteriorat',
  'too-large': 'este prea mare',
  entries: 'conține documente care nu se pot citi',
} as const

/** Returns why the product could not compare the file with the patient, in a few words; null if it could. */
export function describeUnreadable(file: Pick<PreviewFile, 'facts'>): string | null {
  const { unreadable } = describeFileFields(file)
  return unreadable ? UNREADABLE_NAMES[unreadable] : null
}

/** Returns what a DICOM file, or the DICOM files of an archive, show, for a list; empty for other files. */
export function describeDicom(file: Pick<PreviewFile, 'facts'>): { label: string; value: string }[] {
  const { dicom } = describeFileFields(file)
  if (!dicom) return []
  const { modality, studyDate, description, bodyPart, rows, columns, images, series } = dicom
  const values: [string, string | undefined][] = [
    ['Investigație', description],
    ['Modalitate', modality],
    ['Regiune', bodyPart],
    ['Data', studyDate && formatDate(studyDate)],
    ['Imagini', images === undefined ? undefined : images.toLocaleString('ro')],
    ['Serii', series === undefined ? undefined : series.toLocaleString('ro')],
    ['Dimensiuni', rows && columns ? `${columns} × ${rows} pixeli` : undefined],
  ]
  return values.flatMap(([label, value]) => (value ? [{ label, value }] : []))
}

/** Returns how many files of an archive only a person can compare with the patient; null if there are none. */
export function describeUnreadEntries(file: Pick<PreviewFile, 'facts'>): string | null {
  const { unreadEntries } = describeFileFields(file)
  if (!unreadEntries) return null
  return `${counted(unreadEntries.count, 'fișier necomparat', 'fișiere necomparate')}: descarcă arhiva și verifică`
}
