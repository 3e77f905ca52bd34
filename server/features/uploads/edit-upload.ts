import { onlyDoctor } from '../../../shared/referring-doctor.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid } from '../../errors.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { blockCategorySaves } from '../categories/find-category.ts'
import { isOpenReferral, listReferrals } from '../patients/list-referrals.ts'
import { blockMerges } from '../patients/merge-lock.ts'
import { changeDetails } from './change-locked-upload.ts'
import { groupLater } from './drafts/group-later.ts'
import { getChangedUpload, getUploadToChange } from './find-upload.ts'
import { moveUpload } from './move-upload.ts'
import { notifyUploadChanged } from './notify-upload-changed.ts'
import { readUploadInput } from './upload-input.ts'
import { canEditUpload, wasReleased } from './uploads.access.ts'
import { deleteOtherChoice, type UploadRow } from './uploads.db.ts'
import { findFormer, isOfFormerPatient } from './versions/find-versions.ts'

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

type UploadDetails = Awaited<ReturnType<typeof readUploadInput>>

/**
 * Returns the values with the doctor replaced if the upload moves to another patient and its doctor comes
 * from a referral of the former patient: with the only doctor among the new patient's referrals from the
 * institution, or none. A doctor named in no referral of the former patient stays.
 */
export async function withOwnDoctor(
  ctx: UserCtx,
  seen: UploadRow,
  values: UploadDetails,
): Promise<UploadDetails> {
  const { patient_id, institution_id, referring_doctor } = values
  const isMoved = seen.patient_id !== null && seen.patient_id !== patient_id
  if (!isMoved || referring_doctor === null || referring_doctor !== seen.referring_doctor) return values
  const former = await listReferrals(ctx, seen.patient_id!)
  if (!former.some(({ doctor }) => doctor === referring_doctor)) return values
  const referrals = patient_id && institution_id ? await listReferrals(ctx, patient_id, [institution_id]) : []
  const own = referrals.filter(isOpenReferral).map(({ doctor }) => doctor)
  return own.includes(referring_doctor) ? values : { ...values, referring_doctor: onlyDoctor(own) }
}

/**
 * Throws BAD_USER_INPUT if a new version would get another patient than the version whose place it takes: its release
 * would take a result away from one patient and give it to another.
 */
async function requirePatientOfFormer(
  tx: UserCtx,
  seen: UploadRow,
  patient_id: string | null,
): Promise<void> {
  if (isOfFormerPatient({ patient_id }, await findFormer(tx, seen))) return
  throw invalid([
    {
      field: 'patientId',
      message:
        'O versiune nouă rămâne la pacientul celei vechi. Dacă rezultatul este al altcuiva, retrage-o.',
    },
  ])
}

/**
 * Throws BAD_USER_INPUT if a result that was released would get another patient or institution: those who opened it
 * would not be asked to delete it.
 */
function requireRecipientOfRelease(seen: UploadRow, values: UploadDetails): void {
  if (!wasReleased(seen)) return
  if (values.patient_id !== seen.patient_id)
    throw invalid([
      {
        field: 'patientId',
        message:
          'Rezultatul a fost deja eliberat pentru acest pacient: un verificator îl mută din „Corectează”, cu „Alt pacient”.',
      },
    ])
  if (seen.institution_id !== null && values.institution_id !== seen.institution_id)
    throw invalid([
      {
        field: 'institutionId',
        message:
          'Rezultatul a fost deja eliberat acestei instituții: un verificator o schimbă din „Corectează”, cu „Datele încărcării”.',
      },
    ])
}

/**
 * Changes an upload's details, its patient included, before the verdict; for its author and for reviewers. An
 * unassigned upload goes to review when it gets a patient, and an upload in review that loses its patient
 * becomes unassigned. Throws BAD_USER_INPUT if it was released and would get another patient or institution.
 */
export async function editUpload(
  ctx: UserCtx,
  { id, version, upload: input }: { id: string; version: number; upload: unknown },
): Promise<UploadRow> {
  return inTransaction(ctx, async (tx) => {
    // Before the upload is locked, in the order of the category editor's save and of a merge of patients: the
    // other order could deadlock.
    await blockCategorySaves(tx)
    await blockMerges(tx)
    const seen = await getUploadToChange(tx, id)
    if (!canEditUpload(tx.actor, seen)) throw forbidden('edit upload')
    const values = await withOwnDoctor(tx, seen, await readUploadInput(tx, input, seen))
    requireRecipientOfRelease(seen, values)
    if (values.patient_id !== seen.patient_id) await requirePatientOfFormer(tx, seen, values.patient_id)
    await changeDetails(tx, { id, version }, values)
    if (seen.batch_id) await deleteOtherChoice(tx.db, id, values.patient_id)
    await recordAudit(tx, {
      action: 'upload.assign',
      subject: { type: 'upload', id },
      patientId: values.patient_id,
      changes: listChanges({ ...seen }, { ...seen, ...values }, FIELDS),
    })
    if (seen.state === 'unassigned' && values.patient_id) {
      await moveUpload(tx, id, 'in_review', 'upload.submit')
      await tx.services.jobs.enqueue(tx.db, 'accept-by-policy', { uploadId: id })
    }
    if (seen.state === 'in_review' && !values.patient_id)
      await moveUpload(tx, id, 'unassigned', 'upload.submit')
    // Notifies the pages of the former patient as well, so that they drop the upload.
    if (seen.patient_id !== values.patient_id) await notifyUploadChanged(tx, seen)
    await notifyUploadChanged(tx, { ...seen, ...values })
    await groupLater(tx, seen)
    return getChangedUpload(tx, id)
  })
}
