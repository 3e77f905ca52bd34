import { inTransaction, type UserCtx } from '../../../context.ts'
import { requireFreshProof } from '../../../fresh-proof.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { queueMessage } from '../../messages/queue-message.ts'
import { getOwnUser, lockIfUnchanged, noSecondFactor } from '../credentials/reauthenticate.ts'
import { hashRecoveryCode, newRecoveryCodes } from '../credentials/recovery-codes.ts'
import { replaceRecoveryCodes } from '../credentials/second-factor.db.ts'

/**
 * Replaces the recovery codes of the signed-in user, notifies the user by mail, and returns the new codes, which
 * cannot be shown again. Throws FRESH_PROOF_REQUIRED without a fresh proof, since a code is as good as the factor.
 */
export async function regenerateRecoveryCodes(ctx: UserCtx): Promise<string[]> {
  const { id } = ctx.actor
  const user = await getOwnUser(ctx)
  if (!user.totp_secret && !user.has_passkey) throw noSecondFactor()
  requireFreshProof(ctx)
  const codes = newRecoveryCodes()
  await inTransaction(ctx, async (tx) => {
    await lockIfUnchanged(tx, user)
    await replaceRecoveryCodes(
      tx.db,
      id,
      codes.map((code) => hashRecoveryCode(id, code)),
    )
    await recordAudit(tx, { action: 'second-factor.recovery-codes', subject: { type: 'user', id } })
    await queueMessage(tx, {
      to: { name: user.name, address: user.email },
      content: { kind: 'recovery-codes', at: tx.now },
      about: { type: 'user', id },
    })
  })
  return codes
}
