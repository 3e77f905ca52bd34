import { parseEmail } from '../../../shared/email.ts'
import { type Ctx, inTransaction } from '../../context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { selectUserByEmail } from './accounts.db.ts'
import { type Admission, admitUser } from './admit-user.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { limitTries } from './limit-tries.ts'
import { mayUsePassword } from './may-use-password.ts'
import { verifyPassword } from './password.ts'
import { warnOfGuessing } from './warn-of-guessing.ts'

/**
 * Anybody may try. Leaves a session or a sign-in that waits for the second factor, or one failed try in the journal. Null
 * for a wrong password, an unknown address, a suspended and an invited account, one that has to wait after too many wrong
 * ones, and a wrong code alike, after the same work: nobody learns which accounts exist. `code` of the second factor is
 * for programs that send all at once; empty: none.
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
  const stored = user?.status === 'active' && open ? user.password_hash : null
  const tried = await limitTries(ctx, { guessed: { kind: 'password', email }, network }, async () =>
    (await verifyPassword(input.password, stored)) && user ? user : null,
  )
  const proved = tried.proved
  const admission =
    proved && (await inTransaction(ctx, (tx) => admitUser(tx, proved, { provider: 'local', formerToken })))
  if (!admission) {
    const subject = user ? { subject: { type: 'user', id: user.id } } : {}
    await recordAudit(ctx, { action: 'session.sign-in-failed', ...subject, outcome: 'failed' })
    if (user && 'blocked' in tried && tried.blocked) await warnOfGuessing(ctx, user)
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
