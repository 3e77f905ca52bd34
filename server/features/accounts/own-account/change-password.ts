import { describePasswordError } from '../../../../shared/password-messages.ts'
import { findPasswordError, passwordMin } from '../../../../shared/password-rules.ts'
import { inTransaction, type UserCtx } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { requireFreshProof } from '../../../fresh-proof.ts'
import { publish } from '../../../platform/events.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { queueMessage } from '../../messages/queue-message.ts'
import { deleteAccountLinks, updatePassword } from '../accounts.db.ts'
import { hashPassword } from '../credentials/password.ts'
import { lockIfUnchanged, reauthenticateByPassword } from '../credentials/reauthenticate.ts'
import { deletePendingSignIns } from '../credentials/second-factor.db.ts'
import { revokeOtherSessions } from '../sessions/sessions.db.ts'
import { resetFailedAttempts } from '../throttle/attempt-limit.ts'

/**
 * Changes the password of the signed-in user, who proves the current one and, where there is a second
 * factor, has a fresh proof. Ends the user's other sessions and
 * pending sign-ins, deletes all one-time links, and notifies the user by mail.
 */
export async function changePassword(ctx: UserCtx, input: { current: string; next: string }): Promise<void> {
  const user = await reauthenticateByPassword(ctx, input.current, 'current')
  const minLength = passwordMin(user.totp_secret !== null)
  const passwordError = findPasswordError(input.next, minLength, [user.email, user.name])
  if (passwordError)
    throw invalid([{ field: 'next', message: describePasswordError(passwordError, minLength) }])
  if (user.totp_secret || user.has_passkey) requireFreshProof(ctx)
  const next = await hashPassword(input.next, user.id)
  await inTransaction(ctx, async (tx) => {
    await lockIfUnchanged(tx, user)
    await updatePassword(tx.db, user.id, next, tx.now)
    await revokeOtherSessions(tx.db, user.id, ctx.actor.sessionId, tx.now)
    await deletePendingSignIns(tx.db, user.id)
    await deleteAccountLinks(tx.db, user.id)
    await resetFailedAttempts(tx.db, user)
    await recordAudit(tx, { action: 'account.set-password', subject: { type: 'user', id: user.id } })
    await queueMessage(tx, {
      to: { name: user.name, address: user.email },
      content: { kind: 'password-changed', at: tx.now },
      about: { type: 'user', id: user.id },
    })
    await publish(tx.db, { kind: 'account', id: user.id })
  })
}
