import { open } from 'node:fs/promises'
import { inTransaction, type UserCtx } from '../../../context.ts'
import { invalidState, notFound, UserError } from '../../../errors.ts'
import { newId } from '../../../platform/ids.ts'
import { renewActor } from '../../accounts/sessions/renew-actor.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { insertFile } from '../files/files.db.ts'
import { HEAD_BYTES, recogniseHead } from '../inspection/recognise-file.ts'
import { notifyUploadChanged } from '../notify-upload-changed.ts'
import { authorIdOf, canAddFiles } from '../uploads.access.ts'
import { lockUpload } from '../uploads.db.ts'
import { cancelTransfer } from './cancel-transfer.ts'
import { checksumMismatch, isDiskFull, noSpace } from './transfer-errors.ts'
import { lockReceiving, type Transfer, updateFinished } from './transfers.db.ts'

/**
 * Makes a file of a transfer whose bytes have all arrived and are durable; the caller has locked it. Stores
 * the file, adds it to its upload, records it and enqueues its reading. The bytes stay in the incoming area until the commit, so
 * that a server killed before the commit can repeat everything and one killed after it has nothing left to
 * do.
 */
export async function finishTransfer(ctx: UserCtx, transfer: Transfer): Promise<void> {
  const { id, upload_id: uploadId, name, size, sha256 } = transfer
  const path = ctx.services.partialFiles.path(id)
  if (!(await ctx.services.partialFiles.digest(id)).equals(sha256)) {
    ctx.services.log.warn('upload: wrong checksum', { transfer: id, size })
    await cancelTransfer(ctx, id)
    throw checksumMismatch()
  }
  const { type, kind } = recogniseHead(await readHead(path))
  const { key } = await ctx.services.storage.importFile(path).catch((error: unknown) => {
    throw isDiskFull(error) ? noSpace() : error
  })
  const fileId = newId()
  try {
    await inTransaction(ctx, async (tx) => {
      if (!(await lockReceiving(tx.db, id))) throw notFound('transfer')
      const upload = await lockUpload(tx.db, uploadId)
      // The session may have ended, the upload been submitted or the permission been revoked since the
      // request began.
      const actor = await renewActor(tx)
      if (!upload || !canAddFiles(actor, upload)) {
        throw invalidState('upload takes no more files', 'Încărcarea nu mai primește fișiere.')
      }
      await insertFile(tx.db, {
        id: fileId,
        upload_id: uploadId,
        name,
        type,
        kind,
        size,
        sha256,
        storage_key: key,
      })
      await updateFinished(tx.db, id, size, fileId, new Date())
      await recordAudit(tx, {
        action: 'file.receive',
        subject: { type: 'file', id: fileId },
        patientId: upload.patient_id,
      })
      await tx.services.jobs.enqueue(tx.db, 'read-file', { fileId, authorId: authorIdOf(upload) })
      await notifyUploadChanged(tx, upload)
    })
  } catch (error) {
    // After any error but a UserError the transaction may have been committed, and the bytes must stay.
    if (error instanceof UserError) {
      await ctx.services.storage.remove(key)
      // A user who signs in again resumes the transfer where it stopped.
      if (error.code !== 'UNAUTHENTICATED') await discardTransfer(ctx, transfer)
    }
    throw error
  }
  await ctx.services.partialFiles.remove(id)
}

async function discardTransfer(ctx: UserCtx, { id, upload_id: uploadId }: Transfer): Promise<void> {
  await cancelTransfer(ctx, id)
  await recordAudit(ctx, {
    action: 'file.receive',
    subject: { type: 'upload', id: uploadId },
    outcome: 'denied',
  })
}

/** Reads the first bytes of a file, as many as its type is recognised by. */
async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
