import { describe, expect, it } from 'vitest'
import { findBirthDateError } from './birth-dates.ts'

describe('findBirthDateError', () => {
  it.each(['1900-01-01', '1950-06-15', '2026-11-22'])('accepts %s', (day) =>
    expect(findBirthDateError(day, '2026-11-22')).toBeNull(),
  )

  it('rejects a day in the future', () =>
    expect(findBirthDateError('2026-11-23', '2026-11-22')).toBe('Data nașterii nu poate fi în viitor.'))

  it.each(['1899-12-31', '1850-01-01'])('rejects %s: nobody alive was born so long ago', (day) =>
    expect(findBirthDateError(day, '2026-11-22')).toBe('Data nașterii nu poate fi înainte de anul 1900.'),
  )
})
