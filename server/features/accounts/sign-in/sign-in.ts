import { parseEmail } from '../../../../shared/email.ts'
import { type Ctx, inTransaction } from '../../../context.ts'
import { lockUser, selectUserByEmail } from '../accounts.db.ts'
import { mayUsePassword } from '../credentials/may-use-password.ts'
import { verifyPassword } from '../credentials/password.ts'
import type { SignInSource } from '../sessions/open-session.ts'
import { type AttemptSource, limitAttempts } from '../throttle/attempt-limit.ts'
import { notifyAccountBlocked } from '../throttle/notify-account-blocked.ts'
import { recordFailedSignIn } from '../throttle/record-failed-sign-in.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { type SignInStep, startSessionOrSecondFactor } from './start-session-or-second-factor.ts'

/**
 * Signs in with address and password, and with a second-factor `code` for programs that send everything at
 * once (empty: none). Returns null after the same work for a wrong password or code, an unknown address, and
 * a suspended, invited or blocked account, so that the response does not reveal which accounts exist; null
 * immediately for a network over its limit. Failed attempts are recorded in the audit log.
 */
export async function signIn(
  ctx: Ctx,
  input: {
    email: string
    password: string
    code: string
    shared: boolean
    formerToken: string | null
  } & AttemptSource,
): Promise<SignInStep | null> {
  const { formerToken: previousToken, network, device, shared } = input
  const email = parseEmail(input.email) ?? ''
  const user = await selectUserByEmail(ctx.db, email)
  const isPasswordAllowed = await mayUsePassword(ctx.db, user?.role ?? 'staff')
  const stored = user?.effective_status === 'active' && isPasswordAllowed ? user.password_hash : null
  const attempt = await limitAttempts(
    ctx,
    { target: { kind: 'password', email }, network, device, userId: user?.id ?? null },
    async (allowed, from) => {
      const isRight = await verifyPassword(input.password, stored, from)
      return allowed && isRight && user
        ? startSessionOfUser(ctx, user, { provider: 'local', previousToken, shared })
        : null
    },
  )
  const signInStep = attempt.proved
  if (!signInStep) {
    await recordFailedSignIn(ctx, attempt, { userId: user?.id ?? null, network })
    if (user && attempt.blocked) await notifyAccountBlocked(ctx, user)
    return null
  }
  if (!input.code || !('due' in signInStep) || signInStep.due !== 'second-factor') return signInStep
  const completed = await completeSignIn(ctx, {
    pendingToken: signInStep.pendingToken,
    code: input.code,
    passkey: null,
    formerToken: previousToken,
    network,
    device,
  })
  return 'session' in completed ? completed : null
}

/**
 * Opens the session only if the account has not changed while the password was being compared, which takes a
 * while.
 */
const startSessionOfUser = (
  ctx: Ctx,
  proved: { id: string; password_hash: string | null },
  source: SignInSource,
): Promise<SignInStep | null> =>
  inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, proved.id)
    const isUnchanged = user?.effective_status === 'active' && user.password_hash === proved.password_hash
    return isUnchanged && (await mayUsePassword(tx.db, user.role))
      ? startSessionOrSecondFactor(tx, user, source)
      : null
  })
