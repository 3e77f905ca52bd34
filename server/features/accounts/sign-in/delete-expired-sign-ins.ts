import type { Ctx, SystemActor } from '../../../context.ts'
import { deleteExpiredPendingSignIns } from '../credentials/second-factor.db.ts'
import { MAX_FAILURES } from '../throttle/attempt-limit.ts'
import { deleteOldThrottles } from '../throttle/sign-in-throttle.db.ts'

/** Milliseconds without a failure, after which those before are forgotten. */
const THROTTLE_TTL_MS = 30 * 24 * 60 * 60 * 1000

/** The job `account.sweep`: what signing in has left behind and nothing will look at again. */
export async function deleteExpiredSignIns(ctx: Ctx<SystemActor>): Promise<void> {
  await deleteExpiredPendingSignIns(ctx.db, ctx.now)
  await deleteOldThrottles(ctx.db, new Date(ctx.now.getTime() - THROTTLE_TTL_MS), MAX_FAILURES)
}
