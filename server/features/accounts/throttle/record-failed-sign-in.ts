import type { Ctx } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { FailedAttempt } from './attempt-limit.ts'
import { countNetworkAttempt } from './sign-in-throttle.db.ts'

/** For a network over its limit, one audit entry a minute, so that it cannot flood the audit log. */
const ROW_LIMITS = { burst: 1, refillSeconds: 60 }

/** Records a failed sign-in of any kind in the audit log; `userId` is null if the account is unknown. */
export async function recordFailedSignIn(
  ctx: Ctx,
  { networkBlocked }: FailedAttempt,
  { userId, network }: { userId: string | null; network: string | null },
): Promise<void> {
  if (networkBlocked) {
    const key = hashToken(`audit-log:${network}`)
    if (!(await countNetworkAttempt(ctx.db, key, ctx.now, ROW_LIMITS))) return
  }
  const subject = userId ? { subject: { type: 'user', id: userId } } : {}
  await recordAudit(ctx, { action: 'session.sign-in-failed', ...subject, outcome: 'failed' })
}
