import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden } from '../../errors.ts'
import { announce } from '../../platform/events.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { keepCategoryList } from '../categories/find-category.ts'
import { getUpload, getUploadToChange } from './find-upload.ts'
import { moveUpload } from './move-upload.ts'
import { readUploadInput } from './upload-input.ts'
import { canEditUpload } from './uploads.access.ts'
import { type UploadRow, updateUploadFacts } from './uploads.db.ts'

const FIELDS = [
  'patient_id',
  'institution_id',
  'category_slug',
  'title',
  'examined_on',
  'accession_number',
  'referring_doctor',
  'note',
] as const

/**
 * Its author or a reviewer changes an upload's facts, its patient among them, before the verdict. One without a patient
 * goes to review as soon as it has one, and back when it loses it.
 */
export async function editUpload(
  ctx: UserCtx,
  { id, version, upload: input }: { id: string; version: number; upload: unknown },
): Promise<UploadRow> {
  return inTransaction(ctx, async (tx) => {
    // Before the upload, as a saving of the categories does it; the other way round each would wait for the other.
    await keepCategoryList(tx)
    const seen = await getUploadToChange(tx, id)
    if (!canEditUpload(tx.actor, seen)) throw forbidden('edit upload')
    const values = await readUploadInput(tx, input, seen)
    if (!(await updateUploadFacts(tx.db, id, version, tx.now, values))) throw conflict('upload')
    await recordAudit(tx, {
      action: 'upload.assign',
      subject: { type: 'upload', id },
      patientId: values.patient_id,
      changes: listChanges({ ...seen }, { ...seen, ...values }, FIELDS),
    })
    if (seen.state === 'unassigned' && values.patient_id) {
      await moveUpload(tx, id, 'in_review', 'upload.submit')
      await tx.services.jobs.enqueue(tx.db, 'review.auto', { uploadId: id })
    }
    if (seen.state === 'in_review' && !values.patient_id)
      await moveUpload(tx, id, 'unassigned', 'upload.submit')
    // Whoever looks at the former patient's page sees it go.
    if (seen.patient_id !== values.patient_id) {
      await announce(tx.db, {
        kind: 'upload',
        id,
        patientId: seen.patient_id,
        institutionId: seen.institution_id,
      })
    }
    await announce(tx.db, {
      kind: 'upload',
      id,
      patientId: values.patient_id,
      institutionId: values.institution_id,
    })
    return getUpload(tx, id)
  })
}
