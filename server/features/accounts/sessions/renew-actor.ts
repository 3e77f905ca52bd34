import { type UserActor, type UserCtx, withAccounts, withActor } from '../../../context.ts'
import { unauthenticated } from '../../../errors.ts'
import { findActorBySession } from './find-actor.ts'
import { recordUse } from './record-use.ts'

/** How often the rights of a running download or transfer are read again. */
export const ACCESS_RECHECK_INTERVAL_MS = 3_000

/** Returns the actor with the rights of now. Throws UNAUTHENTICATED if the session has ended. */
export async function renewActor(ctx: UserCtx): Promise<UserActor> {
  const session = await findActorBySession(withAccounts(ctx).db, ctx.actor.sessionId, new Date())
  if (!session) throw unauthenticated()
  return session.actor
}

/** Returns the context with the actor's rights of now. Throws UNAUTHENTICATED if the session has ended. */
export const renewContext = async (ctx: UserCtx): Promise<UserCtx> => withActor(ctx, await renewActor(ctx))

/** Does the same for a running download or transfer, which is a use of the session. */
export async function renewContextInUse(ctx: UserCtx): Promise<UserCtx> {
  const renewed = await renewContext(ctx)
  await recordUse(withAccounts(ctx).db, renewed.actor, new Date())
  return renewed
}
