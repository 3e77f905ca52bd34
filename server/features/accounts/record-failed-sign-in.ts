import type { Ctx } from '../../context.ts'
import { hashToken } from '../../platform/keys.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { FailedTry } from './limit-tries.ts'
import { countNetworkTry } from './sign-in-throttle.db.ts'

/** Of a network that is out of tries, one row a minute. */
const ROWS = { free: 1, refill: 60 }

/**
 * One failed try in the journal, whichever way in it was; `userId` null where nobody knows whose account it was for.
 * Nobody fills the journal from a network that is out of tries.
 */
export async function recordFailedSignIn(
  ctx: Ctx,
  { networkSpent }: FailedTry,
  { userId, network }: { userId: string | null; network: string | null },
): Promise<void> {
  if (networkSpent) {
    const key = hashToken(`journal:${network}`)
    if (!(await countNetworkTry(ctx.db, key, ctx.now, ROWS))) return
  }
  const subject = userId ? { subject: { type: 'user', id: userId } } : {}
  await recordAudit(ctx, { action: 'session.sign-in-failed', ...subject, outcome: 'failed' })
}
