import { parseEmail } from '../../../shared/email.ts'
import { type Ctx, inTransaction } from '../../context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { selectUserByEmail } from './accounts.db.ts'
import { type OpenedSession, openSession } from './open-session.ts'
import { verifyPassword } from './password.ts'

/**
 * Anybody may try. Leaves a session, or one failed try in the journal. Null for a wrong password, an unknown address, a
 * suspended and an invited account alike, after the same work: nobody learns which accounts exist.
 */
export async function signIn(
  ctx: Ctx,
  input: { email: string; password: string; formerToken: string | null },
): Promise<OpenedSession | null> {
  const user = await selectUserByEmail(ctx.db, parseEmail(input.email) ?? '')
  const stored = user?.status === 'active' ? user.password_hash : null
  const proved = await verifyPassword(input.password, stored)
  const session =
    user && proved ? await inTransaction(ctx, (tx) => openSession(tx, user.id, input.formerToken)) : null
  if (!session) {
    const subject = user ? { subject: { type: 'user', id: user.id } } : {}
    await recordAudit(ctx, { action: 'session.sign-in-failed', ...subject, outcome: 'failed' })
  }
  return session
}
