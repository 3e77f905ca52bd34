import { parseEmail } from '../../../../shared/email.ts'
import type { Ctx } from '../../../context.ts'
import { invalid, UserError } from '../../../errors.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { countNetworkAttempt } from '../throttle/sign-in-throttle.db.ts'

/** A whole institution may sit behind one address: thirty requests at once, then one a minute. */
const NETWORK_LIMITS = { free: 30, refill: 60 }

/**
 * Anybody may ask for a link to choose a new password by. Nothing here depends on whether the address has an account:
 * the request is put down as a job, sealed, and `sendResetLink` does the rest after the answer. `network`: where the
 * request comes from, null where that is not counted.
 */
export async function requestPasswordReset(
  ctx: Ctx,
  input: { email: string; network: string | null },
): Promise<void> {
  const email = parseEmail(input.email)
  if (!email) throw invalid([{ field: 'email', message: 'Te rog folosește o adresă de email validă.' }])
  const { network } = input
  if (network !== null) {
    const key = hashToken(`password-reset:${network}`)
    if (!(await countNetworkAttempt(ctx.db, key, ctx.now, NETWORK_LIMITS))) throw tooManyRequests()
  }
  const sealed = ctx.services.encryption.encrypt(JSON.stringify({ email, request: ctx.request }))
  await ctx.services.jobs.enqueue(ctx.db, 'account.reset', { sealed: sealed.toString('base64') })
}

const tooManyRequests = () =>
  new UserError(
    'TOO_MANY',
    'too many password resets from one network',
    'Prea multe cereri de aici. Încearcă din nou peste câteva minute.',
  )
