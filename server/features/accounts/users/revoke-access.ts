import type { Ctx } from '../../../context.ts'
import { deleteAccountLinks, revokeSessionsOfUser } from '../accounts.db.ts'
import { deletePendingSignIns } from '../credentials/second-factor.db.ts'

/**
 * Ends everything the user could sign in with, in the caller's transaction: sessions, pending sign-ins,
 * one-time links.
 */
export async function revokeAllAccess(tx: Ctx, userId: string): Promise<void> {
  await revokeSessionsOfUser(tx.db, userId, tx.now)
  await deletePendingSignIns(tx.db, userId)
  await deleteAccountLinks(tx.db, userId)
}
