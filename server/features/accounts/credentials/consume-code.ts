import type { Ctx } from '../../../context.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { consumeRecoveryCode, consumeTotpStep } from './second-factor.db.ts'
import { findTotpStep } from './totp.ts'

/**
 * Consumes a code of the account's second factor: from the authenticator application or a recovery code, with
 * or without spaces. Returns whether the code was valid; of several concurrent calls with one code exactly
 * one gets true.
 */
export async function consumeCode(
  ctx: Ctx,
  user: { id: string; totp_secret: Buffer | null },
  code: string,
): Promise<boolean> {
  const digits = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) {
    return consumeRecoveryCode(ctx.db, user.id, hashRecoveryCode(user.id, code), ctx.now)
  }
  if (!user.totp_secret) return false
  const step = findTotpStep(ctx.services.encryption.decrypt(user.totp_secret), digits, ctx.now)
  return step !== null && consumeTotpStep(ctx.db, user.id, user.totp_secret, step)
}
