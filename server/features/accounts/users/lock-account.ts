import type { UserCtx } from '../../../context.ts'
import { forbidden, notFound, unauthenticated } from '../../../errors.ts'
import { isId } from '../../../platform/ids.ts'
import { canManageAccounts } from '../accounts.access.ts'
import { findActorBySession } from '../sessions/find-actor.ts'
import { type LockedListedUser, lockUsers } from './users.db.ts'

/**
 * The account that an administrator is about to change, held with the administrator's own until the end of the
 * transaction. Of two who change each other one comes first, and the other is refused as what that has made of them. So
 * whoever takes an administrator's rights away remains one: the last one never goes, as nobody changes their own.
 */
export async function lockAccount(tx: UserCtx, userId: string): Promise<LockedListedUser> {
  if (!canManageAccounts(tx.actor)) throw forbidden('change an account')
  if (!isId(userId)) throw notFound('user')
  const locked = await lockUsers(tx.db, [tx.actor.id, userId])
  const session = await findActorBySession(tx.db, tx.actor.sessionId, new Date())
  if (!session) throw unauthenticated()
  if (!canManageAccounts(session.actor)) throw forbidden('change an account')
  const account = locked.find(({ id }) => id === userId)
  if (!account) throw notFound('user')
  return account
}

/** Locks these accounts until the transaction ends; an empty list locks none. */
export async function lockAccounts({ db }: UserCtx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await lockUsers(db, ids)
}

/** Why nobody takes their own rights away or gives themselves another address. */
export const OWN_ACCOUNT_MESSAGE =
  'Rolul, adresa și suspendarea propriului cont le schimbă doar alt administrator: așa rămâne mereu cineva care poate administra.'
