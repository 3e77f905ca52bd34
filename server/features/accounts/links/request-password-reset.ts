import { INVALID_EMAIL_MESSAGE, parseEmail } from '../../../../shared/email.ts'
import type { Ctx } from '../../../context.ts'
import { invalid, UserError } from '../../../errors.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { countNetworkAttempt } from '../throttle/sign-in-throttle.db.ts'

/** Many users of an institution may share one address: thirty requests at once, then one a minute. */
const NETWORK_LIMITS = { burst: 30, refillSeconds: 60 }

/**
 * Accepts an anonymous request for a password reset link. The response does not depend on whether the address
 * has an account: the request is encrypted and queued as a job, which `sendResetLink` handles later.
 * `network` is the source of the request, null if it is not rate-limited; throws TOO_MANY for a network over
 * its limit.
 */
export async function requestPasswordReset(
  ctx: Ctx,
  input: { email: string; network: string | null },
): Promise<void> {
  const email = parseEmail(input.email)
  if (!email) throw invalid([{ field: 'email', message: INVALID_EMAIL_MESSAGE }])
  const { network } = input
  if (network !== null) {
    const key = hashToken(`password-reset:${network}`)
    if (!(await countNetworkAttempt(ctx.db, key, ctx.now, NETWORK_LIMITS))) throw tooManyRequests()
  }
  const encrypted = ctx.services.encryption.encrypt(JSON.stringify({ email, request: ctx.request }))
  await ctx.services.jobs.enqueue(ctx.db, 'send-reset-link', { encrypted: encrypted.toString('base64') })
}

const tooManyRequests = () =>
  new UserError(
    'TOO_MANY',
    'too many password resets from one network',
    'Prea multe cereri de aici. Încearcă din nou peste câteva minute.',
  )
