import type { Role } from '../../../../shared/access/roles.ts'
import { isInSecondFactorGroup } from '../../../../shared/access/second-factor.ts'
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

/**
 * Either a session, or a token that only the second-factor routes accept, to verify a code or set up a
 * factor.
 */
export type SignInStep =
  | { session: OpenedSession }
  | { pendingToken: string; due: 'second-factor' | 'second-factor-setup' }

/**
 * Continues the sign-in of a user who proved their identity by password, one-time link or provider. Opens a
 * session only if the account has no second factor and needs none; otherwise starts a pending
 * sign-in. Runs in the caller's transaction, for an active account; throws FORBIDDEN if the account is not
 * active.
 */
export async function startSessionOrSecondFactor(
  tx: Ctx,
  user: {
    id: string
    role: Role
    features: readonly string[]
    totp_secret: Buffer | null
    has_passkey: boolean
  },
  source: SignInSource,
): Promise<SignInStep> {
  const hasFactor = user.totp_secret !== null || user.has_passkey
  if (!hasFactor && !(await isSecondFactorRequired(tx.db, user))) {
    const session = await openSession(tx, user.id, source)
    // The account was suspended meanwhile; throwing rolls the transaction back.
    if (!session) throw forbidden('open a session of an account that is not active')
    return { session }
  }
  const pendingToken = newToken()
  await insertPendingSignIn(tx.db, {
    id: newId(),
    token_hash: hashToken(pendingToken),
    user_id: user.id,
    provider: source.provider,
    shared: source.shared,
    new_totp_secret: hasFactor ? null : tx.services.encryption.encrypt(newTotpSecret()),
    expires_at: new Date(tx.now.getTime() + LIMITS.pendingSignInSeconds * 1000),
  })
  return { pendingToken, due: hasFactor ? 'second-factor' : 'second-factor-setup' }
}

/** Returns whether an account with this role and these features must have a second factor. */
export const isSecondFactorRequired = async (
  db: Db,
  account: { role: Role; features: readonly string[] },
): Promise<boolean> => isInSecondFactorGroup(account, (await findSite(db)).second_factor_required)
