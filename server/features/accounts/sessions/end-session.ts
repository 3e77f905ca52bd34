import { inTransaction, type UserCtx } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { publish } from '../../../platform/events.ts'
import { isId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { canManageAccounts } from '../accounts.access.ts'
import { revokeOtherSessions, revokeSession } from './sessions.db.ts'

/** Ends a session of one's own, or as an admin anybody's, for every door at once. */
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

/** Ends every session of the person but the one they do this from; answers how many that were. */
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
