import type { Ctx } from '../../context.ts'
import { patientScope } from './patients.access.ts'
import { type ReferralRow, selectReferrals } from './patients.db.ts'

/** Whether an upload can be filed for the institution: an ended referral shows nothing that is released later. */
export const isOpenReferral = ({ ended_on }: ReferralRow): boolean => ended_on === null

/**
 * Returns a patient's referrals that the actor may read; with `institutionIds` only those from these
 * institutions.
 */
export const listReferrals = (
  ctx: Ctx,
  patientId: string,
  institutionIds: readonly string[] | null = null,
): Promise<ReferralRow[]> => selectReferrals(ctx.db, patientScope(ctx.actor), patientId, institutionIds)
