import { titleOfFiles } from '../../../../shared/uploads/title-proposal.ts'
import { type Ctx, inTransaction, type UserCtx } from '../../../context.ts'
import { forbidden, invalid, notFound } from '../../../errors.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { blockCategorySaves } from '../../categories/find-category.ts'
import { getPatient } from '../../patients/get-patient.ts'
import { isOpenReferral, listReferrals } from '../../patients/list-referrals.ts'
import { blockMerges } from '../../patients/merge-lock.ts'
import { changeDetails, detailsOf, raiseUploadVersion } from '../change-locked-upload.ts'
import { withOwnDoctor } from '../edit-upload.ts'
import { getUpload, getUploadToChange } from '../find-upload.ts'
import { changedState } from '../move-upload.ts'
import { notifyUploadChanged } from '../notify-upload-changed.ts'
import { isOwn } from '../uploads.access.ts'
import { countUnfinished, type FileRow, insertUpload, selectFiles, type UploadRow } from '../uploads.db.ts'
import { moveFileRows } from './drafts.db.ts'
import { groupLater } from './group-later.ts'

type Input = { uploadId: string; fileIds: readonly string[]; patientId: string }

/**
 * Gives files of a draft to another patient, for its author: in a new draft, or, if they are all its files and none is under
 * way, with the draft itself. A new version of a result stays with its patient, so that its files always get a new draft.
 * Returns the upload that has them now. Throws CONFLICT if the upload was submitted meanwhile.
 */
export async function moveFiles(ctx: UserCtx, { uploadId, fileIds, patientId }: Input): Promise<UploadRow> {
  const ids = [...new Set(fileIds)]
  return inTransaction(ctx, async (tx) => {
    await blockCategorySaves(tx)
    await blockMerges(tx)
    const upload = await getUploadToChange(tx, uploadId)
    if (!isOwn(tx.actor, upload)) throw forbidden('move files')
    if (upload.state !== 'receiving') throw changedState(upload.state, 'move files')
    if (ids.length === 0) throw noFiles()
    const files = await selectFiles(tx.db, uploadId)
    if (!ids.every((id) => files.some((file) => file.id === id))) throw notFound('file')
    const recipient = await findRecipient(tx, upload, patientId)
    const isWhole = ids.length === files.length && (await countUnfinished(tx.db, uploadId)) === 0
    const moved = files.filter(({ id }) => ids.includes(id))
    if (isWhole && upload.replaces_id === null) return moveDraft(tx, upload, recipient, moved)
    return moveToNewDraft(tx, upload, recipient, moved)
  })
}

type Recipient = { patient: Awaited<ReturnType<typeof getPatient>>; institution_id: string | null }

/** Returns the other patient, with the only institution that refers this patient. */
async function findRecipient(tx: UserCtx, upload: UploadRow, patientId: string): Promise<Recipient> {
  const patient = await getPatient(tx, patientId)
  if (patient.id === upload.patient_id)
    throw invalid([{ field: 'patientId', message: 'Fișierele sunt deja la acest pacient.' }])
  const open = (await listReferrals(tx, patient.id)).filter(
    (referral) => isOpenReferral(referral) && !referral.institution_suspended,
  )
  const [only = null, ...others] = new Set(open.map(({ institution_id }) => institution_id))
  return { patient, institution_id: others.length === 0 ? only : null }
}

async function moveDraft(
  tx: UserCtx,
  upload: UploadRow,
  { patient, institution_id }: Recipient,
  moved: readonly FileRow[],
): Promise<UploadRow> {
  const values = await withOwnDoctor(tx, upload, {
    ...detailsOf(upload),
    patient_id: patient.id,
    institution_id,
  })
  await changeDetails(tx, upload, values)
  await recordMove(tx, { from: upload, to: { ...upload, ...values }, ids: moved.map(({ id }) => id) })
  await notifyUploadChanged(tx, upload)
  await notifyUploadChanged(tx, { ...upload, ...values })
  await groupLater(tx, upload)
  return getUpload(tx, upload.id)
}

/** The details of the draft are about the files that stay; what the moved ones say is proposed to their author. */
async function moveToNewDraft(
  tx: UserCtx,
  upload: UploadRow,
  { patient, institution_id }: Recipient,
  moved: readonly FileRow[],
): Promise<UploadRow> {
  const id = newId()
  const ids = moved.map((file) => file.id)
  await insertUpload(tx.db, {
    id,
    patient_id: patient.id,
    institution_id,
    category_slug: null,
    title: titleOfFiles(
      moved.map(({ name }) => name),
      `${patient.surname} ${patient.given_names}`,
    ),
    examined_on: null,
    accession_number: null,
    referring_doctor: null,
    note: null,
    created_by: upload.created_by,
    integration_id: upload.integration_id,
    batch_id: upload.batch_id,
  })
  await moveFileRows(tx.db, ids, id)
  const draft = await getUpload(tx, id)
  await recordAudit(tx, {
    action: 'upload.create',
    subject: { type: 'upload', id },
    patientId: draft.patient_id,
  })
  await recordMove(tx, { from: upload, to: draft, ids })
  await raiseUploadVersion(tx, upload)
  await notifyUploadChanged(tx, draft)
  await groupLater(tx, upload)
  await groupLater(tx, draft)
  return draft
}

/** An error for a move of no files. */
export const noFiles = (): Error => invalid([{ field: 'fileIds', message: 'Alege cel puțin un fișier.' }])

/** Records the move for both uploads and their patients, so that it is found from either. */
export async function recordMove(
  tx: Ctx,
  { from, to, ids }: { from: UploadRow; to: UploadRow; ids: readonly string[] },
): Promise<void> {
  const action = 'file.move'
  const changes = { patient_id: { from: from.patient_id, to: to.patient_id }, files: { to: ids.length } }
  const entry = { action, subjectIds: ids } as const
  const isSame = from.id === to.id
  await recordAudit(tx, {
    ...entry,
    subject: { type: 'upload', id: from.id },
    patientId: from.patient_id,
    changes: isSame ? changes : { ...changes, moved_to: { to: to.number } },
  })
  await recordAudit(tx, {
    ...entry,
    subject: { type: 'upload', id: to.id },
    patientId: to.patient_id,
    changes: isSame ? changes : { ...changes, moved_from: { to: from.number } },
  })
}
