import { describe, expect, it } from 'vitest'
import { findDateError, findRangeError } from './date-error.ts'

const MARCH = { min: '2026-03-01', max: '2026-03-31', disabledDates: ['2026-03-08'] }
const UNREADABLE = 'Data nu există. Scrie ziua, luna și anul cu patru cifre: 03.04.1985.'
const INVALID = 'Data selectată este nevalidă.'

describe('findDateError', () => {
  it.each([
    ['', null],
    ['  ', null],
    ['12.03.2026', null],
    ['12.3.20', UNREADABLE],
    ['31.02.2026', UNREADABLE],
    ['08.03.2026', INVALID],
    ['28.02.2026', INVALID],
    ['01.04.2026', INVALID],
  ])('%j: %s [5.6]', (text, error) => {
    expect(findDateError(text, MARCH)).toBe(error)
  })
})

describe('findRangeError', () => {
  it.each([
    ['', '', null],
    ['02.03.2026', '05.03.2026', null],
    ['02.03.2026', '02.03.2026', null],
    ['05.03.2026', '02.03.2026', 'Data de început este după data de sfârșit.'],
    ['05.03.2026', '', 'Lipsește data de sfârșit.'],
    ['', '05.03.2026', 'Lipsește data de început.'],
    ['08.03.2026', '05.', UNREADABLE],
    ['02.03.2026', '08.03.2026', INVALID],
    ['07.03.2026', '09.03.2026', null],
  ])('%j to %j: %s [5.6]', (start, end, error) => {
    expect(findRangeError({ start, end }, MARCH)).toBe(error)
  })
})
