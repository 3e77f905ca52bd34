import type { UserCtx } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { requireFreshProof } from '../../../fresh-proof.ts'
import { findSite } from '../../site/find-site.ts'
import { reauthenticateByCode, reauthenticateByPassword } from '../credentials/reauthenticate.ts'
import { encryptEnrolment } from '../credentials/second-factor-enrolment.ts'
import { newTotpSecret, totpUri } from '../credentials/totp.ts'

/** A secret for an authenticator application, and the enrolment token to submit with its first code. */
export type NewSecondFactor = { secret: string; uri: string; enrolmentToken: string }

/**
 * Begins to set up a second factor for the signed-in user, who proves their password; to replace an existing
 * factor, also a code of it. Stores nothing: the state is in the returned enrolment token.
 */
export async function beginSecondFactor(
  ctx: UserCtx,
  input: { password: string; code: string | null },
): Promise<NewSecondFactor> {
  const user = await reauthenticateByPassword(ctx, input.password)
  if (user.totp_secret) {
    if (!input.code) throw invalid([{ field: 'code', message: 'Scrie codul din aplicația de acum.' }])
    await reauthenticateByCode(ctx, user, input.code)
  } else if (user.has_passkey) requireFreshProof(ctx)
  const secret = newTotpSecret()
  const { name } = await findSite(ctx.db)
  return {
    secret,
    uri: totpUri(secret, name, user.email),
    enrolmentToken: encryptEnrolment(ctx, user, secret),
  }
}
