import { maskCnps } from '../../../shared/romania/cnp.ts'
import type { UserCtx } from '../../context.ts'
import { findOpenings, forgetOpenings } from '../uploads/released/openings.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { openIncident } from './open-incident.ts'

/**
 * Takes a released upload away from an institution for which it was not meant, in the transaction that gives it another
 * one and that has called `blockOpenings`. Opens an incident if users of the former institution have opened it.
 */
export async function withdrawFromInstitution(tx: UserCtx, before: UploadRow, reason: string): Promise<void> {
  const openings = (await findOpenings(tx, before)).filter(
    ({ institutionId }) => institutionId === before.institution_id,
  )
  await forgetOpenings(tx, before)
  if (openings.length > 0)
    await openIncident(tx, {
      before,
      patientId: before.patient_id!,
      openings,
      reason: maskCnps(reason),
      discoveredAt: tx.now,
    })
}
