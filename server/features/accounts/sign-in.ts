import { parseEmail } from '../../../shared/email.ts'
import { type Ctx, inTransaction } from '../../context.ts'
import { lockUser, selectUserByEmail } from './accounts.db.ts'
import { type Admission, admitUser } from './admit-user.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { limitTries } from './limit-tries.ts'
import { mayUsePassword } from './may-use-password.ts'
import type { Arrival } from './open-session.ts'
import { verifyPassword } from './password.ts'
import { recordFailedSignIn } from './record-failed-sign-in.ts'
import { warnOfGuessing } from './warn-of-guessing.ts'

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
): Promise<Admission | null> {
  const { formerToken, network } = input
  const email = parseEmail(input.email) ?? ''
  const user = await selectUserByEmail(ctx.db, email)
  const open = await mayUsePassword(ctx.db, user?.role ?? 'staff')
  const stored = user?.effective_status === 'active' && open ? user.password_hash : null
  const tried = await limitTries(ctx, { guessed: { kind: 'password', email }, network }, async (allowed) => {
    const isRight = await verifyPassword(input.password, stored, network)
    return allowed && isRight && user ? admitProved(ctx, user, { provider: 'local', formerToken }) : null
  })
  const admission = tried.proved
  if (!admission) {
    await recordFailedSignIn(ctx, tried, { userId: user?.id ?? null, network })
    if (user && tried.blocked) await warnOfGuessing(ctx, user)
    return null
  }
  if (!input.code || !('due' in admission) || admission.due !== 'second-factor') return admission
  const completed = await completeSignIn(ctx, {
    pendingToken: admission.pendingToken,
    code: input.code,
    formerToken,
    network,
  })
  return 'session' in completed ? completed : null
}

/** Comparing a password takes a while, in which the account may have changed: then what was proved no longer holds. */
const admitProved = (
  ctx: Ctx,
  proved: { id: string; password_hash: string | null },
  arrival: Arrival,
): Promise<Admission | null> =>
  inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, proved.id)
    const holds = user?.effective_status === 'active' && user.password_hash === proved.password_hash
    return holds && (await mayUsePassword(tx.db, user.role)) ? admitUser(tx, user, arrival) : null
  })
