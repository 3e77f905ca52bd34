import { inTransaction, type UserCtx } from '../../context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getPatient } from '../patients/get-patient.ts'
import { lockDrafts } from '../uploads/drafts/join-drafts.ts'
import { noFiles } from '../uploads/drafts/move-files.ts'
import { getUpload } from '../uploads/find-upload.ts'
import { notifyUploadChanged } from '../uploads/notify-upload-changed.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { findFiles } from '../uploads/uploads.loaders.ts'
import { getOwnGroup } from './accept-group.ts'
import { lockBatch, saveChoice } from './batches.db.ts'
import { proposeForPerson } from './grouping/group-upload.ts'
import { getOpenGroup } from './regroup-files.ts'

/**
 * Keeps the patient whom the author of a group has chosen for it, until it has other files, and proposes the rest for this
 * patient. Throws CONFLICT if it was submitted meanwhile, BAD_USER_INPUT if it has no files, and NOT_FOUND if the actor may
 * not read the patient.
 */
export async function chooseGroupPatient(
  ctx: UserCtx,
  { uploadId, patientId }: { uploadId: string; patientId: string },
): Promise<UploadRow> {
  return inTransaction(ctx, async (tx) => {
    const { batch_id } = await getOwnGroup(tx, uploadId)
    await lockBatch(tx.db, batch_id!)
    const group = await getOpenGroup(tx, uploadId)
    await lockDrafts(tx, [group])
    const patient = await getPatient(tx, patientId)
    const files = await findFiles(tx, uploadId)
    if (files.length === 0) throw noFiles()
    await saveChoice(tx.db, {
      upload_id: uploadId,
      patient_id: patient.id,
      file_ids: files.map(({ id }) => id),
    })
    await recordAudit(tx, {
      action: 'batch.choose-patient',
      subject: { type: 'upload', id: uploadId },
      patientId: patient.id,
    })
    // Institution and doctor are those of this patient. The job that joins groups leaves what a person has chosen.
    await proposeForPerson(tx, group)
    await notifyUploadChanged(tx, group)
    return getUpload(tx, uploadId)
  })
}
