import { describe, expect, it } from 'vitest'
import { formatWaitingTime } from './format-waiting-time.ts'

const now = Date.parse('2026-03-20T12:00:00Z')

describe('formatWaitingTime', () => {
  it.each([
    ['2026-03-20T12:00:09Z', 'de sub un minut'],
    ['2026-03-20T11:59:01Z', 'de sub un minut'],
    ['2026-03-20T11:59:00Z', 'de 1 minut'],
    ['2026-03-20T11:41:00Z', 'de 19 minute'],
    ['2026-03-20T11:40:00Z', 'de 20 de minute'],
    ['2026-03-20T11:00:00Z', 'de 1 oră'],
    ['2026-03-19T12:00:01Z', 'de 23 de ore'],
    ['2026-03-19T12:00:00Z', 'de 1 zi'],
    ['2026-03-17T12:00:00Z', 'de 3 zile'],
    ['2026-02-27T12:00:00Z', 'de 21 de zile'],
    ['2026-01-19T12:00:00Z', 'de 60 de zile'],
    ['2026-01-18T12:00:00Z', 'de 2 luni'],
    ['2025-12-09T12:00:00Z', 'de 3 luni'],
    ['2024-03-21T12:00:00Z', 'de 23 de luni'],
    ['2018-04-12T12:00:00Z', 'de 7 ani'],
  ])('since %s: %s', (since, age) => {
    expect(formatWaitingTime(since, now)).toBe(age)
  })
})
