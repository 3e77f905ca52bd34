import { lazily } from '../lazily.ts'

// At the first use: the system's calendars take 30 ms and 9 MiB, for which no start waits.
const dayFormat = lazily(() => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Bucharest' }))

/** Returns the day of an instant in Romania as yyyy-MM-dd. */
export const dayInRomania = (at: Date): string => dayFormat().format(at)

/** Returns today in Romania as yyyy-MM-dd: a day begins there hours before it begins in UTC. */
export const todayInRomania = (): string => dayInRomania(new Date())

const DAY_MS = 24 * 60 * 60 * 1000

/** Returns the day (yyyy-MM-dd) so many days after. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the day (yyyy-MM-dd) so many days before. */
export const dayBefore = (day: string, days: number): string => dayAfter(day, -days)
