import { LIMITS } from '../../../shared/limits.ts'
import type { Ctx, SystemActor } from '../../context.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { deleteDecidedBefore } from './access-requests.db.ts'

const BATCH_SIZE = 500
const DAY_MS = 24 * 3_600_000

/** Deletes the requests for access that were decided `accessRequestDays` ago, with all that was typed. Returns their number. */
export async function purgeAccessRequests(ctx: Ctx<SystemActor>): Promise<number> {
  const before = new Date(ctx.now.getTime() - LIMITS.accessRequestDays * DAY_MS)
  const deleted = await inBatches(BATCH_SIZE, (limit) => deleteDecidedBefore(ctx.db, before, limit))
  if (deleted > 0)
    await recordAudit(ctx, { action: 'access-request.purge', changes: { rows: { to: deleted } } })
  return deleted
}
