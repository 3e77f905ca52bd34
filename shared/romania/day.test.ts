import { expect, it } from 'vitest'
import { dayInRomania } from './day.ts'

it('the day of an instant is that in Romania, in summer and in winter', () => {
  expect(dayInRomania(new Date('2026-11-20T22:30:00Z'))).toBe('2026-11-21')
  expect(dayInRomania(new Date('2026-11-20T21:30:00Z'))).toBe('2026-11-20')
  expect(dayInRomania(new Date('2026-07-20T21:30:00Z'))).toBe('2026-07-21')
})
