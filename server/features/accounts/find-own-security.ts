import type { UserCtx } from '../../context.ts'
import { isSecondFactorRequired } from './admit-user.ts'
import { getOwnUser } from './prove-identity.ts'
import { countRecoveryCodes } from './second-factor.db.ts'

export type OwnSecurity = {
  hasSecondFactor: boolean
  secondFactorRequired: boolean
  recoveryCodesLeft: number
}

/** What the signed-in person's account is guarded by. */
export async function findOwnSecurity(ctx: UserCtx): Promise<OwnSecurity> {
  const { totp_secret, role } = await getOwnUser(ctx)
  return {
    hasSecondFactor: totp_secret !== null,
    secondFactorRequired: await isSecondFactorRequired(ctx.db, role),
    recoveryCodesLeft: (await countRecoveryCodes(ctx.db, ctx.actor.id)).left,
  }
}
