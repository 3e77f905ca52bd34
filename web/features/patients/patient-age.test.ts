import { describe, expect, it } from 'vitest'
import { describeAge } from './patient-age.ts'

describe('describeAge', () => {
  it.each([
    ['1985-04-03', '2026-04-02', '40 de ani'],
    ['1985-04-03', '2026-04-03', '41 de ani'],
    ['2008-02-29', '2026-02-28', '17 ani'],
    ['2024-05-10', '2026-05-09', '23 de luni'],
    ['2026-01-31', '2026-02-28', '28 de zile'],
    ['2026-03-01', '2026-04-01', '1 lună'],
    ['2026-04-01', '2026-04-01', '0 zile'],
  ])('born on %s, on %s: %s', (birthDate, today, age) => {
    expect(describeAge(birthDate, today)).toBe(age)
  })
})
