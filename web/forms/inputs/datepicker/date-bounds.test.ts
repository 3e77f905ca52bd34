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
const DAY_MS = 86_400_000

/** Days from March to May 2026, including the change to summer time. */
const springDay = fc.integer({ min: 0, max: 90 }).map((count) => dayAt(count))

function dayAt(count: number): string {
  return new Date(Date.UTC(2026, 2, 1) + count * DAY_MS).toISOString().slice(0, 10)
}

const daysBetween = (a: string, b: string) => (Date.parse(b) - Date.parse(a)) / DAY_MS

describe('isDateDisabled', () => {
  it('disables days outside of the bounds; the bounds themselves are enabled [5.6]', () => {
    const bounds = { min: '2026-03-02', max: '2026-03-20' }
    expect(isDateDisabled('2026-03-01', bounds)).toBe(true)
    expect(isDateDisabled('2026-03-02', bounds)).toBe(false)
    expect(isDateDisabled('2026-03-20', bounds)).toBe(false)
    expect(isDateDisabled('2026-03-21', bounds)).toBe(true)
    expect(isDateDisabled('1900-01-01', {})).toBe(false)
  })

  it('disables days of a list or by a function [5.6]', () => {
    expect(isDateDisabled('2026-03-07', { disabledDates: WEEKEND })).toBe(true)
    expect(isDateDisabled('2026-03-09', { disabledDates: WEEKEND })).toBe(false)
    expect(isDateDisabled('2026-12-25', { disabledDates: (day) => day.endsWith('-12-25') })).toBe(true)
    expect(isDateDisabled('2026-12-26', { disabledDates: (day) => day.endsWith('-12-25') })).toBe(false)
  })
})

describe('findEnabledDate', () => {
  const isDisabled = (day: string) => WEEKEND.includes(day)

  it('returns the day itself if it is enabled', () => {
    expect(findEnabledDate('2026-03-06', isDisabled, 'later', SCAN_DAYS)).toBe('2026-03-06')
  })

  it('scans in the direction of the keyboard [9.13]', () => {
    expect(findEnabledDate('2026-03-07', isDisabled, 'later', SCAN_DAYS)).toBe('2026-03-09')
    expect(findEnabledDate('2026-03-08', isDisabled, 'earlier', SCAN_DAYS)).toBe('2026-03-06')
    expect(findEnabledDate('2026-03-08', isDisabled, 'nearest', SCAN_DAYS)).toBe('2026-03-09')
    expect(findEnabledDate('2026-03-07', isDisabled, 'nearest', SCAN_DAYS)).toBe('2026-03-06')
  })

  it('stops after 7 days [9.13]', () => {
    const from = (first: string) => (day: string) => day < first
    expect(SCAN_DAYS).toBe(7)
    expect(findEnabledDate('2026-03-01', from('2026-03-08'), 'later', SCAN_DAYS)).toBe('2026-03-08')
    expect(findEnabledDate('2026-03-01', from('2026-03-09'), 'later', SCAN_DAYS)).toBeNull()
  })

  it('finds the nearest enabled day within the range, or none [9.13]', () => {
    const directions = fc.constantFrom('later' as const, 'earlier' as const, 'nearest' as const)
    const disabled = fc.array(springDay, { maxLength: 80 }).map((days) => new Set(days))
    fc.assert(
      fc.property(springDay, disabled, directions, (day, days, direction) => {
        const found = findEnabledDate(day, (each) => days.has(each), direction, SCAN_DAYS)
        const distances = Array.from({ length: 2 * SCAN_DAYS + 1 }, (_, index) => index - SCAN_DAYS)
          .filter(
            (distance) => direction === 'nearest' || (direction === 'later' ? distance >= 0 : distance <= 0),
          )
          .filter((distance) => !days.has(dayAt(daysBetween('2026-03-01', day) + distance)))
          .map(Math.abs)
        if (found === null) expect(distances).toEqual([])
        else expect(Math.abs(daysBetween(day, found))).toBe(Math.min(...distances))
        if (found !== null) expect(days.has(found)).toBe(false)
      }),
    )
  })
})

describe('findKeyboardDate', () => {
  const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())
  const weekdays = { disabledDates: isWeekend }
  const notInMay = { disabledDates: (day: string) => isWeekend(day) || day.startsWith('2026-05') }

  it.each([
    ['2026-03-06', '2026-03-07', '2026-03-09', 'forward, in its direction'],
    ['2026-03-09', '2026-03-08', '2026-03-06', 'backward, in its direction'],
    ['2026-01-30', '2026-01-31', '2026-02-02', 'forward into the next month'],
    ['2026-09-30', '2026-10-31', '2026-10-30', 'backward, to stay in the target month'],
    ['2026-10-15', '2026-10-31', '2026-10-30', 'to the last enabled day of the month'],
    ['2026-03-16', '2026-03-01', '2026-03-02', 'to the first enabled day of the month'],
    ['2026-12-01', '2026-11-01', '2026-11-02', 'to stay in the target month'],
  ])('from %s to %s: %s, %s [9.13]', (from, target, found) => {
    expect(findKeyboardDate(from, target, weekdays)).toBe(found)
  })

  it('returns the disabled day if no enabled day is near, and never goes back', () => {
    expect(findKeyboardDate('2026-04-30', '2026-05-01', notInMay)).toBe('2026-05-01')
    expect(findKeyboardDate('2026-05-01', '2026-05-02', notInMay)).toBe('2026-05-02')
    expect(findKeyboardDate('2026-05-24', '2026-05-25', notInMay)).toBe('2026-06-01')
  })
})

it('a calendar opens within its bounds, on an enabled day near the requested day [9.13]', () => {
  expect(findOpeningDate('2026-03-12', { min: '2026-04-01' })).toBe('2026-04-01')
  expect(findOpeningDate('2026-03-12', { max: '2026-02-10' })).toBe('2026-02-10')
  expect(findOpeningDate('2026-03-07', { disabledDates: WEEKEND })).toBe('2026-03-06')
  expect(findOpeningDate('2026-03-07', { disabledDates: () => true })).toBe('2026-03-07')
})
