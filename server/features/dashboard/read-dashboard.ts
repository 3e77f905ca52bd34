import { type ChainFault, isChainWarning } from '../../../shared/audit/chain-faults.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { dayInRomania } from '../../../shared/romania/day.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { dayStart } from '../../platform/database/days.sql.ts'
import { countActions } from '../audit/count-actions.ts'
import { findLastVerification } from '../audit/find-last-verification.ts'
import { countUndelivered } from '../messages/list-messages.ts'
import { canReadAlarms, canReadDashboard } from './dashboard.access.ts'
import {
  countReleased,
  countUnopened,
  type DayRow,
  selectRunningIncidents,
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
  unopenedLong: number
  alarms: Alarms | null
  perDay: DayRow[]
}

/** What only administrators can mend. */
export type Alarms = {
  failedMails: number
  incidents: { count: number; oldest: Date | null }
  isChainBroken: boolean
}

/**
 * Returns what waits, the verdicts of today and the releases of the last 30 days, today included, for
 * reviewers. No patient is named.
 */
export async function readDashboard(ctx: UserCtx): Promise<Dashboard> {
  if (!canReadDashboard(ctx.actor)) throw forbidden('read the dashboard')
  const day = dayInRomania(ctx.now)
  const month = dayStart(ctx.now, LIMITS.dashboardDays - 1)
  const [waiting, decided, releases, unopenedLong, perDay, alarms] = await Promise.all([
    selectWaiting(ctx.db),
    countActions(ctx, ['upload.accept', 'upload.reject'], { from: day, to: day }),
    countReleased(ctx.db, month),
    countUnopened(ctx.db, month, dayStart(ctx.now, LIMITS.alarmDays - 1)),
    selectUploadsPerDay(ctx.db, month),
    canReadAlarms(ctx.actor) ? readAlarms(ctx) : null,
  ])
  return {
    waiting,
    acceptedToday: decided['upload.accept'],
    rejectedToday: decided['upload.reject'],
    ...releases,
    unopenedLong,
    alarms,
    perDay,
  }
}

async function readAlarms(ctx: UserCtx): Promise<Alarms> {
  const [failedMails, incidents, verification] = await Promise.all([
    countUndelivered(ctx),
    selectRunningIncidents(ctx.db),
    findLastVerification(ctx),
  ])
  const faults = (verification?.faults ?? []) as ChainFault[]
  const isChainBroken = faults.some(({ kind }) => !isChainWarning(kind))
  return { failedMails, incidents, isChainBroken }
}
