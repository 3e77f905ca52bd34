import { maskCnps } from '../../../shared/romania/cnp.ts'
import type { Ctx } from '../../context.ts'
import { findUnasked } from '../uploads/released/openings.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { findFormerVersions } from '../uploads/versions/find-versions.ts'
import { openIncident } from './open-incident.ts'

/**
 * Asks the institutions to which a result does not go on to delete what their users have opened of it, in this version
 * or in one before, each with an incident. Called by whatever gives a result another institution, in the transaction
 * that has locked it with `getUploadToChange`; `result` is the upload as it was before.
 */
export async function askFormerInstitutions(
  tx: Ctx,
  result: UploadRow,
  { institutionId, reason, movedBy }: { institutionId: string | null; reason: string; movedBy: string },
): Promise<void> {
  const versions = [result, ...(await findFormerVersions(tx, result))]
  // A former version may be of another patient, if it was withdrawn.
  for (const version of versions.filter(({ patient_id }) => patient_id === result.patient_id)) {
    const openings = await findUnasked(tx, version)
    for (const [formerId, opened] of Map.groupBy(openings, (opening) => opening.institutionId)) {
      if (formerId === null || formerId === institutionId) continue
      await openIncident(tx, {
        before: { ...version, institution_id: formerId },
        patientId: version.patient_id!,
        openings: opened,
        reason: maskCnps(reason),
        discoveredAt: tx.now,
        movedBy,
      })
    }
  }
}
