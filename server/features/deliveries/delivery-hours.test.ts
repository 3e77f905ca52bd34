import { expect, it } from 'vitest'
import { lastDue } from './delivery-hours.ts'

const due = (delivery: 'daily' | 'hourly', now: string) => lastDue(delivery, new Date(now)).toISOString()

it('a daily digest is due at eight in Romania, also around a change of the clocks', () => {
  // Winter, the first day of summer time, the last day of summer time and the next one.
  expect(due('daily', '2026-03-28T06:00:00Z')).toBe('2026-03-28T06:00:00.000Z')
  expect(due('daily', '2026-03-29T04:59:59Z')).toBe('2026-03-28T06:00:00.000Z')
  expect(due('daily', '2026-03-29T05:00:00Z')).toBe('2026-03-29T05:00:00.000Z')
  expect(due('daily', '2026-10-25T05:59:59Z')).toBe('2026-10-24T05:00:00.000Z')
  expect(due('daily', '2026-10-25T23:30:00Z')).toBe('2026-10-25T06:00:00.000Z')
})

it('an hourly digest is due at each full hour, also in the hour that comes twice', () => {
  expect(due('hourly', '2026-10-25T00:59:00Z')).toBe('2026-10-25T00:00:00.000Z')
  expect(due('hourly', '2026-10-25T01:01:00Z')).toBe('2026-10-25T01:00:00.000Z')
})
