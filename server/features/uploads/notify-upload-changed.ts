import type { Ctx } from '../../context.ts'
import { publish } from '../../platform/events.ts'

type ChangedUpload = {
  id: string
  patient_id: string | null
  institution_id: string | null
  batch_id?: string | null
}

/**
 * Sends an event to the open pages that show the upload, when the transaction commits, so that they load it
 * again. `isRevoked`: the upload was visible to its institution and no longer is.
 */
export const notifyUploadChanged = async (
  { db }: Ctx,
  { id, patient_id: patientId, institution_id: institutionId, batch_id: batchId = null }: ChangedUpload,
  { isRevoked = false } = {},
): Promise<void> => {
  await publish(db, { kind: 'upload', id, patientId, institutionId, ...(isRevoked && { isRevoked }) })
  if (batchId) await publish(db, { kind: 'batch', id: batchId })
}
