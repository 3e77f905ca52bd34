import type { Ctx } from '../../context.ts'
import { patientScope } from './patients.access.ts'
import { loadReferrals, type ReferralRow, selectReferrals } from './patients.db.ts'

/** Whether an upload can be filed for the institution: an ended referral shows nothing that is released later. */
export const isOpenReferral = ({ ended_on }: ReferralRow): boolean => ended_on === null

/**
 * Returns a patient's referrals that the actor may read; with `institutionIds` only those from these
 * institutions.
 */
export function listReferrals(
  { actor, db }: Ctx,
  patientId: string,
  institutionIds: readonly string[] | null = null,
): Promise<ReferralRow[]> {
  const scope = patientScope(actor)
  return scope.kind === 'all' && institutionIds === null && !db.isTransaction
    ? loadReferrals(db, patientId)
    : selectReferrals(db, scope, patientId, institutionIds)
}
