import type { Ctx } from '../../context.ts'
import { announce } from '../../platform/events.ts'

type PublishedUpload = { id: string; patient_id: string | null; institution_id: string | null }

/**
 * Notifies the open pages about a change of an upload, when the transaction commits. `isTakenBack`: its institution may no
 * longer read it.
 */
export const publishUpload = (
  { db }: Ctx,
  { id, patient_id: patientId, institution_id: institutionId }: PublishedUpload,
  { isTakenBack = false } = {},
): Promise<void> =>
  announce(db, { kind: 'upload', id, patientId, institutionId, ...(isTakenBack && { isTakenBack }) })
