import { inTransaction, type UserCtx } from '../../../context.ts'
import { invalidState } from '../../../errors.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { lockAccount } from './lock-account.ts'
import { deleteUser } from './users.db.ts'

/**
 * Deletes an invited account that was never used, with its links, so that its address can be invited again.
 * The audit log keeps the name and address. Throws CONFLICT if the account has been used.
 */
export function cancelInvitation(ctx: UserCtx, userId: string): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const { status, password_hash, last_sign_in_at, name, email } = await lockAccount(tx, userId)
    if (status !== 'invited' || password_hash !== null || last_sign_in_at !== null)
      throw invalidState('account has been used', 'Persoana și-a folosit deja contul: îl poți suspenda.')
    await deleteUser(tx.db, userId)
    await recordAudit(tx, {
      action: 'account.cancel-invitation',
      subject: { type: 'user', id: userId },
      changes: { name: { from: name }, email: { from: email } },
    })
  })
}
