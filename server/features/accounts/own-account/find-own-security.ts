import type { UserCtx } from '../../../context.ts'
import { getOwnUser } from '../credentials/reauthenticate.ts'
import { countRecoveryCodes } from '../credentials/second-factor.db.ts'
import { isSecondFactorRequired } from '../sign-in/start-session-or-second-factor.ts'

export type OwnSecurity = {
  hasPassword: boolean
  hasSecondFactor: boolean
  hasAuthenticator: boolean
  secondFactorRequired: boolean
  recoveryCodesLeft: number
}

/** Returns the second-factor status of the signed-in user's account. */
export async function findOwnSecurity(ctx: UserCtx): Promise<OwnSecurity> {
  const user = await getOwnUser(ctx)
  const { password_hash, totp_secret, has_passkey } = user
  return {
    hasPassword: password_hash !== null,
    hasSecondFactor: totp_secret !== null || has_passkey,
    hasAuthenticator: totp_secret !== null,
    secondFactorRequired: await isSecondFactorRequired(ctx.db, user),
    recoveryCodesLeft: (await countRecoveryCodes(ctx.db, ctx.actor.id)).left,
  }
}
