import { describe, expect, it } from 'vitest'
import { groupByDay } from './group-by-day.ts'

const at = (day: string, time: string) => new Date(`${day}T${time}`).toISOString()
const group = (times: string[], now: string) =>
  groupByDay(times, (time) => time, new Date(now)).map(({ title, items }) => [title, items.length])

describe('groupByDay', () => {
  it('titles today and yesterday by name, and other days by weekday and date', () => {
    const times = [
      at('2026-03-20', '11:00:00'),
      at('2026-03-20', '00:00:00'),
      at('2026-03-19', '23:59:59'),
      at('2026-03-18', '08:00:00'),
      at('2026-03-14', '08:00:00'),
    ]
    expect(group(times, '2026-03-20T12:00:00')).toEqual([
      ['Astăzi', 2],
      ['Ieri', 1],
      ['Miercuri, 18.03.2026', 1],
      ['Sâmbătă, 14.03.2026', 1],
    ])
  })

  it('recognises yesterday across the end of a year and a change of daylight saving time', () => {
    expect(group([at('2025-12-31', '23:00:00')], '2026-01-01T00:30:00')).toEqual([['Ieri', 1]])
    expect(group([at('2026-03-29', '01:00:00')], '2026-03-30T00:10:00')).toEqual([['Ieri', 1]])
  })

  it('returns no group for no items', () => {
    expect(group([], '2026-03-20T12:00:00')).toEqual([])
  })
})
