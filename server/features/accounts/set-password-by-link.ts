import { type PasswordFault, passwordFault } from '../../../shared/password-rules.ts'
import { type Ctx, inTransaction } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { announce } from '../../platform/events.ts'
import { hashToken } from '../../platform/keys.ts'
import { recordAudit } from '../audit/record-audit.ts'
import {
  deleteAccountLinks,
  revokeSessionsOfUser,
  selectUserByAccountLink,
  updatePassword,
  useAccountLink,
} from './accounts.db.ts'
import { type OpenedSession, openSession } from './open-session.ts'
import { hashPassword } from './password.ts'

/** `link` alike for a link that never was, was used, has expired, gave way to a newer one or is of a suspended account. */
type LinkRefusal = 'link' | PasswordFault

/**
 * Whoever holds an account's one-time link sets its password with it, once. Leaves the account active, its links void,
 * its other sessions ended, and a new session for the holder. A refused password does not use the link up.
 */
export async function setPasswordByLink(
  ctx: Ctx,
  input: { token: string; password: string; formerToken: string | null },
): Promise<{ session: OpenedSession } | { refused: LinkRefusal }> {
  const linkHash = hashToken(input.token)
  const user = await selectUserByAccountLink(ctx.db, linkHash, ctx.now)
  if (!user) return { refused: 'link' }
  const fault = passwordFault(input.password, [user.email, user.name])
  if (fault) return { refused: fault }

  const passwordHash = await hashPassword(input.password)
  const session = await inTransaction(ctx, async (tx) => {
    // Several may have come this far with the same link: the first takes the row, the others find it used.
    if (!(await useAccountLink(tx.db, linkHash, tx.now))) return null
    await deleteAccountLinks(tx.db, user.id)
    await updatePassword(tx.db, user.id, passwordHash, tx.now)
    await revokeSessionsOfUser(tx.db, user.id, tx.now)
    const opened = await openSession(tx, user.id, input.formerToken)
    // Suspended this very moment: nothing of it stands.
    if (!opened) throw forbidden('set the password of a suspended account')
    await recordAudit(
      { ...tx, actor: opened.actor },
      { action: 'account.set-password', subject: { type: 'user', id: user.id } },
    )
    await announce(tx.db, { kind: 'account', id: user.id })
    return opened
  })
  return session ? { session } : { refused: 'link' }
}
