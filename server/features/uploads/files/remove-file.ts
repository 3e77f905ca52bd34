import { z } from 'zod'
import { LIMITS } from '../../../../shared/limits.ts'
import { inTransaction, type UserCtx } from '../../../context.ts'
import { conflict, forbidden, notFound } from '../../../errors.ts'
import { isId } from '../../../platform/ids.ts'
import { parseInput, requiredText } from '../../../validation.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { findUploadToChange, getUpload } from '../find-upload.ts'
import { moveUpload } from '../move-upload.ts'
import { notifyUploadChanged } from '../notify-upload-changed.ts'
import { canRemoveFiles, canRemoveSomeFiles } from '../uploads.access.ts'
import { type UploadRow, updateUploadVersion } from '../uploads.db.ts'
import { markFileRemoved, selectFile, selectRemovedFile, unmarkFileRemoved } from './files.db.ts'

const schema = z.object({ reason: requiredText('Motivul', LIMITS.shortText) })

/**
 * Removes one file from an upload, with a reason; no route serves the file from then on. It can be restored
 * for 30 days, then `purgeFiles` deletes its bytes. Returns the upload with a new version, so that a verdict
 * on the former files is rejected.
 */
export async function removeFile(
  ctx: UserCtx,
  { id, ...input }: { id: string; reason: string },
): Promise<UploadRow> {
  const { reason } = parseInput(schema, input)
  return inTransaction(ctx, async (tx) => {
    const file = isId(id) ? await selectFile(tx.db, id) : undefined
    const upload = await getUploadWithRemovableFiles(tx, file)
    if (!(await markFileRemoved(tx.db, id, { at: tx.now, by: tx.actor.id, reason }))) throw conflict('file')
    return recordFileChange(tx, upload.id, id, 'file.remove', reason)
  })
}

/**
 * Restores a removed file whose bytes are not yet purged. An accepted or released upload returns to review,
 * so that no institution sees the file before a new verdict.
 */
export async function restoreFile(ctx: UserCtx, id: string): Promise<UploadRow> {
  return inTransaction(ctx, async (tx) => {
    const file = isId(id) ? await selectRemovedFile(tx.db, id) : undefined
    const { id: uploadId, state } = await getUploadWithRemovableFiles(tx, file)
    if (!(await unmarkFileRemoved(tx.db, id))) throw conflict('file')
    if (state === 'accepted' || state === 'released')
      await moveUpload(tx, uploadId, 'in_review', 'upload.return')
    return recordFileChange(tx, uploadId, id, 'file.restore', null)
  })
}

/**
 * Locks and returns the upload of a file. Throws FORBIDDEN if the actor may not remove and restore its files, and
 * NOT_FOUND for an unknown file; to users without the feature both are FORBIDDEN.
 */
async function getUploadWithRemovableFiles(
  tx: UserCtx,
  file: { upload_id: string } | undefined,
): Promise<UploadRow> {
  const upload = file && (await findUploadToChange(tx, file.upload_id))
  if (upload && canRemoveFiles(tx.actor, upload)) return upload
  throw !upload && canRemoveSomeFiles(tx.actor) ? notFound('file') : forbidden('remove file')
}

async function recordFileChange(
  tx: UserCtx,
  uploadId: string,
  fileId: string,
  action: 'file.remove' | 'file.restore',
  reason: string | null,
): Promise<UploadRow> {
  await updateUploadVersion(tx.db, uploadId, tx.now)
  const upload = await getUpload(tx, uploadId)
  await recordAudit(tx, {
    action,
    subject: { type: 'file', id: fileId },
    patientId: upload.patient_id,
    ...(reason && { changes: { removed_reason: { from: null, to: reason } } }),
  })
  await notifyUploadChanged(tx, upload)
  return upload
}
