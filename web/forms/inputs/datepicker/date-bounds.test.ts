import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findEnabledDate,
  findKeyboardDate,
  findOpeningDate,
  isDateDisabled,
  SCAN_DAYS,
} from './date-bounds.ts'

const WEEKEND = ['2026-03-07', '2026-03-08']
const DAY = 86_400_000

/** Days of one spring, through the change of the clocks. */
const springDay = fc.integer({ min: 0, max: 90 }).map((count) => dayAt(count))

function dayAt(count: number): string {
  return new Date(Date.UTC(2026, 2, 1) + count * DAY).toISOString().slice(0, 10)
}

const daysBetween = (a: string, b: string) => (Date.parse(b) - Date.parse(a)) / DAY

describe('days that may be chosen', () => {
  it('are those within the bounds, the bounds included [5.6]', () => {
    const bounds = { min: '2026-03-02', max: '2026-03-20' }
    expect(isDateDisabled('2026-03-01', bounds)).toBe(true)
    expect(isDateDisabled('2026-03-02', bounds)).toBe(false)
    expect(isDateDisabled('2026-03-20', bounds)).toBe(false)
    expect(isDateDisabled('2026-03-21', bounds)).toBe(true)
    expect(isDateDisabled('1900-01-01', {})).toBe(false)
  })

  it('are those that neither a list nor a function refuses [5.6]', () => {
    expect(isDateDisabled('2026-03-07', { disabledDates: WEEKEND })).toBe(true)
    expect(isDateDisabled('2026-03-09', { disabledDates: WEEKEND })).toBe(false)
    expect(isDateDisabled('2026-12-25', { disabledDates: (day) => day.endsWith('-12-25') })).toBe(true)
    expect(isDateDisabled('2026-12-26', { disabledDates: (day) => day.endsWith('-12-25') })).toBe(false)
  })
})

describe('the scan for an enabled day', () => {
  const isDisabled = (day: string) => WEEKEND.includes(day)

  it('stays on a day that is enabled', () => {
    expect(findEnabledDate('2026-03-06', isDisabled, 'later', SCAN_DAYS)).toBe('2026-03-06')
  })

  it('goes the way that the keyboard goes [9.13]', () => {
    expect(findEnabledDate('2026-03-07', isDisabled, 'later', SCAN_DAYS)).toBe('2026-03-09')
    expect(findEnabledDate('2026-03-08', isDisabled, 'earlier', SCAN_DAYS)).toBe('2026-03-06')
    expect(findEnabledDate('2026-03-08', isDisabled, 'nearest', SCAN_DAYS)).toBe('2026-03-09')
    expect(findEnabledDate('2026-03-07', isDisabled, 'nearest', SCAN_DAYS)).toBe('2026-03-06')
  })

  it('ends after 7 days [9.13]', () => {
    const from = (first: string) => (day: string) => day < first
    expect(SCAN_DAYS).toBe(7)
    expect(findEnabledDate('2026-03-01', from('2026-03-08'), 'later', SCAN_DAYS)).toBe('2026-03-08')
    expect(findEnabledDate('2026-03-01', from('2026-03-09'), 'later', SCAN_DAYS)).toBeNull()
  })

  it('finds the nearest enabled day within its range, or there is none [9.13]', () => {
    const direction = fc.constantFrom('later' as const, 'earlier' as const, 'nearest' as const)
    const disabled = fc.array(springDay, { maxLength: 80 }).map((days) => new Set(days))
    fc.assert(
      fc.property(springDay, disabled, direction, (day, days, way) => {
        const found = findEnabledDate(day, (each) => days.has(each), way, SCAN_DAYS)
        const distances = Array.from({ length: 2 * SCAN_DAYS + 1 }, (_, place) => place - SCAN_DAYS)
          .filter((away) => way === 'nearest' || (way === 'later' ? away >= 0 : away <= 0))
          .filter((away) => !days.has(dayAt(daysBetween('2026-03-01', day) + away)))
          .map(Math.abs)
        if (found === null) expect(distances).toEqual([])
        else expect(Math.abs(daysBetween(day, found))).toBe(Math.min(...distances))
        if (found !== null) expect(days.has(found)).toBe(false)
      }),
    )
  })
})

describe('where the keyboard comes to lie', () => {
  const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())
  const weekdays = { disabledDates: isWeekend }
  const notInMay = { disabledDates: (day: string) => isWeekend(day) || day.startsWith('2026-05') }

  it.each([
    ['2026-03-06', '2026-03-07', '2026-03-09', 'on, in its direction'],
    ['2026-03-09', '2026-03-08', '2026-03-06', 'back, in its direction'],
    ['2026-01-30', '2026-01-31', '2026-02-02', 'on into the next month'],
    ['2026-09-30', '2026-10-31', '2026-10-30', 'in the month it went to, though that is back'],
    ['2026-10-15', '2026-10-31', '2026-10-30', 'at the last enabled day of the month'],
    ['2026-03-16', '2026-03-01', '2026-03-02', 'at the first enabled day of the month'],
    ['2026-12-01', '2026-11-01', '2026-11-02', 'in the month it went back to'],
  ])('from %s to %s: %s, %s [9.13]', (from, wanted, found) => {
    expect(findKeyboardDate(from, wanted, weekdays)).toBe(found)
  })

  it('is the disabled day where nothing is near, and never the way back', () => {
    expect(findKeyboardDate('2026-04-30', '2026-05-01', notInMay)).toBe('2026-05-01')
    expect(findKeyboardDate('2026-05-01', '2026-05-02', notInMay)).toBe('2026-05-02')
    expect(findKeyboardDate('2026-05-24', '2026-05-25', notInMay)).toBe('2026-06-01')
  })
})

it('a calendar opens within its bounds, on an enabled day near the wanted one [9.13]', () => {
  expect(findOpeningDate('2026-03-12', { min: '2026-04-01' })).toBe('2026-04-01')
  expect(findOpeningDate('2026-03-12', { max: '2026-02-10' })).toBe('2026-02-10')
  expect(findOpeningDate('2026-03-07', { disabledDates: WEEKEND })).toBe('2026-03-06')
  expect(findOpeningDate('2026-03-07', { disabledDates: () => true })).toBe('2026-03-07')
})
