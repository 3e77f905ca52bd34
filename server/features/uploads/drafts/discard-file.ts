import { inTransaction, type UserCtx } from '../../../context.ts'
import { forbidden, invalidState, notFound } from '../../../errors.ts'
import { isId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { raiseUploadVersion } from '../change-locked-upload.ts'
import { selectFile } from '../files/files.db.ts'
import { getChangedUpload, getUploadToChange } from '../find-upload.ts'
import { replaceFacts } from '../inspection/facts.db.ts'
import { changedState } from '../move-upload.ts'
import { deleteReading } from '../readings/readings.db.ts'
import { canSubmit, isOwn } from '../uploads.access.ts'
import type { UploadRow } from '../uploads.db.ts'
import { markFileDiscarded } from './drafts.db.ts'
import { groupLater } from './group-later.ts'

/**
 * Takes a file that has arrived, and was not checked yet, out of an upload, for its author before the upload is submitted or
 * after a rejection. It cannot be restored; `purgeFiles` deletes its bytes like those of removed files, and what was read in
 * it is deleted at once. Throws CONFLICT in any other state, and for a file that was checked.
 */
export async function discardFile(
  ctx: UserCtx,
  { uploadId, fileId }: { uploadId: string; fileId: string },
): Promise<UploadRow> {
  return inTransaction(ctx, async (tx) => {
    const upload = await getUploadToChange(tx, uploadId)
    if (!isOwn(tx.actor, upload)) throw forbidden('discard file')
    if (!canSubmit(tx.actor, upload)) throw changedState(upload.state, 'discard file')
    const file = isId(fileId) ? await selectFile(tx.db, fileId) : undefined
    if (file?.upload_id !== upload.id) throw notFound('file')
    if (!(await markFileDiscarded(tx.db, fileId, { at: tx.now, by: tx.actor.id })))
      throw invalidState('file already checked', 'Fișierul a trecut deja de control: elimină-l cu un motiv.')
    await deleteReading(tx.db, fileId)
    await replaceFacts(tx.db, fileId, [])
    await recordAudit(tx, {
      action: 'file.discard',
      subject: { type: 'file', id: fileId },
      patientId: upload.patient_id,
    })
    await raiseUploadVersion(tx, upload)
    await groupLater(tx, upload)
    return getChangedUpload(tx, upload.id)
  })
}
