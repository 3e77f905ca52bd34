import { describe, expect, it } from 'vitest'
import { findBirthDateFault } from './birth-dates.ts'

describe('findBirthDateFault', () => {
  it.each(['1896-01-01', '1950-06-15', '2026-11-22'])('takes %s', (day) =>
    expect(findBirthDateFault(day, '2026-11-22')).toBeNull(),
  )

  it('refuses a day to come', () =>
    expect(findBirthDateFault('2026-11-23', '2026-11-22')).toBe('Data nașterii nu poate fi în viitor.'))

  it('refuses a day longer ago than anybody has lived', () =>
    expect(findBirthDateFault('1850-01-01', '2026-11-22')).toBe(
      'Data nașterii nu poate fi înainte de anul 1896.',
    ))
})
