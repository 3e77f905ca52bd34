import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid, notFound } from '../../errors.ts'
import { proposeUpload } from '../matching/propose-upload.ts'
import { editUpload } from '../uploads/edit-upload.ts'
import { getUpload } from '../uploads/find-upload.ts'
import { changedState } from '../uploads/move-upload.ts'
import { submitUpload } from '../uploads/submit-upload.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { canChangeBatch, canUseBatches } from './batches.access.ts'
import { selectProposal } from './batches.db.ts'

/** What a person has chosen; the proposal has what is left out, and null is nothing. */
export type GroupDetails = Partial<
  Record<
    | 'patientId'
    | 'institutionId'
    | 'categorySlug'
    | 'title'
    | 'examinedOn'
    | 'accessionNumber'
    | 'referringDoctor'
    | 'note',
    string | null | undefined
  >
>

/**
 * Files a group, for its author: sets its details, those proposed unless others are given, and submits it by the rules of
 * `editUpload` and `submitUpload`. Throws CONFLICT if `version` is not the current one, and BAD_USER_INPUT without a patient.
 */
export async function acceptGroup(
  ctx: UserCtx,
  {
    uploadId,
    version,
    details,
  }: { uploadId: string; version: number; details?: GroupDetails | null | undefined },
): Promise<UploadRow> {
  const upload = await getOwnGroup(ctx, uploadId)
  if (upload.state !== 'receiving') throw changedState(upload.state, 'accept group')
  return inTransaction(ctx, async (tx) => {
    const input = await completeDetails(tx, upload, details ?? {})
    if (!input.patientId) throw invalid([{ field: 'patientId', message: 'Alege pacientul.' }])
    const { version: edited } = await editUpload(tx, { id: uploadId, version, upload: input })
    return submitUpload(tx, { id: uploadId, version: edited })
  })
}

/** Returns a group for a change by its author. Throws FORBIDDEN or NOT_FOUND. */
export async function getOwnGroup(ctx: UserCtx, uploadId: string): Promise<UploadRow> {
  if (!canUseBatches(ctx.actor)) throw forbidden('change group')
  const upload = await getUpload(ctx, uploadId)
  if (!canChangeBatch(ctx.actor, upload)) throw forbidden('change group')
  if (!upload.batch_id) throw notFound('group')
  return upload
}

/** Returns all details: those given, then those proposed. For another patient than the proposed one the institution is searched anew. */
async function completeDetails(tx: UserCtx, upload: UploadRow, given: GroupDetails): Promise<GroupDetails> {
  const proposal = await selectProposal(tx.db, upload.id)
  const proposed: GroupDetails = {
    patientId: proposal?.patient_id ?? upload.patient_id,
    institutionId: proposal?.institution_id ?? upload.institution_id,
    categorySlug: proposal?.category_slug ?? upload.category_slug,
    title: proposal?.title ?? upload.title,
    examinedOn: proposal?.examined_on ?? upload.examined_on,
    accessionNumber: proposal?.accession_number ?? upload.accession_number,
    referringDoctor: proposal?.doctor ?? upload.referring_doctor,
    note: upload.note,
  }
  const patientId = given.patientId ?? null
  if (patientId !== null && patientId !== proposed.patientId) {
    const ofPatient = await proposeUpload(tx, { ...upload, patient_id: patientId })
    proposed.institutionId = ofPatient.institution?.id ?? null
    proposed.referringDoctor = ofPatient.doctor
  }
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...proposed, ...Object.fromEntries(chosen) }
}
