import { inTransaction, type UserCtx, withSending } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { blockCategorySaves } from '../categories/find-category.ts'
import { blockMerges } from '../patients/merge-lock.ts'
import { changeDetails, detailsOf } from '../uploads/change-locked-upload.ts'
import { getChangedUpload, getUploadToChange } from '../uploads/find-upload.ts'
import { changedState } from '../uploads/move-upload.ts'
import { canEditUpload, isOwn } from '../uploads/uploads.access.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { readSentInput, type SentInput } from './sent-input.ts'

/** Changes the details of an upload, its patient included, for the user of an institution who sends it, until it is submitted. */
export async function editSentUpload(
  ctx: UserCtx,
  { id, version, upload: input }: { id: string; version: number; upload: Omit<SentInput, 'institutionId'> },
): Promise<UploadRow> {
  return inTransaction(withSending(ctx), async (tx) => {
    await blockCategorySaves(tx)
    await blockMerges(tx)
    const seen = await getUploadToChange(tx, id)
    if (!isOwn(tx.actor, seen)) throw forbidden('edit sent upload')
    if (!canEditUpload(tx.actor, seen)) throw changedState(seen.state, 'edit sent upload')
    const institutionId = seen.sender_institution_id!
    const values = await readSentInput(tx, { ...input, institutionId })
    await changeDetails(tx, { id, version }, values)
    await recordAudit(tx, {
      action: 'upload.assign',
      subject: { type: 'upload', id },
      patientId: values.patient_id,
      changes: listChanges(detailsOf(seen), values, ['patient_id', 'category_slug', 'title', 'examined_on']),
    })
    return getChangedUpload(tx, id)
  })
}
