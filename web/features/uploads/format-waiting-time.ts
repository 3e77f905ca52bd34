import { counted } from '../../../shared/romania/romanian.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MONTH = 30.44 * DAY_MS
const YEAR = 365.25 * DAY_MS

/**
 * How long something has lasted, rounded down: „de 3 zile”; from two months on in months, from two years on in years. `since` is an ISO timestamp, `now` in milliseconds. A clock
 * that runs ahead of the server's says the same as no time at all.
 */
export function formatWaitingTime(since: string, now: number): string {
  const elapsed = now - Date.parse(since)
  if (elapsed < MINUTE_MS) return 'de mai puțin de un minut'
  if (elapsed < HOUR_MS) return `de ${counted(Math.floor(elapsed / MINUTE_MS), 'minut', 'minute')}`
  if (elapsed < DAY_MS) return `de ${counted(Math.floor(elapsed / HOUR_MS), 'oră', 'ore')}`
  if (elapsed < 2 * MONTH) return `de ${counted(Math.floor(elapsed / DAY_MS), 'zi', 'zile')}`
  if (elapsed < 2 * YEAR) return `de ${counted(Math.floor(elapsed / MONTH), 'lună', 'luni')}`
  return `de ${counted(Math.floor(elapsed / YEAR), 'an', 'ani')}`
}
