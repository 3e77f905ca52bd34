import { expect, it } from 'vitest'
import type { AuditEvent } from './audit.queries.ts'
import { groupAccess } from './group-access.ts'

const event = (id: number, actorId: string, action: string, at: Date): AuditEvent => ({
  id: String(id),
  at: at.toISOString(),
  actorId,
  actorName: actorId.toUpperCase(),
  role: 'staff',
  action,
  subjectType: 'patient',
  subjectId: 'p',
  patientId: 'p',
  patientName: 'Popa Ana',
  shownCount: 0,
  outcome: 'ok',
  changes: null,
  ip: null,
})

it('lists each person once a day, and each action of the person once with its count [2.9]', () => {
  const events = [
    event(5, 'ana', 'patient.read', new Date(2026, 10, 21, 14)),
    event(4, 'ion', 'file.download', new Date(2026, 10, 21, 13)),
    event(3, 'ana', 'patient.read', new Date(2026, 10, 21, 12)),
    event(2, 'ana', 'patient.update', new Date(2026, 10, 21, 11)),
    event(1, 'ana', 'patient.read', new Date(2026, 10, 20, 12)),
  ]
  const groups = groupAccess(events, new Date(2026, 10, 21, 15)).map(({ title, people }) => [
    title,
    people.map(({ name, lines }) => [name, lines.map(({ events }) => events.map(({ id }) => id))]),
  ])
  expect(groups).toEqual([
    [
      'Astăzi',
      [
        ['ANA', [['5', '3'], ['2']]],
        ['ION', [['4']]],
      ],
    ],
    ['Ieri', [['ANA', [['1']]]]],
  ])
})
