import { formatDate } from '../../../shared/romania/romanian.ts'

const MINUTE_MS = 60_000

const timeOf = (iso: string): string =>
  new Date(iso).toLocaleTimeString('ro-RO', { hour: '2-digit', minute: '2-digit' })

/** Returns „la 14:30”, or „pe 23.11.2026, la 14:30” if the day differs from that of `now` (milliseconds). */
export function formatMoment(iso: string, now: number): string {
  const isToday = new Date(iso).toDateString() === new Date(now).toDateString()
  return isToday ? `la ${timeOf(iso)}` : `pe ${formatDate(iso)}, la ${timeOf(iso)}`
}

/**
 * Returns when an accepted upload is released, as a sentence without its full stop. `now` is in milliseconds;
 * `releaseAt` is null if a reviewer must release the upload.
 */
export function describeRelease(releaseAt: string | null, now: number): string {
  if (releaseAt === null) return 'Așteaptă să fie eliberată'
  if (Date.parse(releaseAt) - now < MINUTE_MS) return 'Se eliberează în mai puțin de un minut'
  return `Se eliberează ${formatMoment(releaseAt, now)}`
}
