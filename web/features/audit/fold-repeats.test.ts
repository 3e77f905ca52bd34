import { expect, it } from 'vitest'
import type { AuditEvent } from './audit.queries.ts'
import { foldRepeats } from './fold-repeats.ts'

let id = 100
const event = (over: Partial<AuditEvent> = {}): AuditEvent => ({
  id: String(id--),
  at: '2026-11-22T10:00:00Z',
  actorId: 'ana',
  actorName: 'Ana Ionescu',
  role: 'staff',
  action: 'patient.list',
  subjectType: null,
  subjectId: null,
  patientId: null,
  patientName: null,
  shownCount: 3,
  outcome: 'ok',
  changes: null,
  ip: null,
  ...over,
})

it('folds identical consecutive reads, regardless of the number of rows shown, and counts them', () => {
  const folds = foldRepeats([event(), event({ shownCount: 50 }), event(), event({ action: 'upload.list' })])
  expect(folds.map(({ latest, events }) => [latest.action, events.length])).toEqual([
    ['patient.list', 3],
    ['upload.list', 1],
  ])
})

it('does not fold entries with another person, search, outcome, or with an entry between them', () => {
  const folds = foldRepeats([
    event(),
    event({ actorId: 'dan' }),
    event({ changes: { search: { to: '2 cuvinte' } } }),
    event({ outcome: 'denied' }),
    event({ action: 'patient.update' }),
    event({ action: 'patient.update' }),
    event(),
  ])
  expect(folds).toHaveLength(7)
})
