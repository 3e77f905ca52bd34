import { passwordFault, passwordMin } from '../../../shared/password-rules.ts'
import { explainPasswordFault } from '../../../shared/password-words.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { announce } from '../../platform/events.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { queueMessage } from '../messages/queue-message.ts'
import { deleteAccountLinks, updatePassword } from './accounts.db.ts'
import { forgetGuesses } from './limit-tries.ts'
import { hashPassword } from './password.ts'
import { lockProved, provePassword } from './prove-identity.ts'
import { deletePendingSignIns } from './second-factor.db.ts'
import { revokeOtherSessions } from './sessions.db.ts'

/**
 * A signed-in person who knows their password chooses another. Ends their other sessions and half sign-ins, voids the
 * links that were on their way, and tells them by mail.
 */
export async function changePassword(ctx: UserCtx, input: { current: string; next: string }): Promise<void> {
  const user = await provePassword(ctx, input.current, 'current')
  const least = passwordMin(user.totp_secret !== null)
  const fault = passwordFault(input.next, least, [user.email, user.name])
  if (fault) throw invalid([{ field: 'next', message: explainPasswordFault(fault, least) }])
  const next = await hashPassword(input.next, user.id)
  await inTransaction(ctx, async (tx) => {
    await lockProved(tx, user)
    await updatePassword(tx.db, user.id, next, tx.now)
    await revokeOtherSessions(tx.db, user.id, ctx.actor.sessionId, tx.now)
    await deletePendingSignIns(tx.db, user.id)
    await deleteAccountLinks(tx.db, user.id)
    await forgetGuesses(tx.db, user)
    await recordAudit(tx, { action: 'account.set-password', subject: { type: 'user', id: user.id } })
    await queueMessage(tx, {
      to: { name: user.name, address: user.email },
      content: { kind: 'password-changed', at: tx.now },
      about: { type: 'user', id: user.id },
    })
    await announce(tx.db, { kind: 'account', id: user.id })
  })
}
