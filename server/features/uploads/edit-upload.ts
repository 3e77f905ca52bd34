import { onlyDoctor } from '../../../shared/referring-doctor.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden } from '../../errors.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { keepCategoryList } from '../categories/find-category.ts'
import { listReferrals } from '../patients/list-referrals.ts'
import { getUpload, getUploadToChange } from './find-upload.ts'
import { moveUpload } from './move-upload.ts'
import { publishUpload } from './publish-upload.ts'
import { readUploadInput } from './upload-input.ts'
import { canEditUpload } from './uploads.access.ts'
import { type UploadRow, updateUploadDetails } from './uploads.db.ts'

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

type Facts = Awaited<ReturnType<typeof readUploadInput>>

/**
 * Moved to another patient, an upload does not keep the doctor of the former patient's referrals: it gets the only one of the
 * new patient's referrals from its institution, or none. A doctor named by no referral of the former patient stays.
 */
async function withOwnDoctor(ctx: UserCtx, seen: UploadRow, values: Facts): Promise<Facts> {
  const { patient_id, institution_id, referring_doctor } = values
  const isMoved = seen.patient_id !== null && seen.patient_id !== patient_id
  if (!isMoved || referring_doctor === null || referring_doctor !== seen.referring_doctor) return values
  const doctorsOf = async (patientId: string, institutionIds: string[] | null) =>
    (await listReferrals(ctx, patientId, institutionIds)).map(({ doctor }) => doctor)
  const former = await doctorsOf(seen.patient_id!, null)
  if (!former.includes(referring_doctor)) return values
  const own = patient_id && institution_id ? await doctorsOf(patient_id, [institution_id]) : []
  return own.includes(referring_doctor) ? values : { ...values, referring_doctor: onlyDoctor(own) }
}

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
    const values = await withOwnDoctor(tx, seen, await readUploadInput(tx, input, seen))
    if (!(await updateUploadDetails(tx.db, id, version, tx.now, values))) throw conflict('upload')
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
    if (seen.patient_id !== values.patient_id) await publishUpload(tx, seen)
    await publishUpload(tx, { id, ...values })
    return getUpload(tx, id)
  })
}
