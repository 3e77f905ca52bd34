import { inTransaction, type UserCtx } from '../../../context.ts'
import { invalid, invalidState } from '../../../errors.ts'
import { lockUser } from '../accounts.db.ts'
import { enableSecondFactor } from '../credentials/enable-second-factor.ts'
import { hashRecoveryCode, newRecoveryCodes } from '../credentials/recovery-codes.ts'
import { replaceRecoveryCodes } from '../credentials/second-factor.db.ts'
import { decryptEnrolment } from '../credentials/second-factor-enrolment.ts'
import { findTotpStep } from '../credentials/totp.ts'

/**
 * Enables the second factor whose secret is in the enrolment token, if `code` is a current code of that
 * secret. Ends the user's other sessions and returns the recovery codes, which cannot be shown again. Throws
 * CONFLICT for an invalid enrolment token, BAD_USER_INPUT for a wrong code.
 */
export async function confirmSecondFactor(
  ctx: UserCtx,
  input: { enrolmentToken: string; code: string },
): Promise<string[]> {
  const codes = newRecoveryCodes()
  await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, tx.actor.id)
    const secret = user && decryptEnrolment(tx, user, input.enrolmentToken)
    if (!secret) throw enrolmentExpired()
    // Attempts are not limited: the user was shown the secret, so there is nothing to guess.
    const step = findTotpStep(secret, input.code.replace(/\s/g, ''), tx.now)
    if (step === null)
      throw invalid([{ field: 'code', message: 'Codul nu este corect. Așteaptă-l pe următorul.' }])
    await enableSecondFactor(tx, { secret, step })
    await replaceRecoveryCodes(
      tx.db,
      tx.actor.id,
      codes.map((code) => hashRecoveryCode(tx.actor.id, code)),
    )
  })
  return codes
}

const enrolmentExpired = () =>
  invalidState(
    'the enrolment token is invalid',
    'Activarea a fost întreruptă sau a durat prea mult. Ia-o de la început.',
  )
