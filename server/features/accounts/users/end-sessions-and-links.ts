import type { Ctx } from '../../../context.ts'
import { deleteAccountLinks, revokeSessionsOfUser } from '../accounts.db.ts'
import { deletePendingSignIns } from '../credentials/second-factor.db.ts'

/**
 * Ends the account's sessions, pending sign-ins and one-time links, in the caller's transaction. Its password
 * and its identities at a provider stay.
 */
export async function endSessionsAndLinks(tx: Ctx, userId: string): Promise<void> {
  await revokeSessionsOfUser(tx.db, userId, tx.now)
  await deletePendingSignIns(tx.db, userId)
  await deleteAccountLinks(tx.db, userId)
}
