import { expect, it } from 'vitest'
import { readWaitingAge } from './waiting-age.ts'

const NOW = Date.parse('2026-03-20T12:00:00Z')

it.each([
  ['in_review', '2026-03-20T11:59:00Z', 'fresh'],
  ['in_review', '2026-03-19T12:00:01Z', 'fresh'],
  ['in_review', '2026-03-19T12:00:00Z', 'late'],
  ['rejected', '2026-03-17T12:00:01Z', 'late'],
  ['rejected', '2026-03-17T12:00:00Z', 'overdue'],
  ['unassigned', '2026-03-14T00:00:00Z', 'overdue'],
  ['quarantined', '2026-03-14T00:00:00Z', 'overdue'],
  ['accepted', '2026-01-01T00:00:00Z', 'fresh'],
  ['released', '2026-01-01T00:00:00Z', 'fresh'],
  ['checking', '2026-01-01T00:00:00Z', 'fresh'],
  // A clock behind the server's.
  ['in_review', '2026-03-20T12:05:00Z', 'fresh'],
] as const)('an upload %s since %s is %s', (state, since, age) => {
  expect(readWaitingAge(state, since, NOW)).toBe(age)
})
