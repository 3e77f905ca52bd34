import type { AccountStatus } from '../../../../shared/access/account-statuses.ts'
import { inTransaction, type UserCtx } from '../../../context.ts'
import { invalidState, UserError } from '../../../errors.ts'
import { publish } from '../../../platform/events.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { stopMessages } from '../../messages/stop-messages.ts'
import { lockAccount, OWN_ACCOUNT_MESSAGE } from './lock-account.ts'
import { revokeAllAccess } from './revoke-access.ts'
import {
  hasIdentity,
  type LockedListedUser,
  selectListedUser,
  type UserRow,
  updateStatus,
} from './users.db.ts'

/**
 * An administrator locks somebody out: sessions, sockets, links, half sign-ins and files under way end with it, and so does the mail that waits
 * for them. What the account did and has stays. Not for oneself.
 */
export function suspendUser(ctx: UserCtx, userId: string): Promise<UserRow> {
  return inTransaction(ctx, async (tx) => {
    const user = await lockAccount(tx, userId)
    if (user.id === tx.actor.id)
      throw new UserError('FORBIDDEN', 'not allowed: suspend oneself', OWN_ACCOUNT_MESSAGE)
    if (user.status === 'suspended')
      throw invalidState('account already suspended', 'Contul este deja suspendat.')
    await revokeAllAccess(tx, userId)
    await stopMessages(tx, [userId])
    return changeStatus(tx, user, 'suspended', 'account.suspend')
  })
}

/**
 * An administrator lets somebody in again, who signs in anew. Whoever has never come in is invited again, and has no link
 * before one is sent.
 */
export function reactivateUser(ctx: UserCtx, userId: string): Promise<UserRow> {
  return inTransaction(ctx, async (tx) => {
    const user = await lockAccount(tx, userId)
    if (user.status !== 'suspended')
      throw invalidState('account not suspended', 'Contul nu mai este suspendat.')
    const hasComeIn = user.password_hash !== null || (await hasIdentity(tx.db, userId))
    return changeStatus(tx, user, hasComeIn ? 'active' : 'invited', 'account.reactivate')
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
  if (!user) throw new Error('a held account is gone')
  return user
}
