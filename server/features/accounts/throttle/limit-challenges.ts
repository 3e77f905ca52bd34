import type { Ctx } from '../../../context.ts'
import { UserError } from '../../../errors.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { countNetworkAttempt } from './sign-in-throttle.db.ts'

/** Many users of an institution may share one address. */
const CHALLENGE_LIMITS = { burst: 100, refillSeconds: 2 }

/** Counts a challenge that a network requests before a sign-in; throws TOO_MANY if it requests too many. */
export async function limitChallenges(ctx: Ctx, network: string | null): Promise<void> {
  const key = hashToken(`passkey-challenge:${network}`)
  if (network !== null && !(await countNetworkAttempt(ctx.db, key, ctx.now, CHALLENGE_LIMITS)))
    throw new UserError('TOO_MANY', 'too many challenges for passkeys')
}
