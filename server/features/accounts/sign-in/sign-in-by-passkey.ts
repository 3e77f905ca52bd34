import { type Ctx, inTransaction } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { lockUser } from '../accounts.db.ts'
import { mayUsePassword } from '../credentials/may-use-password.ts'
import { selectPendingSignIn } from '../credentials/second-factor.db.ts'
import { requestPasskey, usePasskey } from '../passkeys/ceremony.ts'
import { browserBinding, pendingBinding } from '../passkeys/challenge.ts'
import { type OpenedSession, openSession } from '../sessions/open-session.ts'
import { limitAttempts } from '../throttle/attempt-limit.ts'
import { limitChallenges } from '../throttle/limit-challenges.ts'
import { recordFailedSignIn } from '../throttle/record-failed-sign-in.ts'

/**
 * Returns what the browser needs to use a passkey: as the second factor of a pending sign-in, or, without `pendingToken`, as
 * the whole sign-in of any account (`browser`: its CSRF cookie, which alone may use the challenge). Returns null if the
 * pending sign-in has expired; throws TOO_MANY for a network that requests too many.
 */
export async function beginPasskeySignIn(
  ctx: Ctx,
  {
    pendingToken,
    browser,
    network,
  }: { pendingToken: string | null; browser: string; network: string | null },
): Promise<object | null> {
  await limitChallenges(ctx, network)
  if (pendingToken === null)
    return requestPasskey(ctx, { purpose: 'sign-in', binding: browserBinding(browser) }, null)
  const pending = await selectPendingSignIn(ctx.db, hashToken(pendingToken), ctx.now)
  if (!pending) return null
  return requestPasskey(
    ctx,
    { purpose: 'second-factor', binding: pendingBinding(pending.pending_id) },
    pending.id,
  )
}

/**
 * Signs in with a passkey alone, which counts as two factors because the device has verified its user. Returns null and
 * records a failed attempt for a passkey that is not accepted, an account that is not active, and one that has to sign in by
 * the OpenID provider.
 */
export async function signInByPasskey(
  ctx: Ctx,
  input: {
    passkey: unknown
    browser: string
    shared: boolean
    formerToken: string | null
    network: string | null
  },
): Promise<OpenedSession | null> {
  const { network } = input
  let userId: string | null = null
  const attempt = await limitAttempts(ctx, { target: null, network }, async () => {
    const use = { purpose: 'sign-in', binding: browserBinding(input.browser) } as const
    userId = (await usePasskey(ctx, use, input.passkey))?.user_id ?? null
    return userId === null ? null : openSessionOf(ctx, userId, input)
  })
  if (attempt.proved) return attempt.proved
  await recordFailedSignIn(ctx, attempt, { userId, network })
  return null
}

const openSessionOf = (
  ctx: Ctx,
  userId: string,
  { formerToken: previousToken, shared }: { formerToken: string | null; shared: boolean },
): Promise<OpenedSession | null> =>
  inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, userId)
    if (user?.effective_status !== 'active' || !(await mayUsePassword(tx.db, user.role))) return null
    return openSession(tx, user.id, { provider: 'local', previousToken, shared })
  })
