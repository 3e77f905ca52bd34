import { LIMITS } from '../../../shared/limits.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { canReadDashboard } from './dashboard.access.ts'
import {
  countReleased,
  countReviews,
  type DayRow,
  selectUploadsPerDay,
  selectWaiting,
  type WaitingRow,
} from './dashboard.db.ts'

export type Dashboard = {
  waiting: WaitingRow[]
  acceptedToday: number
  rejectedToday: number
  released: number
  unopened: number
  perDay: DayRow[]
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Returns midnight of the day in Romania, in any time zone of the server. */
function startOfDay(now: Date): Date {
  const time = now.toLocaleTimeString('en-GB', { timeZone: 'Europe/Bucharest' })
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return new Date(now.getTime() - ((hours * 60 + minutes) * 60 + seconds) * 1000)
}

/**
 * Returns what waits, the verdicts of today and the releases of the last 30 days, today included, for
 * reviewers. No patient is named.
 */
export async function readDashboard(ctx: UserCtx): Promise<Dashboard> {
  if (!canReadDashboard(ctx.actor)) throw forbidden('read the dashboard')
  // From noon, so that the hour of a clock change does not shift the day.
  const today = startOfDay(ctx.now)
  const month = startOfDay(new Date(today.getTime() - (LIMITS.dashboardDays - 1) * DAY_MS + DAY_MS / 2))
  const [waiting, decided, releases, perDay] = await Promise.all([
    selectWaiting(ctx.db),
    countReviews(ctx.db, today),
    countReleased(ctx.db, month),
    selectUploadsPerDay(ctx.db, month),
  ])
  return { waiting, acceptedToday: decided.accepted, rejectedToday: decided.rejected, ...releases, perDay }
}
