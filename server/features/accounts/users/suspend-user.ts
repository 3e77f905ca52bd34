import type { AccountStatus } from '../../../../shared/access/account-statuses.ts'
import { inTransaction, type UserCtx } from '../../../context.ts'
import { invalidState, UserError } from '../../../errors.ts'
import { requireFreshProof } from '../../../fresh-proof.ts'
import { publish } from '../../../platform/events.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { stopMessages } from '../../messages/stop-messages.ts'
import { endSessionsAndLinks } from './end-sessions-and-links.ts'
import { lockAccount, OWN_ACCOUNT_MESSAGE } from './lock-account.ts'
import {
  hasIdentity,
  type LockedListedUser,
  selectListedUser,
  type UserRow,
  updateStatus,
} from './users.db.ts'

/**
 * Suspends an account: ends its sessions, sockets, links and pending sign-ins, and cancels queued mail to it
 * except notices. Its data and its unfinished file transfers stay. Throws FORBIDDEN for the actor's own
 * account, CONFLICT if it is already suspended.
 */
export function suspendUser(ctx: UserCtx, userId: string): Promise<UserRow> {
  return inTransaction(ctx, async (tx) => {
    const user = await lockAccount(tx, userId)
    if (user.id === tx.actor.id)
      throw new UserError('FORBIDDEN', 'not allowed: suspend oneself', OWN_ACCOUNT_MESSAGE)
    if (user.status === 'suspended')
      throw invalidState('account already suspended', 'Contul este deja suspendat.')
    await endSessionsAndLinks(tx, userId)
    await stopMessages(tx, [userId])
    return changeStatus(tx, user, 'suspended', 'account.suspend')
  })
}

/**
 * Reactivates a suspended account; its user must sign in again. An account that was never used becomes
 * invited again and has no link until one is sent.
 */
export function reactivateUser(ctx: UserCtx, userId: string): Promise<UserRow> {
  return inTransaction(ctx, async (tx) => {
    const user = await lockAccount(tx, userId)
    requireFreshProof(tx)
    if (user.status !== 'suspended')
      throw invalidState('account not suspended', 'Contul nu mai este suspendat.')
    const wasUsed = user.password_hash !== null || (await hasIdentity(tx.db, userId))
    return changeStatus(tx, user, wasUsed ? 'active' : 'invited', 'account.reactivate')
  })
}

async function changeStatus(
  tx: UserCtx,
  { id, status: from }: LockedListedUser,
  to: AccountStatus,
  action: 'account.suspend' | 'account.reactivate',
): Promise<UserRow> {
  await updateStatus(tx.db, id, to, tx.now)
  await recordAudit(tx, { action, subject: { type: 'user', id }, changes: { status: { from, to } } })
  await publish(tx.db, { kind: 'account', id })
  const user = await selectListedUser(tx.db, id)
  if (!user) throw new Error('a locked account is missing')
  return user
}
