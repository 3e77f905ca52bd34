import type { SecondFactorGroup } from '../../../../shared/access/second-factor.ts'
import type { Ctx } from '../../../context.ts'
import { deletePasswordPendingSignIns } from '../credentials/second-factor.db.ts'
import { revokePasswordSessions, revokeSessionsWithoutFactor } from './sessions.db.ts'

/** Ends the sessions of accounts of these groups that have no second factor; returns the accounts' ids. */
export const endSessionsWithoutFactor = (tx: Ctx, groups: readonly SecondFactorGroup[]): Promise<string[]> =>
  revokeSessionsWithoutFactor(tx.db, groups, tx.now)

/**
 * Ends sessions and pending sign-ins that began with a password, except administrators'; returns the ids of
 * the accounts whose sessions were ended.
 */
export async function endPasswordSessions(tx: Ctx): Promise<string[]> {
  await deletePasswordPendingSignIns(tx.db)
  return revokePasswordSessions(tx.db, tx.now)
}
