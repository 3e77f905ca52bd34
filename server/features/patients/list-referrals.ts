import type { Ctx } from '../../context.ts'
import { patientScope } from './patients.access.ts'
import { type ReferralRow, selectReferrals } from './patients.db.ts'

/**
 * Returns a patient's referrals that the actor may read; with `institutionIds` only those from these
 * institutions.
 */
export function listReferrals(
  ctx: Ctx,
  patientId: string,
  institutionIds: readonly string[] | null = null,
): Promise<ReferralRow[]> {
  const scope = patientScope(ctx.actor)
  const own = scope.kind === 'all' ? null : scope.kind === 'referred' ? scope.institutionIds : []
  const requested =
    own && institutionIds ? institutionIds.filter((id) => own.includes(id)) : (institutionIds ?? own)
  return selectReferrals(ctx.db, patientId, requested)
}
