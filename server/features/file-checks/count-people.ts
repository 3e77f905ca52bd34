import { parseCnp } from '../../../shared/romania/cnp.ts'
import { agreesByName, compareName, foldStated, type StatedName } from '../matching/compare-names.ts'
import type { FactRow } from '../uploads/inspection/facts.db.ts'

/**
 * Returns how many different people the facts of a file name at least: by their CNPs, their names, or the birth dates of the
 * documents without a CNP. Doubtful facts do not count.
 */
export function countPeople(facts: readonly FactRow[]): number {
  const proven = facts.filter(({ is_doubtful }) => !is_doubtful)
  const valuesOf = (kind: FactRow['kind'], among: readonly FactRow[] = proven) =>
    new Set(among.filter((fact) => fact.kind === kind).map(({ value }) => value))
  const cnps = [...valuesOf('cnp')].map((cnp) => parseCnp(cnp)).filter(({ ok }) => ok)
  const documents = [...Map.groupBy(proven, ({ place }) => place.entry).values()]
  const withoutCnp = documents.filter((document) => valuesOf('cnp', document).size === 0)
  const birthDates = new Set([
    ...cnps.flatMap((cnp) => (cnp.ok ? cnp.birthDate : [])),
    ...withoutCnp.flatMap((document) => [...valuesOf('birth-date', document)]),
  ])
  return Math.max(cnps.length, countNames([...valuesOf('name')].map(foldStated)), birthDates.size)
}

/** Names of a file that are compared with one another, since a hostile file states hundreds. */
const MAX_NAMES = 20

/** Counts names that cannot be of one person; the longest spelling of each stands for the others. */
function countNames(names: readonly StatedName[]): number {
  const different: StatedName[] = []
  for (const name of names.slice(0, MAX_NAMES).toSorted((a, b) => b.length - a.length)) {
    if (!different.some((known) => mayBeSame(known, name))) different.push(name)
  }
  return different.length
}

/** Which word is the surname is not certain: the first one is tried, and the last one. */
function mayBeSame(known: StatedName, name: StatedName): boolean {
  const readings = [
    { surnames: [known.slice(0, 1)], given: known.slice(1) },
    { surnames: [known.slice(-1)], given: known.slice(0, -1) },
  ]
  return readings.some((person) => {
    const match = compareName(person, name)
    return agreesByName(match) || match === 'part'
  })
}
