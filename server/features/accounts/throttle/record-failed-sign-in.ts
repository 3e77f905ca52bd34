import type { Ctx } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { FailedAttempt } from './attempt-limit.ts'
import { countNetworkAttempt } from './sign-in-throttle.db.ts'

/** Of a network that is out of tries, one row a minute. */
const ROW_LIMITS = { free: 1, refill: 60 }

/**
 * One failed try in the journal, whichever way in it was; `userId` null where nobody knows whose account it was for.
 * Nobody fills the journal from a network that is out of tries.
 */
export async function recordFailedSignIn(
  ctx: Ctx,
  { networkBlocked: networkSpent }: FailedAttempt,
  { userId, network }: { userId: string | null; network: string | null },
): Promise<void> {
  if (networkSpent) {
    const key = hashToken(`journal:${network}`)
    if (!(await countNetworkAttempt(ctx.db, key, ctx.now, ROW_LIMITS))) return
  }
  const subject = userId ? { subject: { type: 'user', id: userId } } : {}
  await recordAudit(ctx, { action: 'session.sign-in-failed', ...subject, outcome: 'failed' })
}
