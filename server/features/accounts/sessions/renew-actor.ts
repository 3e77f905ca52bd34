import type { UserActor, UserCtx } from '../../../context.ts'
import { unauthenticated } from '../../../errors.ts'
import { findActorBySession } from './find-actor.ts'

/** How often the rights of a running download or transfer are read again. */
export const ACCESS_RECHECK_INTERVAL_MS = 3_000

/** Returns the actor with the rights of now. Throws UNAUTHENTICATED if the session has ended. */
export async function renewActor({ db, actor }: UserCtx): Promise<UserActor> {
  const session = await findActorBySession(db, actor.sessionId, new Date())
  if (!session) throw unauthenticated()
  return session.actor
}
