import { type Ctx, inTransaction } from '../../context.ts'
import { announce } from '../../platform/events.ts'
import { hashToken } from '../../platform/keys.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { revokeSessionByToken } from './accounts.db.ts'
import { findActorByToken } from './find-actor.ts'

/** Whoever holds the token may end its session, for every door at once. A session that has ended already leaves no trace. */
export function signOut(ctx: Ctx, token: string): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const session = await findActorByToken(tx.db, token, tx.now)
    const ended = await revokeSessionByToken(tx.db, hashToken(token), tx.now)
    if (!session || !ended) return
    await recordAudit(
      { ...tx, actor: session.actor },
      { action: 'session.sign-out', subject: { type: 'session', id: ended.id } },
    )
    await announce(tx.db, { kind: 'account', id: ended.user_id })
  })
}
