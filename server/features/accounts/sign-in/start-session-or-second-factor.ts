import type { Role } from '../../../../shared/access/roles.ts'
import { LIMITS } from '../../../../shared/limits.ts'
import type { Ctx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { hashToken, newToken } from '../../../platform/crypto/keys.ts'
import type { Db } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { findSite } from '../../site/find-site.ts'
import { insertPendingSignIn } from '../credentials/second-factor.db.ts'
import { newTotpSecret } from '../credentials/totp.ts'
import { type OpenedSession, openSession, type SignInSource } from '../sessions/open-session.ts'

/** In, or with a token that is good for the door of the second factor alone: its code is due, or its setting up. */
export type SignInStep =
  | { session: OpenedSession }
  | { pendingToken: string; due: 'second-factor' | 'second-factor-setup' }

/**
 * Somebody has proved who they are by password, one-time link or provider. Whichever it was, an account that has a second
 * factor, or whose role must have one, is not in before that is proved too. In the caller's transaction, for an active
 * account.
 */
export async function startSessionOrSecondFactor(
  tx: Ctx,
  user: { id: string; role: Role; totp_secret: Buffer | null },
  source: SignInSource,
): Promise<SignInStep> {
  if (!user.totp_secret && !(await isSecondFactorRequired(tx.db, user.role))) {
    const session = await openSession(tx, user.id, source)
    // Suspended this very moment: nothing of it stands.
    if (!session) throw forbidden('open a session of an account that is not active')
    return { session }
  }
  const pendingToken = newToken()
  await insertPendingSignIn(tx.db, {
    id: newId(),
    token_hash: hashToken(pendingToken),
    user_id: user.id,
    provider: source.provider,
    new_totp_secret: user.totp_secret ? null : tx.services.encryption.encrypt(newTotpSecret()),
    expires_at: new Date(tx.now.getTime() + LIMITS.pendingSignInSeconds * 1000),
  })
  return { pendingToken, due: user.totp_secret ? 'second-factor' : 'second-factor-setup' }
}

/** Whether people of this role come in with a second factor only. */
export const isSecondFactorRequired = async (db: Db, role: Role): Promise<boolean> =>
  (await findSite(db)).second_factor_required.includes(role)
