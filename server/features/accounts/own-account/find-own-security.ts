import type { UserCtx } from '../../../context.ts'
import { getOwnUser } from '../credentials/reauthenticate.ts'
import { countRecoveryCodes } from '../credentials/second-factor.db.ts'
import { isSecondFactorRequired } from '../sign-in/start-session-or-second-factor.ts'

export type OwnSecurity = {
  hasSecondFactor: boolean
  secondFactorRequired: boolean
  recoveryCodesLeft: number
}

/** Returns the second-factor status of the signed-in user's account. */
export async function findOwnSecurity(ctx: UserCtx): Promise<OwnSecurity> {
  const { totp_secret, role } = await getOwnUser(ctx)
  return {
    hasSecondFactor: totp_secret !== null,
    secondFactorRequired: await isSecondFactorRequired(ctx.db, role),
    recoveryCodesLeft: (await countRecoveryCodes(ctx.db, ctx.actor.id)).left,
  }
}
