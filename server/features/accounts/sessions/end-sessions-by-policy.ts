import type { Role } from '../../../../shared/access/roles.ts'
import type { Ctx } from '../../../context.ts'
import { deletePasswordPendingSignIns } from '../credentials/second-factor.db.ts'
import { revokePasswordSessions, revokeSessionsWithoutFactor } from './sessions.db.ts'

/** Ends the sessions of accounts with these roles that have no second factor; returns the accounts' ids. */
export const endSessionsWithoutFactor = (tx: Ctx, roles: readonly Role[]): Promise<string[]> =>
  revokeSessionsWithoutFactor(tx.db, roles, tx.now)

/**
 * Ends sessions and pending sign-ins that began with a password, except administrators'; returns the ids of
 * the accounts whose sessions were ended.
 */
export async function endPasswordSessions(tx: Ctx): Promise<string[]> {
  await deletePasswordPendingSignIns(tx.db)
  return revokePasswordSessions(tx.db, tx.now)
}
