import type { FactRow } from '../uploads/inspection/facts.db.ts'
import { compareFacts } from './compare-facts.ts'
import { type FoundPatient, MAX_LISTED, type PatientMatch } from './match-document.ts'

export type MatchedDocument = { facts: readonly FactRow[]; match: PatientMatch }

/**
 * Returns the one match of several documents of an upload: `sure` if one is and no other is about, or states anything of,
 * another person; `conflict` if they are about different people.
 */
export function combineMatches(documents: readonly MatchedDocument[]): PatientMatch {
  const found = documents.filter(({ match }) => match.confidence !== 'none')
  const all = mergePatients(found.flatMap(({ match }) => match.patients))
  if (found.length === 0) return { confidence: 'none', patients: [] }
  const conflict: PatientMatch = { confidence: 'conflict', patients: all.slice(0, MAX_LISTED) }
  if (found.some(({ match }) => match.confidence === 'conflict')) return conflict
  const common = all.filter(({ person }) =>
    found.every(({ match }) => match.patients.some((each) => each.person.id === person.id)),
  )
  const sure = found.filter(({ match }) => match.confidence === 'sure').flatMap(({ match }) => match.patients)
  const possible = common.filter(({ person }) => sure.every((each) => each.person.id === person.id))
  const others = documents.filter(({ match }) => match.confidence === 'none')
  const fitting = possible.filter(({ person }) => !others.some(({ facts }) => disagrees(person, facts)))
  if (fitting.length === 0) return conflict
  return { confidence: sure.length > 0 ? 'sure' : 'likely', patients: fitting.slice(0, MAX_LISTED) }
}

const disagrees = (person: FoundPatient['person'], facts: readonly FactRow[]): boolean =>
  compareFacts(person, [{ fileId: '', facts }]).lines.some(({ result }) => result === 'disagrees')

/** Joins the reasons of one patient from several documents, each kind of fact once. */
function mergePatients(patients: readonly FoundPatient[]): FoundPatient[] {
  const merged = new Map<string, FoundPatient>()
  for (const { person, reasons } of patients) {
    const known = merged.get(person.id)?.reasons ?? []
    const added = reasons.filter(({ what }) => !known.some((reason) => reason.what === what))
    merged.set(person.id, { person, reasons: [...known, ...added] })
  }
  return [...merged.values()]
}
