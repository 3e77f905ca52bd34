import { describe, expect, it } from 'vitest'
import { groupByDay } from './audit-days.ts'

describe('groupByDay', () => {
  it('returns each day once with its title, newest first', () => {
    const now = new Date(2026, 10, 21, 9)
    const at = (...time: [number, number, number, number]) => ({ at: new Date(...time).toISOString() })
    const events = [at(2026, 10, 21, 8), at(2026, 10, 20, 23), at(2026, 10, 20, 1), at(2026, 10, 16, 12)]
    expect(groupByDay(events, now).map(({ title, events: of }) => [title, of.length])).toEqual([
      ['Astăzi', 1],
      ['Ieri', 2],
      ['Luni, 16.11.2026', 1],
    ])
  })
})
