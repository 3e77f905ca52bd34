import { counted } from '../../../shared/romania/romanian.ts'

const HOUR = 60
const DAY = 24 * HOUR

/** Returns a duration in its largest unit, rounded: `45 de minute`, `3 ore`, `2 zile`; in hours up to two days. */
export function formatDuration(minutes: number): string {
  if (minutes < 1) return 'sub un minut'
  if (minutes < HOUR) return counted(minutes, 'minut', 'minute')
  if (minutes < 2 * DAY) return counted(Math.round(minutes / HOUR), 'oră', 'ore')
  return counted(Math.round(minutes / DAY), 'zi', 'zile')
}
