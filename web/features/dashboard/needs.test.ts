import { describe, expect, it } from 'vitest'
import type { DashboardFigures } from './dashboard.queries.ts'
import { listNeeds } from './needs.ts'

const NOW = Date.parse('2026-03-20T12:00:00Z')
const CALM: DashboardFigures = {
  waiting: [],
  acceptedToday: 0,
  rejectedToday: 0,
  released: 0,
  unopened: 0,
  unopenedLong: 0,
  alarms: null,
  perDay: [],
}
const NO_REQUESTS = { questions: 0, accessRequests: 0 }
const needsOf = (figures: Partial<DashboardFigures>, requests = NO_REQUESTS) =>
  listNeeds({ ...CALM, ...figures }, requests, NOW, true)
const idsOf = (figures: Partial<DashboardFigures>) =>
  needsOf(figures).map(({ id, urgency }) => `${id} ${urgency}`)

describe('listNeeds', () => {
  it('is empty when nothing waits', () => {
    expect(needsOf({})).toEqual([])
    expect(
      needsOf({ alarms: { failedMails: 0, incidents: 0, incidentSince: null, isChainBroken: false } }),
    ).toEqual([])
    expect(needsOf({ waiting: [{ state: 'checking', count: 2, oldest: '2026-03-20T11:00:00Z' }] })).toEqual(
      [],
    )
  })

  it('puts what is overdue before what is late, and what only waits its turn last', () => {
    expect(
      idsOf({
        waiting: [
          { state: 'in_review', count: 30, oldest: '2026-03-20T11:00:00Z' },
          { state: 'unassigned', count: 2, oldest: '2026-03-18T12:00:00Z' },
          { state: 'rejected', count: 10, oldest: '2026-02-25T12:00:00Z' },
          { state: 'quarantined', count: 3, oldest: '2026-03-04T12:00:00Z' },
          { state: 'accepted', count: 1, oldest: '2026-03-04T12:00:00Z' },
        ],
        unopenedLong: 4,
        alarms: { failedMails: 1, incidents: 1, incidentSince: '2026-03-18T00:00:00Z', isChainBroken: true },
      }),
    ).toEqual([
      'chain danger',
      'incidents danger',
      'quarantined danger',
      'rejected danger',
      'mails warning',
      'unassigned warning',
      'unopened warning',
      'in_review neutral',
      'accepted neutral',
    ])
  })

  it('counts what institutions ask, and leads to where it is answered', () => {
    const needs = needsOf({}, { questions: 1, accessRequests: 100 })
    expect(needs.map(({ title, urgency, link }) => [title, urgency, link])).toEqual([
      ['1 întrebare fără răspuns', 'neutral', { to: '/institutions', search: { tab: 'intrebari' } }],
      ['99+ de cereri de acces de hotărât', 'neutral', { to: '/institutions', search: { tab: 'cereri' } }],
    ])
  })

  it('opens exactly the list of what is counted', () => {
    const needs = needsOf({
      waiting: [{ state: 'quarantined', count: 1, oldest: '2026-03-04T12:00:00Z' }],
      unopenedLong: 4,
      alarms: { failedMails: 100, incidents: 0, incidentSince: null, isChainBroken: false },
    })
    expect(needs.map(({ title, note, link }) => [title, note, link.search])).toEqual([
      ['1 încărcare în carantină', 'cea mai veche de 16 zile', { state: ['quarantined'] }],
      ['99+ de mesaje nereușite', 'în ultimele 7 zile', { tab: 'mesaje', undelivered: true }],
      ['4 rezultate nedeschise', 'de 7 zile sau mai mult', { tab: 'nedeschise', days: 30, older: 7 }],
    ])
  })
})
