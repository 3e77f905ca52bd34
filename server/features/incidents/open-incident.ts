import type { Ctx } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { findActiveAdministrators } from '../accounts/users/find-administrators.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { queueMessage } from '../messages/queue-message.ts'
import { dropRecalls } from '../uploads/recalls/recall-upload.ts'
import type { Opening } from '../uploads/released/openings.ts'
import { releaseTimeOf } from '../uploads/uploads.access.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { askToDelete } from './ask-to-delete.ts'
import { type IncidentRow, insertIncident, selectIncident } from './incidents.db.ts'

export type NewIncident = {
  /** The upload as it was while it was released. */
  before: UploadRow
  /** To whom it belongs: another patient than it was released for, or the same at another institution. */
  patientId: string
  /** Who had opened it. */
  openings: readonly Opening[]
  /** Without CNPs. */
  reason: string
  discoveredAt: Date
  /** The user who has taken it away. */
  movedBy: string
}

/** Whether the result was released to the wrong institution, for the right patient. */
export const isWrongInstitution = ({ former_patient_id, patient_id }: IncidentRow): boolean =>
  former_patient_id === patient_id

/**
 * Opens an incident in the transaction that takes a released upload away from its institution. Asks the institutions
 * that opened it to delete what they have, and notifies the administrators. The caller checks the permission.
 */
export async function openIncident(
  tx: Ctx,
  { before, patientId, openings, reason, discoveredAt, movedBy }: NewIncident,
): Promise<IncidentRow> {
  const id = newId()
  const releasedAt = releaseTimeOf(before)
  await insertIncident(tx.db, {
    id,
    upload_id: before.id,
    former_patient_id: before.patient_id!,
    patient_id: patientId,
    former_institution_id: before.institution_id,
    category: before.category_name,
    file_count: before.file_count ?? 0,
    released_at: releasedAt,
    moved_at: tx.now,
    moved_by: movedBy,
    reason,
    discovered_at: discoveredAt,
    openings: JSON.stringify(openings),
  })
  await recordAudit(tx, {
    action: 'incident.open',
    subject: { type: 'incident', id },
    changes: { upload_number: { to: before.number }, openings: { to: openings.length } },
  })
  // The request to delete it takes their place.
  await dropRecalls(
    tx,
    before.id,
    openings.flatMap(({ institutionId }) => institutionId ?? []),
  )
  await askToDelete(tx, { incidentId: id, uploadNumber: before.number, releasedAt, openings })
  const incident = await selectIncident(tx.db, id)
  if (!incident) throw notFound('incident')
  await notifyAdministrators(tx, incident)
  return incident
}

/** By mail to each active administrator except the one who has caused it. It names the result by its number alone. */
async function notifyAdministrators(tx: Ctx, incident: IncidentRow): Promise<void> {
  for (const { id, name, email } of await findActiveAdministrators(tx)) {
    if (id === incident.moved_by) continue
    await queueMessage(tx, {
      to: { name, address: email },
      content: {
        kind: 'incident-opened',
        incidentId: incident.id,
        incidentNumber: incident.number,
        uploadNumber: incident.upload_number,
        discoveredAt: incident.discovered_at,
      },
      about: { type: 'user', id },
    })
  }
}
