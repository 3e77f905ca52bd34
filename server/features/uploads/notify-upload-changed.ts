import type { Ctx } from '../../context.ts'
import { type PublishedEvent, publish } from '../../platform/events.ts'

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
  upload: ChangedUpload,
  { isRevoked = false } = {},
): Promise<void> {
  for (const event of uploadEvents(upload, isRevoked)) await publish(db, event)
}

/** Returns the events of a changed upload, as `notifyUploadChanged` sends them. */
export const uploadEvents = (
  { id, patient_id: patientId, institution_id: institutionId, batch_id, filed_at }: ChangedUpload,
  isRevoked = false,
): PublishedEvent[] => [
  ...(batch_id ? [{ kind: 'batch' as const, id: batch_id }] : []),
  ...(batch_id && !filed_at
    ? []
    : [{ kind: 'upload' as const, id, patientId, institutionId, ...(isRevoked && { isRevoked }) }]),
]
