import { FILE_REJECTIONS } from '../uploads/file-rejections.ts'

/** Where a file of patients is sent, and where its refused rows are read. */
export const PATIENT_IMPORTS_PATH = '/api/patient-imports'

/** The name of the file, percent-encoded: names of files may hold those of patients, and addresses are logged. */
export const IMPORT_FILE_NAME = 'x-file-name'

export const IMPORT_LIMITS = {
  bytes: 32 * 1024 * 1024,
  /** Of the parts of a spreadsheet, unpacked. */
  unpackedBytes: 256 * 1024 * 1024,
  rows: 100_000,
  columns: 60,
  /** Characters; of a longer cell the rest is left out, and the row is refused by the limit of its field. */
  cell: 4_100,
  fileName: 200,
  /** Rows that one request allows or no longer allows to be created. */
  allowedRows: 100,
  /** Of one author, until they are deleted. */
  files: 50,
  /** After which an import and its rows are deleted. */
  days: 30,
} as const

/** What a column may hold, as in the form of a patient. */
export const IMPORT_FIELDS = [
  'surname',
  'givenNames',
  'cnp',
  'birthDate',
  'sex',
  'phone',
  'email',
  'previousSurname',
  'county',
  'locality',
  'address',
  'preferredChannel',
  'notes',
] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]
export const IMPORT_FIELD_NAMES: Readonly<Record<ImportField, string>> = {
  surname: 'Nume',
  givenNames: 'Prenume',
  cnp: 'CNP',
  birthDate: 'Data nașterii',
  sex: 'Sex',
  phone: 'Telefon',
  email: 'E-mail',
  previousSurname: 'Nume anterior',
  county: 'Județ',
  locality: 'Localitate',
  address: 'Adresă',
  preferredChannel: 'Canal preferat',
  notes: 'Note',
}
/** Without these no patient can be created. */
export const REQUIRED_IMPORT_FIELDS = ['surname', 'givenNames'] as const satisfies readonly ImportField[]

export const IMPORT_STATES = [
  'reading',
  'unreadable',
  'read',
  'checking',
  'checked',
  'importing',
  'stopped',
  'done',
] as const
export type ImportState = (typeof IMPORT_STATES)[number]
export const IMPORT_STATE_NAMES: Readonly<Record<ImportState, string>> = {
  reading: 'Se citește',
  unreadable: 'Nu poate fi citit',
  read: 'De potrivit coloanele',
  checking: 'Se verifică',
  checked: 'Verificat, neimportat',
  importing: 'Se importă',
  stopped: 'Oprit',
  done: 'Importat',
}
/** In these states a job works on the import. */
export const RUNNING_IMPORT_STATES = [
  'reading',
  'checking',
  'importing',
] as const satisfies readonly ImportState[]
export const isRunningImport = (state: ImportState): boolean =>
  (RUNNING_IMPORT_STATES as readonly ImportState[]).includes(state)

/** The character encodings that a person may choose for a text; of Romanian letters windows-1250 has those of ISO 8859-2. */
export const IMPORT_ENCODINGS = ['utf-8', 'windows-1250', 'utf-16le'] as const
export type ImportEncoding = (typeof IMPORT_ENCODINGS)[number]
export const IMPORT_ENCODING_NAMES: Readonly<Record<ImportEncoding, string>> = {
  'utf-8': 'UTF-8',
  'windows-1250': 'Windows-1250 (Excel mai vechi)',
  'utf-16le': 'UTF-16',
}

export const IMPORT_PROBLEMS = {
  type: 'Fișierul nu este CSV sau XLSX.',
  'old-excel':
    'Fișierul este în formatul vechi Excel (.xls). Salvează-l ca „Registru de lucru Excel (.xlsx)”.',
  damaged: FILE_REJECTIONS.damaged,
  harmful:
    'Fișierul nu este un registru Excel obișnuit: conținutul lui este periculos sau protejat cu parolă.',
  'too-large': 'Fișierul depășește 256 MB după despachetare. Împarte-l în mai multe fișiere.',
  empty: 'Fișierul nu are niciun rând cu date.',
  'too-many-rows': 'Fișierul are peste 100.000 de rânduri. Împarte-l în mai multe fișiere.',
  'too-many-columns': 'Fișierul are peste 60 de coloane. Păstrează doar coloanele pacientului.',
  'too-long':
    'Citirea fișierului durează prea mult sau cere prea multă memorie. Împarte-l în mai multe fișiere.',
} as const
export type ImportProblem = keyof typeof IMPORT_PROBLEMS

/** What the check says of a row, and what the import did with it. */
export const IMPORT_OUTCOMES = ['created', 'updated', 'same', 'duplicate', 'refused'] as const
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number]
export const IMPORT_OUTCOME_NAMES: Readonly<Record<ImportOutcome, string>> = {
  created: 'Pacient nou',
  updated: 'Date completate',
  same: 'Neschimbat',
  duplicate: 'Posibil duplicat',
  refused: 'Refuzat',
}
export type ImportCounts = Partial<Record<ImportOutcome, number>>

/** Why a row is refused or held: a code for programs, a sentence for people, and the field if it is of one. */
export type RowProblem = { code: RowProblemCode; field: ImportField | null; message: string }
export const ROW_PROBLEM_CODES = [
  /** The value breaks a rule of the form. */
  'invalid',
  /** Excel has removed digits: only the source knows them. */
  'lost-digits',
  /** A date with a year of two digits, or a number of Excel. */
  'unclear-date',
  /** The CNP states another birth date or sex. */
  'contradicts-cnp',
  /** The CNP is of a patient with another name. */
  'other-name',
  /** The patient has another value, and the import may change none. */
  'differs',
  /** An earlier row has the same CNP, or name, and other values. */
  'repeated',
  /** A patient may be the same person. */
  'likely-duplicate',
  /** The patient's referral to the institution has ended. */
  'referral-ended',
  /** What was checked is no longer so. */
  'changed',
] as const
export type RowProblemCode = (typeof ROW_PROBLEM_CODES)[number]

/** The values that a row gives a patient, by column; `referral`: the patient is referred to the institution. */
export type RowChanges = Record<string, { from: string | null; to: string | null }>
