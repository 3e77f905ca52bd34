import { inTransaction, type UserCtx } from '../../../context.ts'
import { invalidState, notFound, UserError, unauthenticated } from '../../../errors.ts'
import { newId } from '../../../platform/ids.ts'
import { findActorBySession } from '../../accounts/sessions/find-actor.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { insertFile } from '../files/files.db.ts'
import { readHead, recogniseHead } from '../inspection/recognise-file.ts'
import { publishUpload } from '../publish-upload.ts'
import { canAddFiles } from '../uploads.access.ts'
import { lockUpload } from '../uploads.db.ts'
import { cancelTransfer } from './cancel-transfer.ts'
import { checksumMismatch, isDiskFull, noSpace } from './transfer-errors.ts'
import { lockReceiving, type Transfer, updateFinished } from './transfers.db.ts'

/**
 * Makes a file of a transfer whose bytes have all arrived and are durable; called under its lock. Leaves the file in the
 * store and in its upload, with its row in the journal. The bytes stay in the incoming area until that is committed: a
 * server that dies before can do it all again, and one that dies after has nothing left to do.
 */
export async function finishTransfer(ctx: UserCtx, transfer: Transfer): Promise<void> {
  const { id, upload_id: uploadId, name, size, sha256 } = transfer
  const path = ctx.services.partialFiles.path(id)
  if (!(await ctx.services.partialFiles.digest(id)).equals(sha256)) {
    ctx.services.log.warn('upload: sha256 differs', { transfer: id, size })
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
      // Time has passed since the request began: the session may be over, the upload handed in, the rights taken away.
      const session = await findActorBySession(tx.db, tx.actor.sessionId, new Date())
      if (!session) throw unauthenticated()
      if (!upload || !canAddFiles(session.actor, upload)) {
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
      await publishUpload(tx, upload)
    })
  } catch (error) {
    // Anything but a refusal leaves open whether it was committed; then the bytes must stay.
    if (error instanceof UserError) {
      await ctx.services.storage.remove(key)
      // Whoever signs in again finds the file where it was.
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
