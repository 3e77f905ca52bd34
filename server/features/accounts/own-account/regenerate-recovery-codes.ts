import { inTransaction, type UserCtx } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { hasFreshProof } from '../../../fresh-proof.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import {
  getOwnUser,
  lockIfUnchanged,
  noSecondFactor,
  reauthenticateByPassword,
} from '../credentials/reauthenticate.ts'
import { hashRecoveryCode, newRecoveryCodes } from '../credentials/recovery-codes.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from '../credentials/second-factor.db.ts'

/**
 * Replaces the recovery codes of the signed-in user and returns the new ones, which cannot be shown again.
 * Requires the password, unless the account never had codes and there is a fresh proof, as right after
 * a sign-in that set up the factor.
 */
export async function regenerateRecoveryCodes(ctx: UserCtx, password: string | null): Promise<string[]> {
  const { id } = ctx.actor
  const withoutPassword = password === null
  const user = password === null ? await getOwnUser(ctx) : await reauthenticateByPassword(ctx, password)
  if (withoutPassword && !hasFreshProof(ctx)) throw passwordNeeded()
  if (!user.totp_secret && !user.has_passkey) throw noSecondFactor()
  const codes = newRecoveryCodes()
  await inTransaction(ctx, async (tx) => {
    await lockIfUnchanged(tx, user)
    if (withoutPassword && (await countRecoveryCodes(tx.db, id)).given > 0) throw passwordNeeded()
    await replaceRecoveryCodes(
      tx.db,
      id,
      codes.map((code) => hashRecoveryCode(id, code)),
    )
    await recordAudit(tx, { action: 'second-factor.recovery-codes', subject: { type: 'user', id } })
  })
  return codes
}

const passwordNeeded = () => invalid([{ field: 'password', message: 'Scrie parola ta.' }])
