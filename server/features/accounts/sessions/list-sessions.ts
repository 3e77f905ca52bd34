import type { UserCtx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { isId } from '../../../platform/ids.ts'
import { findSite } from '../../site/find-site.ts'
import { canManageAccounts } from '../accounts.access.ts'
import { isIdle } from './idle.ts'
import { type SessionRow, selectLiveSessions } from './sessions.db.ts'

/** Returns the actor's own live sessions. */
export const listOwnSessions = (ctx: UserCtx): Promise<SessionRow[]> => selectUsed(ctx, ctx.actor.id)

/** Returns the live sessions of an account, for administrators; an empty list for an unknown id. */
export async function listUserSessions(ctx: UserCtx, userId: string): Promise<SessionRow[]> {
  if (!canManageAccounts(ctx.actor)) throw forbidden('list sessions')
  return isId(userId) ? selectUsed(ctx, userId) : []
}

/** Selects the live sessions of an account without those that ended because they were not used. */
async function selectUsed({ db, now }: UserCtx, userId: string): Promise<SessionRow[]> {
  const { session_idle_hours: idle_hours } = await findSite(db)
  const sessions = await selectLiveSessions(db, userId, now)
  return sessions.filter((session) => !isIdle({ ...session, idle_hours }, now))
}
