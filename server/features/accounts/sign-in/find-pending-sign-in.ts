import type { Ctx } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { findSite } from '../../site/find-site.ts'
import { selectPendingSignIn } from '../credentials/second-factor.db.ts'
import { totpUri } from '../credentials/totp.ts'

/**
 * What a user who has begun to sign in must do next; `none` if there is no pending sign-in or it has expired.
 */
export type SecondFactorDue =
  | { state: 'none' }
  | { state: 'verify'; hasAuthenticator: boolean; hasPasskey: boolean }
  | { state: 'setup'; secret: string; uri: string }

/**
 * Returns the second-factor step that the pending sign-in of this token requires, with the new secret for a
 * setup.
 */
export async function findPendingSignIn(ctx: Ctx, pendingToken: string | null): Promise<SecondFactorDue> {
  const pending = pendingToken
    ? await selectPendingSignIn(ctx.db, hashToken(pendingToken), ctx.now)
    : undefined
  if (pending?.totp_secret || pending?.has_passkey)
    return {
      state: 'verify',
      hasAuthenticator: pending.totp_secret !== null,
      hasPasskey: pending.has_passkey,
    }
  if (!pending?.new_totp_secret) return { state: 'none' }
  const secret = ctx.services.encryption.decrypt(pending.new_totp_secret)
  const { name } = await findSite(ctx.db)
  return { state: 'setup', secret, uri: totpUri(secret, name, pending.email) }
}
