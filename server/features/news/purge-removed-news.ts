import { LIMITS } from '../../../shared/limits.ts'
import type { Ctx, SystemActor } from '../../context.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { deleteRemovedBefore } from './news.db.ts'

const BATCH_SIZE = 500
const DAY_MS = 24 * 3_600_000

/** Deletes the news that were removed `binDays` ago, with their former texts and who has read them. Returns their number. */
export async function purgeRemovedNews(ctx: Ctx<SystemActor>): Promise<number> {
  const before = new Date(ctx.now.getTime() - LIMITS.binDays * DAY_MS)
  const deleted = await inBatches(BATCH_SIZE, (limit) => deleteRemovedBefore(ctx.db, before, limit))
  if (deleted > 0) await recordAudit(ctx, { action: 'news.purge', changes: { rows: { to: deleted } } })
  return deleted
}
