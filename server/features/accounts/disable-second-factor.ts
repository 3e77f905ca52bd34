import { LIMITS } from '../../../shared/limits.ts'
import { passwordFault } from '../../../shared/password-rules.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { invalid, wrongState } from '../../errors.ts'
import { announce } from '../../platform/events.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { isSecondFactorRequired } from './admit-user.ts'
import { lockProved, proveCode, provePassword } from './prove-identity.ts'
import { clearSecondFactor } from './second-factor.db.ts'

/**
 * A signed-in person gives up their second factor, with their password and a code of it, where their role may be without.
 * The password must then be long enough to stand alone.
 */
export async function disableSecondFactor(
  ctx: UserCtx,
  input: { password: string; code: string },
): Promise<void> {
  const { id, role } = ctx.actor
  if (await isSecondFactorRequired(ctx.db, role))
    throw wrongState('the role requires a second factor', 'Rolul tău cere al doilea factor.')
  const user = await provePassword(ctx, input.password)
  if (!user.totp_secret) throw wrongState('there is no second factor', 'Al doilea factor nu este activ.')
  if (passwordFault(input.password) === 'password-short') {
    const message = `Fără al doilea factor, parola are nevoie de cel puțin ${LIMITS.passwordMin} caractere. Schimb-o întâi.`
    throw invalid([{ field: 'password', message }])
  }
  await proveCode(ctx, user, input.code)
  await inTransaction(ctx, async (tx) => {
    await lockProved(tx, user)
    await clearSecondFactor(tx.db, id, tx.now)
    await recordAudit(tx, { action: 'second-factor.disable', subject: { type: 'user', id } })
    await announce(tx.db, { kind: 'account', id })
  })
}
