import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalidState } from '../../errors.ts'
import { getUpload, getUploadToChange } from './find-upload.ts'
import { moveUpload } from './move-upload.ts'
import { canSubmit } from './uploads.access.ts'
import { countReceived, type UploadRow } from './uploads.db.ts'

/**
 * Submits an upload whose files have all arrived, for its author. Moves it to `checking` and enqueues the
 * check of its files; a rejected upload returns to review at once, because its files are unchanged.
 */
export async function submitUpload(ctx: UserCtx, id: string): Promise<UploadRow> {
  return inTransaction(ctx, async (tx) => {
    const upload = await getUploadToChange(tx, id)
    if (!canSubmit(tx.actor, upload)) throw forbidden('submit upload')
    if (upload.state === 'rejected') {
      await moveUpload(tx, id, upload.patient_id ? 'in_review' : 'unassigned', 'upload.submit')
      return getUpload(tx, id)
    }
    await moveUpload(tx, id, 'checking', 'upload.submit')
    const { unfinished, finished } = await countReceived(tx.db, id)
    if (unfinished > 0)
      throw invalidState('unfinished transfers', 'Unele fișiere nu s-au încărcat încă până la capăt.')
    if (finished === 0) throw invalidState('no files', 'Adaugă cel puțin un fișier.')
    await tx.services.jobs.enqueue(tx.db, 'check-upload', { uploadId: id })
    return getUpload(tx, id)
  })
}
