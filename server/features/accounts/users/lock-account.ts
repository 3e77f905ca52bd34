import type { UserCtx } from '../../../context.ts'
import { forbidden, notFound } from '../../../errors.ts'
import { isId } from '../../../platform/ids.ts'
import { canManageAccounts } from '../accounts.access.ts'
import { renewActor } from '../sessions/renew-actor.ts'
import { type LockedListedUser, lockUsers } from './users.db.ts'

/**
 * Locks the account to change and the administrator's own account until the transaction ends, and returns the
 * former. Throws FORBIDDEN or UNAUTHENTICATED like `lockAdministrator`.
 */
export async function lockAccount(tx: UserCtx, userId: string): Promise<LockedListedUser> {
  if (!canManageAccounts(tx.actor)) throw forbidden('change an account')
  if (!isId(userId)) throw notFound('user')
  const locked = await lockAdministrator(tx, [userId])
  const account = locked.find(({ id }) => id === userId)
  if (!account) throw notFound('user')
  return account
}

/**
 * Locks the administrator's own account and these accounts until the transaction ends. Rechecks the
 * administrator's rights under the lock, so that of two administrators who demote each other the second is
 * rejected. Because no administrator can change their own role, one always remains.
 */
export async function lockAdministrator(
  tx: UserCtx,
  userIds: readonly string[] = [],
): Promise<LockedListedUser[]> {
  const locked = await lockUsers(tx.db, [tx.actor.id, ...userIds])
  if (!canManageAccounts(await renewActor(tx))) throw forbidden('change an account')
  return locked
}

/** Locks these accounts until the transaction ends; an empty list locks none. */
export async function lockAccounts({ db }: UserCtx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await lockUsers(db, ids)
}

/** Shown to administrators who try to change their own role, address or status. */
export const OWN_ACCOUNT_MESSAGE =
  'Rolul, adresa și suspendarea propriului cont le schimbă doar alt administrator: așa rămâne mereu cineva care poate administra.'
