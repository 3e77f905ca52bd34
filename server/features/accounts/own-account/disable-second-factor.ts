import { LIMITS } from '../../../../shared/limits.ts'
import { findPasswordError } from '../../../../shared/password-rules.ts'
import { inTransaction, type UserCtx } from '../../../context.ts'
import { invalid, invalidState } from '../../../errors.ts'
import { publish } from '../../../platform/events.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import {
  getOwnUser,
  lockIfUnchanged,
  noSecondFactor,
  reauthenticateByCode,
  reauthenticateByPassword,
} from '../credentials/reauthenticate.ts'
import { clearSecondFactor, clearTotpSecret } from '../credentials/second-factor.db.ts'
import { isSecondFactorRequired } from '../sign-in/start-session-or-second-factor.ts'

/**
 * Removes the authenticator application of the signed-in user, who proves the password and a code. Throws CONFLICT if the
 * role requires a factor or there is none, and BAD_USER_INPUT if the password is too short to be used without
 * one.
 */
export async function disableSecondFactor(
  ctx: UserCtx,
  input: { password: string; code: string },
): Promise<void> {
  const { id } = ctx.actor
  const own = await getOwnUser(ctx)
  const { has_passkey } = own
  if (!has_passkey && (await isSecondFactorRequired(ctx.db, own)))
    throw invalidState('the role requires a second factor', 'Rolul tău cere al doilea factor.')
  const user = await reauthenticateByPassword(ctx, input.password)
  if (!user.totp_secret) throw noSecondFactor()
  if (findPasswordError(input.password) === 'password-short') {
    const message = `Fără al doilea factor, parola are nevoie de cel puțin ${LIMITS.passwordMin} caractere. Schimb-o întâi.`
    throw invalid([{ field: 'password', message }])
  }
  await reauthenticateByCode(ctx, user, input.code)
  await inTransaction(ctx, async (tx) => {
    await lockIfUnchanged(tx, user)
    // The recovery codes stay where a passkey is left as the second factor.
    if (has_passkey) await clearTotpSecret(tx.db, id, tx.now)
    else await clearSecondFactor(tx.db, id, tx.now)
    await recordAudit(tx, { action: 'second-factor.disable', subject: { type: 'user', id } })
    await publish(tx.db, { kind: 'account', id })
  })
}
