import { maskCnps } from '../../../shared/romania/cnp.ts'
import type { Ctx } from '../../context.ts'
import { findOpenings, type Opening } from '../uploads/released/openings.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { findFormerVersions } from '../uploads/versions/find-versions.ts'
import { selectLastRequests } from './deletion-requests.db.ts'
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

/** Returns what was opened of the version since its institution was last asked to delete it. */
async function findUnasked(tx: Ctx, version: UploadRow): Promise<Opening[]> {
  const requests = await selectLastRequests(tx.db, version.id)
  const asked = new Map(requests.map(({ institution_id, created_at }) => [institution_id, created_at]))
  return (await findOpenings(tx, version)).flatMap((opening) => {
    const since = asked.get(opening.institutionId ?? '')
    const acts = opening.acts.filter(({ lastAt }) => !since || lastAt > since)
    return acts.length > 0 ? [{ ...opening, acts }] : []
  })
}
