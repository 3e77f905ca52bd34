import {
  type ComparedFact,
  type ComparisonResult,
  type Hold,
  isReadInPart,
} from '../../../shared/reviews/holds.ts'
import { maskCnp } from '../../../shared/romania/cnp.ts'
import type { FileFacts } from '../uploads/inspection/find-file-facts.ts'
import { type ComparedPatient, type Comparison, compareFacts, type Line } from './compare-facts.ts'

export type ShownLine = Omit<Line, 'result'> & { result: ComparisonResult }

/** Compares what all the files state with a patient. */
export const compareFiles = (patient: ComparedPatient, files: readonly FileFacts[]): Comparison =>
  compareFacts(
    patient,
    files.map(({ id, stated }) => ({ fileId: id, facts: stated })),
  )

/** Returns the lines of the comparison for people: nothing is absent as long as a file was not read. */
export function showLines({ lines }: Comparison, files: readonly FileFacts[]): ShownLine[] {
  const isRead = files.every(
    ({ facts, facts_read_at }) => facts_read_at !== null && !facts.unreadable && !isReadInPart(facts),
  )
  return isRead
    ? lines
    : lines.map((line) => (line.result === 'absent' ? { ...line, result: 'unread' } : line))
}

/** Returns the value of a fact as staff read it: a CNP with most digits hidden. */
export const showFact = (what: ComparedFact, value: string): string =>
  what === 'cnp' ? maskCnp(value) : value

/** Returns a hold for each value of another person than the patient and each file that has it. */
export function listOtherPersons({ lines }: Comparison, files: readonly FileFacts[]): Hold[] {
  const names = new Map(files.map(({ id, name }) => [id, name]))
  return lines.flatMap(({ what, disagreeing }) =>
    disagreeing.flatMap(({ value, fileIds }) =>
      fileIds.map((fileId) => ({
        kind: 'disagrees' as const,
        what,
        value: showFact(what, value),
        fileId,
        fileName: names.get(fileId) ?? '',
      })),
    ),
  )
}
