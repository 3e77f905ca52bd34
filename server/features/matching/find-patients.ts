import { setImmediate as nextTurn } from 'node:timers/promises'
import { queryWords } from '../../../shared/romania/names.ts'
import type { FactKind } from '../../../shared/uploads/file-facts.ts'
import type { Db } from '../../platform/database/database.ts'
import { matchDocument, type PatientMatch, type StatedFact } from './match-document.ts'
import { selectCandidates, type Wanted } from './matching.db.ts'
import { nearDates } from './near-dates.ts'

/** Values of one kind of a document that are searched for. */
const MAX_VALUES = 5
const MAX_WORDS = 12

/**
 * Returns for each document, given by its facts, which patient it is about. Documents that state the same of their patient,
 * such as the slices of one examination, share the search.
 */
export async function findPatients(
  db: Db,
  documents: readonly (readonly StatedFact[])[],
): Promise<PatientMatch[]> {
  if (documents.length === 0) return []
  const distinct = new Map(documents.map((facts) => [identityOf(facts), facts]))
  const candidates = await selectCandidates(db, [...distinct.values()].map(toWanted))
  const found = new Map([...distinct.keys()].map((identity, index) => [identity, candidates[index]!]))
  const matches: PatientMatch[] = []
  for (const facts of documents) {
    matches.push(matchDocument(facts, found.get(identityOf(facts))!))
    await nextTurn()
  }
  return matches
}

const OF_THE_PATIENT: ReadonlySet<FactKind> = new Set(['cnp', 'name', 'birth-date', 'accession'])

/** Returns a text that is equal for documents that state the same of their patient. */
export const identityOf = (facts: readonly StatedFact[]): string =>
  JSON.stringify(
    facts
      .filter(({ kind }) => OF_THE_PATIENT.has(kind))
      .map(({ kind, value, is_doubtful }) => `${kind} ${value} ${is_doubtful}`)
      .sort(),
  )

function toWanted(facts: readonly StatedFact[]): Wanted {
  const valuesOf = (kind: FactKind) =>
    [
      ...new Set(facts.filter((fact) => fact.kind === kind && !fact.is_doubtful).map(({ value }) => value)),
    ].slice(0, MAX_VALUES)
  const names = valuesOf('name')
  // A birth date is searched for only with a name.
  const birthDates = names.length > 0 ? valuesOf('birth-date') : []
  return {
    cnps: valuesOf('cnp'),
    accessions: valuesOf('accession'),
    birthDates,
    nearDates: birthDates.flatMap(nearDates),
    words: queryWords(names.join(' '))
      .filter((word) => word.length > 1)
      .slice(0, MAX_WORDS),
  }
}
