import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid, notFound } from '../../errors.ts'
import { proposeUpload } from '../matching/propose-upload.ts'
import { editUpload } from '../uploads/edit-upload.ts'
import { getUpload } from '../uploads/find-upload.ts'
import { changedState } from '../uploads/move-upload.ts'
import { submitUpload } from '../uploads/submit-upload.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { canChangeBatch, canUseBatches } from './batches.access.ts'
import { selectChosenId, selectProposal } from './batches.db.ts'

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

/**
 * Returns all details: those given, then those that a person has chosen before, then those proposed. Institution and doctor
 * of the proposal belong to its patient.
 */
async function completeDetails(tx: UserCtx, upload: UploadRow, given: GroupDetails): Promise<GroupDetails> {
  const proposal = await selectProposal(tx.db, upload.id)
  const chosenId = (await selectChosenId(tx.db, upload.id)) ?? upload.patient_id
  // A proposal that was made before the last change may be of other files, or of a choice that has ended.
  const proposedId = proposal?.upload_version === upload.version ? proposal.patient_id : null
  const patientId = given.patientId ?? chosenId ?? proposedId
  const ofPatient =
    proposal && proposal.patient_id === patientId
      ? { institutionId: proposal.institution_id, referringDoctor: proposal.doctor }
      : await findOfPatient(tx, upload, patientId)
  const proposed: GroupDetails = {
    ...ofPatient,
    patientId,
    categorySlug: upload.category_slug ?? proposal?.category_slug,
    // Until a person has changed it, the title is the name of the file.
    title: upload.category_slug === null ? (proposal?.title ?? upload.title) : upload.title,
    examinedOn: upload.examined_on ?? proposal?.examined_on,
    accessionNumber: upload.accession_number ?? proposal?.accession_number,
    note: upload.note,
  }
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...proposed, ...Object.fromEntries(chosen) }
}

/** Returns what the files propose for another patient than the proposed one. */
async function findOfPatient(
  tx: UserCtx,
  upload: UploadRow,
  patientId: string | null,
): Promise<GroupDetails> {
  if (patientId === null) return {}
  if (patientId === upload.patient_id)
    return { institutionId: upload.institution_id, referringDoctor: upload.referring_doctor }
  const { institution, doctor } = await proposeUpload(tx, { ...upload, patient_id: patientId })
  return { institutionId: institution?.id ?? null, referringDoctor: doctor }
}
