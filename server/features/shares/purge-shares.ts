import { LIMITS } from '../../../shared/limits.ts'
import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { endAfterWrongProofs } from './end-shares.ts'
import { deleteOfEnded, endExpired, selectWithoutAttempts } from './shares.db.ts'

const BATCH_SIZE = 500
const DAY_MS = 24 * 3_600_000

/**
 * Marks the shares whose time is over as ended: no proof opens them since. Ends also those of which a server was killed while it
 * checked the last proof, and notifies their makers.
 */
export async function endExpiredShares(ctx: Ctx<SystemActor>): Promise<void> {
  for (const id of await selectWithoutAttempts(ctx.db))
    await inTransaction(ctx, (tx) => endAfterWrongProofs(tx, id))
  await inBatches(BATCH_SIZE, (limit) => endExpired(ctx.db, ctx.now, limit))
}

/**
 * Deletes the sessions of shares that ended `shareSessionDays` ago, from when on no browser learns why one is closed, and the
 * events of those that ended `shareEventDays` ago. The audit log keeps who opened what.
 */
export async function purgeShares(ctx: Ctx<SystemActor>): Promise<void> {
  const before = (days: number) => new Date(ctx.now.getTime() - days * DAY_MS)
  const sessions = await inBatches(BATCH_SIZE, (limit) =>
    deleteOfEnded(ctx.db, 'share_session', before(LIMITS.shareSessionDays), limit),
  )
  const events = await inBatches(BATCH_SIZE, (limit) =>
    deleteOfEnded(ctx.db, 'share_event', before(LIMITS.shareEventDays), limit),
  )
  if (sessions + events > 0)
    await recordAudit(ctx, { action: 'share.purge', changes: { rows: { to: sessions + events } } })
}
