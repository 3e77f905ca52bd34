import type { Ctx, SystemActor } from '../../context.ts'
import { MOST_FAILURES } from './limit-tries.ts'
import { deleteExpiredPendingSignIns } from './second-factor.db.ts'
import { deleteOldThrottles } from './sign-in-throttle.db.ts'

/** Milliseconds without a failure, after which those before are forgotten. */
const FORGIVEN = 30 * 24 * 60 * 60 * 1000

/** The job `account.sweep`: what signing in has left behind and nothing will look at again. */
export async function sweepSignIns(ctx: Ctx<SystemActor>): Promise<void> {
  await deleteExpiredPendingSignIns(ctx.db, ctx.now)
  await deleteOldThrottles(ctx.db, new Date(ctx.now.getTime() - FORGIVEN), MOST_FAILURES)
}
