import type { Ctx, SystemActor } from '../../../context.ts'
import { deleteExpiredPendingSignIns } from '../credentials/second-factor.db.ts'
import { deleteExpiredChallenges } from '../passkeys/passkeys.db.ts'
import { MAX_FAILURES } from '../throttle/attempt-limit.ts'
import { deleteOldThrottles } from '../throttle/sign-in-throttle.db.ts'

/** Failed attempts are deleted after this time without a further failure. */
const THROTTLE_TTL_MS = 30 * 24 * 60 * 60 * 1000

/** Deletes expired pending sign-ins, expired challenges of passkeys and old attempt counts. */
export async function deleteExpiredSignIns(ctx: Ctx<SystemActor>): Promise<void> {
  await deleteExpiredPendingSignIns(ctx.db, ctx.now)
  await deleteExpiredChallenges(ctx.db, ctx.now)
  await deleteOldThrottles(ctx.db, new Date(ctx.now.getTime() - THROTTLE_TTL_MS), MAX_FAILURES)
}
