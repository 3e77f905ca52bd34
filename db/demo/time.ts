import type { Random } from './random.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const isoDay = (at: Date): string => at.toISOString().slice(0, 10)

export const earlier = (a: Date, b: Date): Date => (a < b ? a : b)

export const after = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds)

/**
 * Returns a time of the working day `daysAgo` days before `now`, never on a Sunday; 6 to 15 h UTC is 8 to 18
 * in Romania.
 */
export function workingHour(random: Random, now: Date, daysAgo: number): Date {
  const day = new Date(now.getTime() - daysAgo * DAY)
  day.setUTCHours(random.integer(6, 14), random.integer(0, 59), random.integer(0, 59), 0)
  return day.getUTCDay() === 0 ? after(day, -DAY) : day
}
