import { describe, expect, it } from 'vitest'
import type { ResultLine } from './inbox.queries.ts'
import { groupsOf, inOrder } from './result-groups.ts'

const NOW = new Date('2026-03-20T12:00:00')
const result = (id: string, patientId: string, releasedAt: string) =>
  ({
    id,
    releasedAt: new Date(releasedAt).toISOString(),
    patient: { id: patientId, name: 'Popescu Maria' },
  }) as ResultLine
const RESULTS = [
  result('r1', 'maria-1959', '2026-03-20T09:00:00'),
  result('r2', 'maria-2014', '2026-03-20T08:00:00'),
  result('r3', 'maria-1959', '2026-03-18T08:00:00'),
]

describe('groupsOf', () => {
  it('groups by day without a search, and for a search that one person answers', () => {
    expect(
      groupsOf(RESULTS, { search: '', isNear: false, now: NOW }).map(
        (group) => group.kind === 'day' && group.title,
      ),
    ).toEqual(['Astăzi', 'Miercuri, 18.03.2026'])
    expect(
      groupsOf([RESULTS[0]!, RESULTS[2]!], { search: 'popescu', isNear: false, now: NOW }).map(
        ({ kind }) => kind,
      ),
    ).toEqual(['day', 'day'])
  })

  it('groups by person where only a near name was found', () => {
    const near = { search: 'popesku', isNear: true, now: NOW }
    expect(groupsOf([RESULTS[0]!], near)).toMatchObject([{ kind: 'person', key: 'maria-1959' }])
  })

  it('groups namesakes by person when a search finds several', () => {
    const groups = groupsOf(RESULTS, { search: 'popescu maria', isNear: false, now: NOW })
    expect(groups.map(({ kind, key }) => [kind, key])).toEqual([
      ['person', 'maria-1959'],
      ['person', 'maria-2014'],
    ])
    expect(inOrder(groups).map(({ id }) => id)).toEqual(['r1', 'r3', 'r2'])
  })
})
