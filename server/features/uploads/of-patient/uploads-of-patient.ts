import type { Ctx } from '../../../context.ts'
import { notifyUploadChanged } from '../notify-upload-changed.ts'
import {
  countUploadsOfPatient,
  lockUploadsOfPatients,
  selectUnreferredUploads,
  selectUploadsSince,
  updatePatientOfUploads,
} from './uploads-of-patient.db.ts'

export type NumberedUpload = { id: string; number: number }

/**
 * Moves the uploads of a patient, with `ids` only these, to another patient, and returns their ids. Locks the
 * uploads of both first, so that a verdict is given either before or on a new version. The caller has locked
 * merges (`lockMerges`).
 */
export async function moveUploadsToPatient(
  tx: Ctx,
  { from, to, ids = null }: { from: string; to: string; ids?: readonly string[] | null },
): Promise<string[]> {
  await lockUploadsOfPatients(tx.db, [from, to])
  const moved = await updatePatientOfUploads(tx.db, { from, to, ids, now: tx.now })
  for (const { id, institution_id } of moved)
    for (const patient_id of [from, to]) await notifyUploadChanged(tx, { id, patient_id, institution_id })
  return moved.map(({ id }) => id)
}

/**
 * Returns uploads of the patients that are for an institution without a referral, which therefore does not see
 * them; at most 20.
 */
export const findUnreferredUploads = (tx: Ctx, patientIds: readonly string[]): Promise<NumberedUpload[]> =>
  selectUnreferredUploads(tx.db, patientIds)

/** Returns the patient's uploads that were created since, at most 20. */
export const findUploadsSince = (tx: Ctx, patientId: string, since: Date): Promise<NumberedUpload[]> =>
  selectUploadsSince(tx.db, patientId, since)

/** Returns how many uploads the patient has, without those in the bin. The caller checks the permission. */
export const countUploadsOf = async (ctx: Ctx, patientId: string): Promise<number> =>
  (await countUploadsOfPatient(ctx.db, patientId)).count
