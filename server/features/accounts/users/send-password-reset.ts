import { inTransaction, type UserCtx } from '../../../context.ts'
import { forbidden, invalidState, notFound } from '../../../errors.ts'
import { requireFreshProof } from '../../../fresh-proof.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { queueMessage } from '../../messages/queue-message.ts'
import { canManageAccounts } from '../accounts.access.ts'
import { mayUsePassword } from '../credentials/may-use-password.ts'
import { createAccountLink } from '../links/create-account-link.ts'
import { lockAccount } from './lock-account.ts'
import { ALL_INSTITUTIONS_SUSPENDED_MESSAGE } from './user-input.ts'
import { selectListedUser, type UserRow } from './users.db.ts'

/**
 * Mails the owner of an active account a link to choose a new password, without the limit that applies to
 * requests by users; the earlier link becomes invalid. The current password works until the link is used.
 */
export function sendPasswordReset(ctx: UserCtx, userId: string): Promise<UserRow> {
  if (!canManageAccounts(ctx.actor)) throw forbidden('send a password reset')
  requireFreshProof(ctx)
  return inTransaction(ctx, async (tx) => {
    await lockAccount(tx, userId)
    const user = await selectListedUser(tx.db, userId)
    if (!user) throw notFound('user')
    if (user.status === 'invited')
      throw invalidState('account still invited', 'Persoana nu are încă parolă: trimite-i din nou invitația.')
    if (user.status === 'suspended') throw invalidState('account suspended', 'Contul este suspendat.')
    if (user.effective_status === 'suspended')
      throw invalidState('institution suspended', ALL_INSTITUTIONS_SUSPENDED_MESSAGE)
    if (!(await mayUsePassword(tx.db, user.role)))
      throw invalidState('the account may not use a password', 'Persoana se autentifică fără parolă.')
    await queueMessage(tx, {
      to: { name: user.name, address: user.email },
      content: { kind: 'reset', link: await createAccountLink(tx, user.id, 'reset') },
      about: { type: 'user', id: user.id },
    })
    await recordAudit(tx, { action: 'account.send-reset', subject: { type: 'user', id: user.id } })
    return user
  })
}
