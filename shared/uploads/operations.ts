import { errorOf } from '../errors.ts'
/** What one operation does to many uploads. */
export const OPERATION_KINDS = [
  'category',
  'institution',
  'title',
  'release',
  'return',
  'withdraw',
  'download',
] as const
export type OperationKind = (typeof OPERATION_KINDS)[number]

export const OPERATION_KIND_NAMES: Readonly<Record<OperationKind, string>> = {
  category: 'Altă categorie',
  institution: 'Altă instituție',
  title: 'Alt titlu',
  release: 'Eliberare',
  return: 'Înapoi la verificare',
  withdraw: 'Retragere',
  download: 'Descărcare ca ZIP',
}

/** The kinds whose former values can be restored; a release, a return or a withdrawal stays. */
export const UNDOABLE_KINDS: ReadonlySet<OperationKind> = new Set(['category', 'institution', 'title'])

/** The kinds that only reviewers may start. */
export const REVIEWER_KINDS: ReadonlySet<OperationKind> = new Set(['release', 'return'])

export const OPERATION_STATES = [
  'planning',
  'planned',
  'running',
  'done',
  'cancelled',
  'undoing',
  'undone',
] as const
export type OperationState = (typeof OPERATION_STATES)[number]

export const OPERATION_STATE_NAMES: Readonly<Record<OperationState, string>> = {
  planning: 'se pregătește',
  planned: 'pregătită',
  running: 'în lucru',
  done: 'încheiată',
  cancelled: 'oprită',
  undoing: 'se anulează',
  undone: 'anulată',
}

/** The states in which a job works on the operation. */
export const isAtWork = (state: OperationState): boolean =>
  state === 'planning' || state === 'running' || state === 'undoing'

export const ITEM_OUTCOMES = [
  'waiting',
  'will_change',
  'will_not',
  'changed',
  'failed',
  'undone',
  'not_undone',
] as const
/**
 * What became of an upload: it waits for the plan; the plan says whether it will change; it was changed or not; its
 * change was undone or not.
 */
export type ItemOutcome = (typeof ITEM_OUTCOMES)[number]

const ITEM_OUTCOME_NAMES: Readonly<Record<ItemOutcome, string>> = {
  waiting: 'De pregătit',
  will_change: 'Se va modifica',
  will_not: 'Nu se modifică',
  changed: 'Modificată',
  failed: 'Nu s-a putut modifica',
  undone: 'Ca înainte',
  not_undone: 'Nu s-a putut anula',
}

const DOWNLOAD_OUTCOMES: Partial<Record<ItemOutcome, string>> = {
  will_change: 'Se va descărca',
  will_not: 'Nu se descarcă',
  changed: 'Descărcată',
  failed: 'Nu s-a putut descărca',
}

export const outcomeName = (kind: OperationKind, outcome: ItemOutcome): string =>
  (kind === 'download' && DOWNLOAD_OUTCOMES[outcome]) || ITEM_OUTCOME_NAMES[outcome]

/** The outcomes of the uploads that an operation has not changed, or not undone. */
export const EXCEPTION_OUTCOMES = ['will_not', 'failed', 'not_undone'] as const satisfies ItemOutcome[]

/** Why an upload is an exception, or what else happens to it; most have a sentence here. */
export const ITEM_REASONS = {
  'not-found': errorOf('NOT_FOUND').message,
  'not-allowed': 'O modifică doar autorul ei sau un verificator.',
  state: 'Starea ei nu permite această operație.',
  unchanged: 'Este deja așa.',
  'needs-reason': 'Este deja acceptată sau eliberată: corectarea cere un motiv.',
  'was-released': 'A fost eliberată altei instituții: schimbarea este un incident și se face din pagina ei.',
  'no-referral': 'Instituția nu are o trimitere deschisă pentru acest pacient.',
  held: 'Fișierele nu se potrivesc cu pacientul sau nu au fost toate verificate.',
  'returns-to-review': 'Revine la verificare.',
  'stays-in-review': 'Valoarea dinainte este repusă, dar încărcarea rămâne la verificare.',
  'not-released': 'Nu este eliberată.',
  'no-files': 'Nu are fișiere.',
  'changed-meanwhile': 'S-a modificat între timp.',
  refused: 'Valoarea nu este permisă pentru această încărcare.',
  error: 'A apărut o eroare. O nouă operație poate reuși.',
} as const
export type ItemReason = keyof typeof ITEM_REASONS

export const OPERATION_LIMITS = {
  /** Uploads of one operation. */
  uploads: 100_000,
  /** Ids of selected rows in one request. */
  ids: 2_000,
  /** Pasted numbers in one request. */
  numbers: 10_000,
  /** Uploads of one download. */
  downloads: 500,
  /** Of the files of one download. */
  downloadBytes: 2 * 1024 ** 3,
  /** After how many days an operation is deleted. */
  days: 30,
} as const

/** Where the files of a planned download are downloaded as one archive. */
export const operationArchivePath = (id: string): string => `/files/operations/${id}`

export const OPERATIONS_PATH = '/api/operations'
/** Where the exceptions of an operation are downloaded as a CSV file. */
export const exceptionsPath = (id: string): string => `${OPERATIONS_PATH}/${id}/exceptions.csv`
