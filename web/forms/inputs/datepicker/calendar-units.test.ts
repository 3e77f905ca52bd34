import { expect, test } from 'vitest'
import {
  clampUnit,
  firstInView,
  formatMonth,
  formatMonthAndYear,
  inYear,
  monthFields,
  monthUnit,
  unitBounds,
  yearOfMonth,
} from './calendar-units.ts'

const march2026 = monthUnit({ year: 2026, month: 3 })

test('a month is a number that keeps its year and its name [9.13]', () => {
  expect(monthFields(march2026)).toEqual({ year: 2026, month: 3 })
  expect(yearOfMonth(march2026)).toBe(2026)
  expect(monthFields(inYear(march2026, 1999))).toEqual({ year: 1999, month: 3 })
  expect(formatMonth(march2026)).toBe('martie')
  expect(formatMonthAndYear(march2026)).toBe('martie 2026')
})

test('a view shows the months of one year, or ten years [9.13]', () => {
  expect(monthFields(firstInView('months', march2026))).toEqual({ year: 2026, month: 1 })
  expect(firstInView('years', 2026)).toBe(2020)
})

test('units stay within the bounds of the days [9.13]', () => {
  const bounds = { min: '2024-11-15', max: '2026-03-01' }
  expect(unitBounds('years', bounds)).toEqual({ first: 2024, last: 2026 })
  expect(unitBounds('years', {})).toEqual({ first: 1000, last: 9999 })
  expect(clampUnit('months', march2026 + 1, bounds)).toBe(march2026)
  expect(clampUnit('years', 1990, bounds)).toBe(2024)
})
