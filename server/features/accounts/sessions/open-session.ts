import { LIMITS } from '../../../../shared/limits.ts'
import type { Ctx } from '../../../context.ts'
import { hashToken, newToken } from '../../../platform/crypto/keys.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { insertSession, touchLastSignIn } from '../accounts.db.ts'
import { findActorBySession, type SessionActor } from './find-actor.ts'
import { endSessionOfToken } from './sign-out.ts'

export type OpenedSession = SessionActor & { token: string }

/** Who has vouched for somebody (`local`: our own password or link), and the session that their browser held before. */
export type SignInSource = { provider: string; previousToken: string | null }

/**
 * Opens a session for somebody who has just proved who they are, in the caller's transaction; the session that the
 * browser held before ends. The token is always new and only its hash is kept. Null where the account is not active.
 */
export async function openSession(
  tx: Ctx,
  userId: string,
  { provider, previousToken: formerToken }: SignInSource,
): Promise<OpenedSession | null> {
  const id = newId()
  const token = newToken()
  await insertSession(tx.db, {
    id,
    token_hash: hashToken(token),
    user_id: userId,
    expires_at: new Date(tx.now.getTime() + LIMITS.sessionSeconds * 1000),
    ip: tx.request.ip,
    user_agent: tx.request.userAgent,
    provider,
  })
  const session = await findActorBySession(tx.db, id, tx.now)
  if (!session) return null
  // Not announced: a tab that asked at once who is here now would ask with the cookie that this answer is about to replace.
  if (formerToken) await endSessionOfToken(tx, formerToken)
  await touchLastSignIn(tx.db, userId, tx.now)
  await recordAudit(
    { ...tx, actor: session.actor },
    { action: 'session.sign-in', subject: { type: 'session', id } },
  )
  return { ...session, token }
}
