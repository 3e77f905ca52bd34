import { counted } from '../../../shared/romanian.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTH = 30.44 * DAY
const YEAR = 365.25 * DAY

/**
 * How long something has lasted, rounded down: „de 3 zile”; from two months on in months, from two years on in years. `since` is an ISO timestamp, `now` in milliseconds. A clock
 * that runs ahead of the server's says the same as no time at all.
 */
export function describeWaiting(since: string, now: number): string {
  const elapsed = now - Date.parse(since)
  if (elapsed < MINUTE) return 'de mai puțin de un minut'
  if (elapsed < HOUR) return `de ${counted(Math.floor(elapsed / MINUTE), 'minut', 'minute')}`
  if (elapsed < DAY) return `de ${counted(Math.floor(elapsed / HOUR), 'oră', 'ore')}`
  if (elapsed < 2 * MONTH) return `de ${counted(Math.floor(elapsed / DAY), 'zi', 'zile')}`
  if (elapsed < 2 * YEAR) return `de ${counted(Math.floor(elapsed / MONTH), 'lună', 'luni')}`
  return `de ${counted(Math.floor(elapsed / YEAR), 'an', 'ani')}`
}
