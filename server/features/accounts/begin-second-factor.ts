import type { UserCtx } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { findSite } from '../site/find-site.ts'
import { proveCode, provePassword } from './prove-identity.ts'
import { sealTicket } from './second-factor-ticket.ts'
import { newTotpSecret, totpUri } from './totp.ts'

/** A secret for an authenticator application, and the ticket with which its first code is handed in. */
export type NewSecondFactor = { secret: string; uri: string; ticket: string }

/**
 * A signed-in person who knows their password begins to set up a second factor; to exchange the one they have, they also
 * prove that. Leaves nothing: what is half done is in the ticket.
 */
export async function beginSecondFactor(
  ctx: UserCtx,
  input: { password: string; code: string | null },
): Promise<NewSecondFactor> {
  const user = await provePassword(ctx, input.password)
  if (user.totp_secret) {
    if (!input.code) throw invalid([{ field: 'code', message: 'Scrie codul din aplicația de acum.' }])
    await proveCode(ctx, user, input.code)
  }
  const secret = newTotpSecret()
  const { name } = await findSite(ctx.db)
  return { secret, uri: totpUri(secret, name, user.email), ticket: sealTicket(ctx, user, secret) }
}
