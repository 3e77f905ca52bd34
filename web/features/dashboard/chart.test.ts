import { describe, expect, it } from 'vitest'
import { chartTicks, fillDays, isMonday } from './chart.ts'

describe('fillDays', () => {
  it('returns every day up to today, also across a change of daylight saving time', () => {
    const days = fillDays([{ day: '2026-03-28', count: 3 }], '2026-03-30', 4)
    expect(days).toEqual([
      { day: '2026-03-27', count: 0 },
      { day: '2026-03-28', count: 3 },
      { day: '2026-03-29', count: 0 },
      { day: '2026-03-30', count: 0 },
    ])
  })

  it('omits earlier days', () => {
    expect(fillDays([{ day: '2026-01-01', count: 9 }], '2026-03-01', 2).map(({ count }) => count)).toEqual([
      0, 0,
    ])
  })
})

it('knows Mondays', () => {
  expect(['2026-03-29', '2026-03-30', '2026-03-31'].map(isMonday)).toEqual([false, true, false])
})

describe('chartTicks', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [12, [0, 5, 10, 15]],
    [100, [0, 50, 100]],
    [101, [0, 50, 100, 150]],
    [2_300, [0, 1000, 2000, 3000]],
  ])('returns the scale for a maximum of %i', (max, ticks) => {
    expect(chartTicks(max)).toEqual(ticks)
  })

  it('always reaches the highest bar, with few lines at whole numbers', () => {
    for (let max = 0; max < 3_000; max++) {
      const ticks = chartTicks(max)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max)
      expect(ticks.every(Number.isInteger)).toBe(true)
      expect(ticks.length).toBeLessThanOrEqual(6)
    }
  })
})
