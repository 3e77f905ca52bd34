import { inTransaction, type UserCtx } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { publish } from '../../../platform/events.ts'
import { isId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { canManageAccounts } from '../accounts.access.ts'
import { revokeOtherSessions, revokeSession } from './sessions.db.ts'

/**
 * Ends one session of the actor, or of any user if the actor is an administrator, including its open sockets.
 * Throws NOT_FOUND if there is no such live session.
 */
export async function endSession(ctx: UserCtx, sessionId: string): Promise<void> {
  if (!isId(sessionId)) throw notFound('session')
  await inTransaction(ctx, async (tx) => {
    const own = canManageAccounts(tx.actor) ? null : tx.actor.id
    const ended = await revokeSession(tx.db, sessionId, own, tx.now)
    if (!ended) throw notFound('session')
    await recordAudit(tx, { action: 'session.end', subject: { type: 'session', id: sessionId } })
    await publish(tx.db, { kind: 'account', id: ended.user_id })
  })
}

/** Ends all sessions of the actor except the current one and returns how many were ended. */
export function endOtherSessions(ctx: UserCtx): Promise<number> {
  const { id, sessionId } = ctx.actor
  return inTransaction(ctx, async (tx) => {
    const count = await revokeOtherSessions(tx.db, id, sessionId, tx.now)
    if (count === 0) return 0
    const changes = { sessions: { to: count } }
    await recordAudit(tx, { action: 'session.end', subject: { type: 'user', id }, changes })
    await publish(tx.db, { kind: 'account', id })
    return count
  })
}
