import { counted } from '../../../shared/romania/romanian.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MONTH_MS = 30.44 * DAY_MS
const YEAR_MS = 365.25 * DAY_MS

/**
 * Returns an elapsed time, rounded down: „de 3 zile”; in months from two months on, in years from two years
 * on. `since` is an ISO timestamp, `now` in milliseconds. A negative time, from a clock behind the server's,
 * counts as zero.
 */
export function formatWaitingTime(since: string, now: number): string {
  const elapsed = now - Date.parse(since)
  if (elapsed < MINUTE_MS) return 'de sub un minut'
  if (elapsed < HOUR_MS) return `de ${counted(Math.floor(elapsed / MINUTE_MS), 'minut', 'minute')}`
  if (elapsed < DAY_MS) return `de ${counted(Math.floor(elapsed / HOUR_MS), 'oră', 'ore')}`
  if (elapsed < 2 * MONTH_MS) return `de ${counted(Math.floor(elapsed / DAY_MS), 'zi', 'zile')}`
  if (elapsed < 2 * YEAR_MS) return `de ${counted(Math.floor(elapsed / MONTH_MS), 'lună', 'luni')}`
  return `de ${counted(Math.floor(elapsed / YEAR_MS), 'an', 'ani')}`
}
