import type { UserCtx } from '../../../context.ts'
import { changeDetails, detailsOf } from '../change-locked-upload.ts'
import { changedState, moveUpload } from '../move-upload.ts'
import { authorIdOf, wasReleased } from '../uploads.access.ts'
import { selectFiles, type UploadRow, updateAuthor, updateFiledAt } from '../uploads.db.ts'
import { forgetChecks } from './drafts.db.ts'
import { groupLater } from './group-later.ts'

/**
 * Makes a submitted upload of a batch, which the transaction has locked and which has no verdict, a draft again: without
 * patient and institution, and with files that are read and checked anew. A check that runs meanwhile changes nothing.
 */
export async function returnToDraft(tx: UserCtx, upload: UploadRow): Promise<void> {
  const { id, patient_id } = upload
  if (wasReleased(upload)) throw changedState(upload.state, 'return to draft')
  await moveUpload(tx, id, 'receiving', 'upload.undo-filing', { patient_id: { from: patient_id, to: null } })
  await updateFiledAt(tx.db, id, null)
  if (upload.integration_id) await updateAuthor(tx.db, id, null)
  const nobody = { patient_id: null, institution_id: null, referring_doctor: null }
  await changeDetails(tx, { id, version: upload.version + 1 }, { ...detailsOf(upload), ...nobody })
  await forgetChecks(tx.db, id)
  for (const file of await selectFiles(tx.db, id))
    await tx.services.jobs.enqueue(tx.db, 'read-file', { fileId: file.id, authorId: authorIdOf(upload) })
  // Of files that the check had not reached the readings are still there.
  await groupLater(tx, upload)
}
