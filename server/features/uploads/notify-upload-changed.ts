import type { Ctx } from '../../context.ts'
import { publish } from '../../platform/events.ts'

type ChangedUpload = { id: string; patient_id: string | null; institution_id: string | null }

/**
 * Notifies open pages about a change of an upload when the transaction commits. `isRevoked`: its institution
 * may no longer read it.
 */
export const notifyUploadChanged = (
  { db }: Ctx,
  { id, patient_id: patientId, institution_id: institutionId }: ChangedUpload,
  { isRevoked = false } = {},
): Promise<void> =>
  publish(db, { kind: 'upload', id, patientId, institutionId, ...(isRevoked && { isRevoked }) })
