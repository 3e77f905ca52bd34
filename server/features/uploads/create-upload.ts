import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { blockCategorySaves } from '../categories/find-category.ts'
import { blockMerges } from '../patients/merge-lock.ts'
import { getChangedUpload } from './find-upload.ts'
import { readUploadInput } from './upload-input.ts'
import { canCreateUploads } from './uploads.access.ts'
import { insertUpload, type UploadRow } from './uploads.db.ts'

/** Creates an upload in state `receiving`. Its files are uploaded over tus, and `submitUpload` submits it. */
export async function createUpload(ctx: UserCtx, input: unknown): Promise<UploadRow> {
  if (!canCreateUploads(ctx.actor)) throw forbidden('create upload')
  return inTransaction(ctx, async (tx) => {
    await blockCategorySaves(tx)
    await blockMerges(tx)
    const values = await readUploadInput(tx, input)
    return addDraft(tx, values)
  })
}

/**
 * Adds a draft of the actor with details that were read in this transaction; `sender_institution_id`: the institution in whose
 * name its user sends it.
 */
export async function addDraft(
  tx: UserCtx,
  values: Awaited<ReturnType<typeof readUploadInput>> & { sender_institution_id?: string },
): Promise<UploadRow> {
  const id = newId()
  await insertUpload(tx.db, { id, ...values, created_by: tx.actor.id })
  await recordAudit(tx, {
    action: 'upload.create',
    subject: { type: 'upload', id },
    patientId: values.patient_id,
  })
  return getChangedUpload(tx, id)
}
