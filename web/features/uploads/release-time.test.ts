import { describe, expect, it } from 'vitest'
import { describeRelease, formatMoment } from './release-time.ts'

const NOW = new Date(2026, 10, 22, 12, 0).getTime()
const at = (day: number, hours: number, minutes: number) =>
  new Date(2026, 10, day, hours, minutes).toISOString()

describe('formatMoment', () => {
  it('returns the time alone for today, and also the date for another day', () => {
    expect(formatMoment(at(22, 14, 30), NOW)).toBe('la 14:30')
    expect(formatMoment(at(23, 8, 5), NOW)).toBe('pe 23.11.2026, la 08:05')
  })
})

describe('describeRelease', () => {
  it('returns the time of the release, or that a release by hand is needed', () => {
    expect(describeRelease(at(22, 14, 30), NOW)).toBe('Se eliberează la 14:30')
    expect(describeRelease(at(22, 11, 59), NOW)).toBe('Se eliberează în mai puțin de un minut')
    expect(describeRelease(null, NOW)).toBe('Așteaptă să fie eliberată')
  })
})
