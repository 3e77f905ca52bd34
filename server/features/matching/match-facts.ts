import type { Db } from '../../platform/database/database.ts'
import type { FactRow } from '../uploads/inspection/facts.db.ts'
import { combineMatches } from './combine-matches.ts'
import { findPatients, identityOf } from './find-patients.ts'
import type { PatientMatch } from './match-document.ts'

export const NO_MATCH: PatientMatch = { confidence: 'none', patients: [] }

/**
 * Returns for each group of files which patient it is about, with one search for all. Of the different documents of all groups
 * only the first `maxDocuments` are matched. A group with others, or that says more than its facts (`isCut`), is not `sure`.
 */
export async function matchFacts(
  db: Db,
  groups: readonly { facts: readonly FactRow[]; isCut: boolean }[],
  maxDocuments: number,
): Promise<PatientMatch[]> {
  const documents = groups.map(({ facts }) => distinctDocuments(facts))
  const all = new Set(documents.flatMap((each) => each.map(({ identity }) => identity)))
  const searched = new Set([...all].slice(0, maxDocuments))
  const matched = documents.map((each) => each.filter(({ identity }) => searched.has(identity)))
  const matches = await findPatients(
    db,
    matched.flatMap((each) => each.map(({ facts }) => facts)),
  )
  let next = 0
  return matched.map((each, index) => {
    const found = matches.slice(next, next + each.length)
    next += each.length
    const match = combineMatches(found.map((one, place) => ({ facts: each[place]!.facts, match: one })))
    const isWhole = each.length === documents[index]!.length && !groups[index]!.isCut
    return isWhole || match.confidence !== 'sure' ? match : { ...match, confidence: 'likely' }
  })
}

/** Returns the files, and the entries of archives, that state different things of their patient. */
function distinctDocuments(facts: readonly FactRow[]): { identity: string; facts: readonly FactRow[] }[] {
  const all = Map.groupBy(facts, ({ file_id, place }) => `${file_id} ${place.entry ?? ''}`).values()
  return [...new Map([...all].map((stated) => [identityOf(stated), stated]))].map(([identity, stated]) => ({
    identity,
    facts: stated,
  }))
}
