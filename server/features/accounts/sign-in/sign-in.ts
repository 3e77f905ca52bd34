import { parseEmail } from '../../../../shared/email.ts'
import { type Ctx, inTransaction } from '../../../context.ts'
import { lockUser, selectUserByEmail } from '../accounts.db.ts'
import { mayUsePassword } from '../credentials/may-use-password.ts'
import { verifyPassword } from '../credentials/password.ts'
import type { SignInSource } from '../sessions/open-session.ts'
import { limitAttempts } from '../throttle/attempt-limit.ts'
import { notifyAccountBlocked } from '../throttle/notify-account-blocked.ts'
import { recordFailedSignIn } from '../throttle/record-failed-sign-in.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { type SignInStep, startSessionOrSecondFactor } from './start-session-or-second-factor.ts'

/**
 * Anybody may try. Leaves a session or a sign-in that waits for the second factor, or one failed try in the journal. Null
 * for a wrong password, an unknown address, a suspended and an invited account, one that has to wait after too many wrong
 * ones, and a wrong code alike, after the same work: nobody learns which accounts exist. Null too, at once, for a network
 * that is out of tries. `code` of the second factor is for programs that send all at once; empty: none.
 */
export async function signIn(
  ctx: Ctx,
  input: {
    email: string
    password: string
    code: string
    formerToken: string | null
    network: string | null
  },
): Promise<SignInStep | null> {
  const { formerToken: previousToken, network } = input
  const email = parseEmail(input.email) ?? ''
  const user = await selectUserByEmail(ctx.db, email)
  const open = await mayUsePassword(ctx.db, user?.role ?? 'staff')
  const stored = user?.effective_status === 'active' && open ? user.password_hash : null
  const attempt = await limitAttempts(
    ctx,
    { target: { kind: 'password', email }, network },
    async (allowed) => {
      const isRight = await verifyPassword(input.password, stored, network)
      return allowed && isRight && user
        ? startSessionOfUser(ctx, user, { provider: 'local', previousToken })
        : null
    },
  )
  const admission = attempt.proved
  if (!admission) {
    await recordFailedSignIn(ctx, attempt, { userId: user?.id ?? null, network })
    if (user && attempt.blocked) await notifyAccountBlocked(ctx, user)
    return null
  }
  if (!input.code || !('due' in admission) || admission.due !== 'second-factor') return admission
  const completed = await completeSignIn(ctx, {
    pendingToken: admission.pendingToken,
    code: input.code,
    formerToken: previousToken,
    network,
  })
  return 'session' in completed ? completed : null
}

/** Comparing a password takes a while, in which the account may have changed: then what was proved no longer holds. */
const startSessionOfUser = (
  ctx: Ctx,
  proved: { id: string; password_hash: string | null },
  source: SignInSource,
): Promise<SignInStep | null> =>
  inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, proved.id)
    const holds = user?.effective_status === 'active' && user.password_hash === proved.password_hash
    return holds && (await mayUsePassword(tx.db, user.role))
      ? startSessionOrSecondFactor(tx, user, source)
      : null
  })
