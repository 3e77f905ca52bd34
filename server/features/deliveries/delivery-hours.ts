import { lazily } from '../../../shared/lazily.ts'
import type { Delivery } from '../../../shared/site/setting-bounds.ts'

/** The hour in Romania at which a daily digest is sent. */
const DAILY_HOUR = 8
const HOUR_MS = 3_600_000

const hourFormat = lazily(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Bucharest',
      hour: '2-digit',
      hourCycle: 'h23',
    }),
)

/**
 * Returns the last time at which a digest was due: rows written before it are sent now. Daily ones are due at 8 in
 * Romania, hourly ones at the full hour.
 */
export function lastDue(delivery: Delivery, now: Date): Date {
  if (delivery === 'at_once') return new Date(now.getTime() + 1)
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
  if (delivery === 'hourly') return hour
  // The offset of Romania has whole hours; a day of 25 hours has 8 o'clock once.
  for (let at = hour.getTime(); ; at -= HOUR_MS) {
    if (Number(hourFormat().format(at)) === DAILY_HOUR) return new Date(at)
  }
}
