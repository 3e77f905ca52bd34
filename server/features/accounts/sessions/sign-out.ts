import { type Ctx, inTransaction } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { publish } from '../../../platform/events.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { revokeSessionByToken } from '../accounts.db.ts'
import { findActorByToken } from './find-actor.ts'

/**
 * Ends the session of this token, including its open sockets. A session that has already ended leaves no
 * audit entry.
 */
export function signOut(ctx: Ctx, token: string): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const userId = await endSessionOfToken(tx, token)
    if (userId) await publish(tx.db, { kind: 'account', id: userId })
  })
}

/**
 * Ends the session of this token in the caller's transaction and returns its user's id; null if there was no
 * live session. Publishes no event: every request checks the session, and sockets are rechecked within
 * seconds.
 */
export async function endSessionOfToken(tx: Ctx, token: string): Promise<string | null> {
  const session = await findActorByToken(tx.db, token, tx.now)
  const ended = await revokeSessionByToken(tx.db, hashToken(token), tx.now)
  if (!session || !ended) return null
  await recordAudit(
    { ...tx, actor: session.actor },
    { action: 'session.sign-out', subject: { type: 'session', id: ended.id } },
  )
  return ended.user_id
}
