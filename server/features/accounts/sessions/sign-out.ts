import { type Ctx, inTransaction } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { publish } from '../../../platform/events.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { revokeSessionByToken } from '../accounts.db.ts'
import { findActorByToken } from './find-actor.ts'

/** Whoever holds the token may end its session, for every door at once. A session that has ended already leaves no trace. */
export function signOut(ctx: Ctx, token: string): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const userId = await endSessionOfToken(tx, token)
    if (userId) await publish(tx.db, { kind: 'account', id: userId })
  })
}

/**
 * Ends the session in the caller's transaction and answers whose it was. Announced to nobody: every request knows at once,
 * a socket within seconds.
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
