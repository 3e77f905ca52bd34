import type { UserCtx } from '../../../context.ts'
import { moveUpload } from '../move-upload.ts'
import { selectFiles, type UploadRow } from '../uploads.db.ts'
import { clearDraft, forgetChecks } from './drafts.db.ts'
import { groupLater } from './group-later.ts'

/**
 * Makes a submitted upload of a batch, which the transaction has locked and which has no verdict, a draft again: without
 * patient and institution, and with files that are read and checked anew. A check that runs meanwhile changes nothing.
 */
export async function returnToDraft(tx: UserCtx, upload: UploadRow): Promise<void> {
  const { id, patient_id, created_by: authorId } = upload
  await moveUpload(tx, id, 'receiving', 'upload.undo-filing', { patient_id: { from: patient_id, to: null } })
  await clearDraft(tx.db, id)
  await forgetChecks(tx.db, id)
  for (const file of await selectFiles(tx.db, id))
    await tx.services.jobs.enqueue(tx.db, 'read-file', { fileId: file.id, authorId })
  // Of files that the check had not reached the readings are still there.
  await groupLater(tx, upload)
}
