import type { UserCtx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { isId } from '../../../platform/ids.ts'
import { canManageAccounts } from '../accounts.access.ts'
import { type SessionRow, selectLiveSessions } from './sessions.db.ts'

/** Returns the actor's own live sessions. */
export const listOwnSessions = ({ db, actor, now }: UserCtx): Promise<SessionRow[]> =>
  selectLiveSessions(db, actor.id, now)

/** Returns the live sessions of an account, for administrators; an empty list for an unknown id. */
export async function listUserSessions(ctx: UserCtx, userId: string): Promise<SessionRow[]> {
  if (!canManageAccounts(ctx.actor)) throw forbidden('list sessions')
  return isId(userId) ? selectLiveSessions(ctx.db, userId, ctx.now) : []
}
