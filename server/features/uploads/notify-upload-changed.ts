import type { Ctx } from '../../context.ts'
import { publish } from '../../platform/events.ts'

type ChangedUpload = {
  id: string
  patient_id: string | null
  institution_id: string | null
  batch_id?: string | null
  filed_at?: Date | null
}

/**
 * Sends an event to the open pages that show the upload, when the transaction commits, so that they load it
 * again; for a group of a batch, which no other page lists, an event of the batch. `isRevoked`: the upload was visible to its
 * institution and no longer is.
 */
export async function notifyUploadChanged(
  { db }: Ctx,
  { id, patient_id: patientId, institution_id: institutionId, batch_id, filed_at }: ChangedUpload,
  { isRevoked = false } = {},
): Promise<void> {
  if (batch_id) await publish(db, { kind: 'batch', id: batch_id })
  if (batch_id && !filed_at) return
  await publish(db, { kind: 'upload', id, patientId, institutionId, ...(isRevoked && { isRevoked }) })
}
