import type { Ctx, SystemActor } from '../../context.ts'
import { findSite } from '../site/find-site.ts'
import { insertReminders } from './announcements.db.ts'

const DAY_MS = 24 * 3_600_000
/** There is no reminder of older results, so that the first start of this version does not announce the whole history. */
const REMINDED_DAYS = 30

/**
 * Writes reminders of results that nobody at their institution has opened for the days of the setting
 * `reminder_days`, once for each result and institution; the next digest has them.
 */
export async function remindInstitutions(ctx: Ctx<SystemActor>): Promise<void> {
  const { reminder_days: days } = await findSite(ctx.db)
  if (days === 0) return
  const daysAgo = (count: number) => new Date(ctx.now.getTime() - count * DAY_MS)
  await insertReminders(ctx.db, daysAgo(days + REMINDED_DAYS), daysAgo(days))
}
