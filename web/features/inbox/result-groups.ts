import { groupByDay } from '../../lists/group-by-day.ts'
import type { ResultLine } from './inbox.queries.ts'

type Patient = NonNullable<ResultLine['patient']>

/** Results under one heading: a day or, when several people answer a search, one of these people. */
export type ResultGroup =
  | { kind: 'day'; key: string; title: string; results: readonly ResultLine[] }
  | { kind: 'person'; key: string; patient: Patient; results: readonly ResultLine[] }

/**
 * Groups results by the day of their release. Where a search has found several people, or only near names, by person, so that
 * nobody is taken for another one, each at the place of their newest result.
 */
export function groupsOf(
  results: readonly ResultLine[],
  { search, isNear, now }: { search: string; isNear: boolean; now: Date },
): ResultGroup[] {
  const people = Map.groupBy(results, ({ patient }) => patient?.id ?? '')
  if (isNear || (search !== '' && people.size > 1))
    return [...people.values()].flatMap((own) => {
      const patient = own[0]?.patient
      return patient ? [{ kind: 'person' as const, key: patient.id, patient, results: own }] : []
    })
  return groupByDay(results, ({ releasedAt }) => releasedAt ?? '', now).map(({ day, title, items }) => ({
    kind: 'day',
    key: day,
    title,
    results: items,
  }))
}

/** Returns the results in the order in which the groups show them. */
export const inOrder = (groups: readonly ResultGroup[]): ResultLine[] =>
  groups.flatMap(({ results }) => results)
