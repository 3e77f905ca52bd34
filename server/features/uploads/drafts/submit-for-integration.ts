import { type Ctx, type SystemActor, withActor } from '../../../context.ts'
import { listChanges } from '../../audit/list-changes.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { changeDetails, detailsOf } from '../change-locked-upload.ts'
import { moveUpload } from '../move-upload.ts'
import { readUploadInput } from '../upload-input.ts'
import { authorIdOf } from '../uploads.access.ts'
import { countUnfinished, type UploadRow, updateFiledAt } from '../uploads.db.ts'

/**
 * Submits a draft that an integration has sent, and that the transaction has locked, with these details and in the name of
 * the integration; `created_by` stays null, so that a reviewer decides in every category. Throws like `readUploadInput`.
 */
export async function submitForIntegration(
  tx: Ctx<SystemActor>,
  upload: UploadRow,
  { name, details }: { name: string; details: object },
): Promise<void> {
  const { id, version } = upload
  if ((await countUnfinished(tx.db, id)) > 0) return
  const values = await readUploadInput(tx, details, upload)
  const own = withActor<Ctx['actor']>(tx, { kind: 'integration', id: upload.integration_id!, name })
  await changeDetails(own, { id, version }, values)
  await recordAudit(own, {
    action: 'upload.assign',
    subject: { type: 'upload', id },
    patientId: values.patient_id,
    changes: listChanges(detailsOf(upload), values, ['patient_id', 'institution_id', 'category_slug']),
  })
  await updateFiledAt(tx.db, id, tx.now)
  await moveUpload(own, id, 'checking', 'upload.submit')
  await tx.services.jobs.enqueue(tx.db, 'check-upload', { uploadId: id, authorId: authorIdOf(upload) })
}
