import { LIMITS } from '../../../shared/limits.ts'
import type { Ctx, SystemActor } from '../../context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { deleteOfEnded, endExpired } from './shares.db.ts'

const BATCH_SIZE = 500
const DAY_MS = 24 * 3_600_000

/** Marks the shares whose time is over as ended: they have been closed since. */
export const endExpiredShares = (ctx: Ctx<SystemActor>): Promise<number> =>
  inBatches(() => endExpired(ctx.db, ctx.now, BATCH_SIZE))

/**
 * Deletes the sessions of shares that ended `shareSessionDays` ago, from when on no browser is told why one is closed, and the
 * events of those that ended `shareEventDays` ago. The audit log keeps who opened what.
 */
export async function purgeShares(ctx: Ctx<SystemActor>): Promise<void> {
  const before = (days: number) => new Date(ctx.now.getTime() - days * DAY_MS)
  const sessions = await inBatches(() =>
    deleteOfEnded(ctx.db, 'share_session', before(LIMITS.shareSessionDays), BATCH_SIZE),
  )
  const events = await inBatches(() =>
    deleteOfEnded(ctx.db, 'share_event', before(LIMITS.shareEventDays), BATCH_SIZE),
  )
  if (sessions + events > 0)
    await recordAudit(ctx, { action: 'share.purge', changes: { rows: { to: sessions + events } } })
}

/** Runs `work` until a batch is not full, and returns the sum. */
async function inBatches(work: () => Promise<number>): Promise<number> {
  let done = 0
  let last: number
  do {
    last = await work()
    done += last
  } while (last === BATCH_SIZE)
  return done
}
