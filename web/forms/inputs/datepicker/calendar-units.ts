import type { DateBounds } from './date-bounds.ts'

/**
 * The units of the calendar's views. A unit is a number: a year, or a month counted from January of the year
 * 0.
 */
export type UnitView = 'months' | 'years'

const MONTHS_PER_YEAR = 12

/** The number of units in a view; years [9.13]. */
export const UNITS_PER_VIEW: Readonly<Record<UnitView, number>> = { months: MONTHS_PER_YEAR, years: 10 }

/** The range of days that can be typed. */
const FIRST_DAY = '1000-01-01'
const LAST_DAY = '9999-12-31'

const monthAndYear = new Intl.DateTimeFormat('ro-RO', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const monthName = new Intl.DateTimeFormat('ro-RO', { month: 'long', timeZone: 'UTC' })
const firstDayOf = (month: number) => new Date(Date.UTC(yearOfMonth(month), month % MONTHS_PER_YEAR))

/** Returns the month of a date, whose months count from 1. */
export const monthUnit = ({ year, month }: { year: number; month: number }): number =>
  year * MONTHS_PER_YEAR + month - 1

export const yearOfMonth = (month: number): number => Math.floor(month / MONTHS_PER_YEAR)

/** Returns the date fields of a month. */
export const monthFields = (month: number): { year: number; month: number } => ({
  year: yearOfMonth(month),
  month: (month % MONTHS_PER_YEAR) + 1,
})

/** Returns the same month of another year. */
export const inYear = (month: number, year: number): number =>
  year * MONTHS_PER_YEAR + (month % MONTHS_PER_YEAR)

export const formatMonth = (month: number): string => monthName.format(firstDayOf(month))
export const formatMonthAndYear = (month: number): string => monthAndYear.format(firstDayOf(month))

/** Returns the first and the last unit that contains an allowed day. */
export function unitBounds(
  view: UnitView,
  { min = FIRST_DAY, max = LAST_DAY }: DateBounds,
): { first: number; last: number } {
  const unitOf = (day: string) => {
    const [year, month] = day.split('-').map(Number) as [number, number]
    return view === 'years' ? year : monthUnit({ year, month })
  }
  return { first: unitOf(min), last: unitOf(max) }
}

/** Returns the nearest unit within the bounds. */
export function clampUnit(view: UnitView, unit: number, bounds: DateBounds): number {
  const { first, last } = unitBounds(view, bounds)
  return Math.min(Math.max(unit, first), last)
}

/** Returns the first unit of the view that contains the unit. */
export const firstInView = (view: UnitView, unit: number): number => unit - (unit % UNITS_PER_VIEW[view])
