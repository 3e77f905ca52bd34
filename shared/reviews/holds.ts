import { counted } from '../romania/romanian.ts'

/** What is compared between the patient and the facts of the files. */
export const COMPARED_FACTS = ['cnp', 'name', 'birth-date'] as const
export type ComparedFact = (typeof COMPARED_FACTS)[number]

export const COMPARED_FACT_NAMES: Readonly<Record<ComparedFact, string>> = {
  cnp: 'CNP',
  name: 'Nume',
  'birth-date': 'Data nașterii',
}

/** Of a compared fact over all files; `absent`: no file has it; `unread`: none of those that were read, and not all were. */
export const COMPARISON_RESULTS = ['agrees', 'disagrees', 'absent', 'unread'] as const
export type ComparisonResult = (typeof COMPARISON_RESULTS)[number]

/** Why the gate holds an upload; several holds of one kind and value differ by their file. */
export const HOLD_KINDS = ['disagrees', 'unopened', 'unreadable', 'unread'] as const
export type HoldKind = (typeof HOLD_KINDS)[number]

export type Hold = {
  kind: HoldKind
  /** Only of `disagrees`. */
  what?: ComparedFact
  /** The value in the file, only of `disagrees`; a CNP with most digits hidden. */
  value?: string
  fileId: string
  fileName: string
}

/** A hold that a reviewer was shown, as the server has sent it. */
export type ShownHold = Pick<Hold, 'kind' | 'fileId'> & {
  what?: string | null | undefined
  value?: string | null | undefined
}

/** Details of a file that was read, but not completely. */
type ReadInPart = { unreadable?: string; reading?: string; factsCut?: boolean; unreadEntries?: object }

/**
 * Whether the rest of a file may name another person: the limits ended its reading, it says more than is kept, or files in
 * the archive were not read.
 */
export const isReadInPart = ({ unreadable, reading, factsCut, unreadEntries }: ReadInPart): boolean =>
  unreadable === undefined && (reading !== undefined || factsCut === true || unreadEntries !== undefined)

/**
 * Returns the holds as Romanian sentences, one for each kind and compared fact, with the name of the file or the number of
 * the files.
 */
export function describeHolds(holds: readonly Hold[]): string[] {
  const groups = Map.groupBy(holds, ({ kind, what }) => `${kind} ${what ?? ''}`)
  return [...groups.values()].map((group) => {
    const [{ kind, what, fileName }] = group as [Hold, ...Hold[]]
    const count = new Set(group.map(({ fileId }) => fileId)).size
    const where = count === 1 ? `„${fileName}”` : counted(count, 'fișier', 'fișiere')
    if (kind === 'unopened') return `Neprivit: ${where}.`
    if (kind === 'unread') return `Citit numai în parte: ${where}.`
    if (kind === 'unreadable') return `Nu se poate citi automat: ${where}.`
    return `Nu se potrivește (${COMPARED_FACT_NAMES[what ?? 'cnp']}): ${where}.`
  })
}
