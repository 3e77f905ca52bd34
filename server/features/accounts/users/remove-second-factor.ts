import { inTransaction, type UserCtx } from '../../../context.ts'
import { forbidden, notFound } from '../../../errors.ts'
import { requireFreshProof } from '../../../fresh-proof.ts'
import { publish } from '../../../platform/events.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { canManageAccounts } from '../accounts.access.ts'
import { revokeSessionsOfUser } from '../accounts.db.ts'
import { clearSecondFactor } from '../credentials/second-factor.db.ts'
import { lockAccount } from './lock-account.ts'

/**
 * Removes the second factor of a user who lost both the authenticator application and the recovery codes, and
 * ends the user's sessions; a password reset does neither. If the role requires a factor, the user sets up a
 * new one at the next sign-in. Throws FORBIDDEN for the administrator's own account, because an unattended
 * session could be misused for it.
 */
export async function removeSecondFactor(ctx: UserCtx, userId: string): Promise<void> {
  if (!canManageAccounts(ctx.actor)) throw forbidden('remove a second factor')
  if (userId === ctx.actor.id) throw forbidden('remove the second factor of oneself')
  requireFreshProof(ctx)
  await inTransaction(ctx, async (tx) => {
    await lockAccount(tx, userId)
    if (!(await clearSecondFactor(tx.db, userId, tx.now))) throw notFound('user with a second factor')
    await revokeSessionsOfUser(tx.db, userId, tx.now)
    await recordAudit(tx, { action: 'second-factor.disable', subject: { type: 'user', id: userId } })
    await publish(tx.db, { kind: 'account', id: userId })
  })
}
