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

/** Midnight of today where the organisation is, however the server's clock is set. */
function startOfDay(now: Date): Date {
  const time = now.toLocaleTimeString('en-GB', { timeZone: 'Europe/Bucharest' })
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return new Date(now.getTime() - ((hours * 60 + minutes) * 60 + seconds) * 1000)
}

/** What waits, what was decided today, and what went out in the last 30 days, today included. Reviewers read it; no patient is named. */
export async function readDashboard(ctx: UserCtx): Promise<Dashboard> {
  if (!canReadDashboard(ctx.actor)) throw forbidden('read the dashboard')
  // Noon: an hour more or less at a change of the clocks stays within the day.
  const today = startOfDay(ctx.now)
  const month = startOfDay(new Date(today.getTime() - (LIMITS.dashboardDays - 1) * DAY_MS + DAY_MS / 2))
  const [waiting, decided, out, perDay] = await Promise.all([
    selectWaiting(ctx.db),
    countReviews(ctx.db, today),
    countReleased(ctx.db, month),
    selectUploadsPerDay(ctx.db, month),
  ])
  return { waiting, acceptedToday: decided.accepted, rejectedToday: decided.rejected, ...out, perDay }
}
