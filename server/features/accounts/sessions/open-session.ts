import { LIMITS } from '../../../../shared/limits.ts'
import type { SignInProvider } from '../../../../shared/site/sign-in-providers.ts'
import type { Ctx } from '../../../context.ts'
import { hashToken, newToken } from '../../../platform/crypto/keys.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { insertSession, touchLastSignIn } from '../accounts.db.ts'
import { findActorBySession, type SessionActor } from './find-actor.ts'
import { endSessionOfToken } from './sign-out.ts'

export type OpenedSession = SessionActor & { token: string }

/**
 * How the user proved their identity (`provider`: `local` for a password or one-time link, or `oidc`), and
 * the token of the browser's previous session. `shared`: several people use the computer, so the session ends
 * sooner without use.
 */
export type SignInSource = { provider: SignInProvider; previousToken: string | null; shared: boolean }

/**
 * Opens a session for an authenticated user in the caller's transaction and ends the browser's previous
 * session. Always creates a new token, of which only the hash is stored. Returns null if the account is not
 * active.
 */
export async function openSession(
  tx: Ctx,
  userId: string,
  { provider, previousToken, shared }: SignInSource,
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
    proved_at: tx.now,
    last_seen_at: tx.now,
    shared,
  })
  const session = await findActorBySession(tx.db, id, tx.now)
  if (!session) return null
  // No event is published: a tab would refetch its user with the cookie that this response is about to
  // replace.
  if (previousToken) await endSessionOfToken(tx, previousToken)
  await touchLastSignIn(tx.db, userId, tx.now)
  await recordAudit(
    { ...tx, actor: session.actor },
    { action: 'session.sign-in', subject: { type: 'session', id } },
  )
  return { ...session, token }
}
