import { inTransaction, type UserCtx } from '../../../context.ts'
import { invalidState, notFound, UserError } from '../../../errors.ts'
import { renewActor } from '../../accounts/sessions/renew-actor.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { canAddFiles } from '../uploads.access.ts'
import { lockUpload } from '../uploads.db.ts'
import { addReceivedFile, recognisePartialFile, storePartialFile } from './add-received-file.ts'
import { cancelTransfer } from './cancel-transfer.ts'
import type { UserTransfer } from './get-transfer.ts'
import { requireChecksum } from './require-checksum.ts'
import { inSenderSlot } from './sender-slots.ts'
import { lockReceiving, updateFinished } from './transfers.db.ts'

/**
 * Makes a file of a transfer whose bytes have all arrived and are durable; the caller has locked it. Stores
 * the file, adds it to its upload, records it and enqueues its reading. The bytes stay in the incoming area until the commit, so
 * that a server killed before the commit can repeat everything and one killed after it has nothing left to
 * do.
 */
export async function finishTransfer(ctx: UserCtx, transfer: UserTransfer): Promise<void> {
  const { id, upload_id: uploadId, name, size, sha256 } = transfer
  await requireChecksum(ctx, transfer)
  const { type, kind } = await recognisePartialFile(ctx, id)
  const key = await storePartialFile(ctx, id)
  try {
    const finish = async (tx: UserCtx) => {
      // In this order, as a file that comes whole with its announcement locks them.
      const upload = await lockUpload(tx.db, uploadId)
      if (!(await lockReceiving(tx.db, id))) throw notFound('transfer')
      // The session may have ended, the upload been submitted or the permission been revoked since the
      // request began.
      const actor = await renewActor(tx)
      if (!upload || !canAddFiles(actor, upload)) {
        throw invalidState('upload takes no more files', 'Încărcarea nu mai primește fișiere.')
      }
      const file = { name, type, kind, size, sha256, storage_key: key }
      await updateFinished(tx.db, id, size, await addReceivedFile(tx, uploadId, file), new Date())
    }
    await inSenderSlot(ctx.actor.id, () => inTransaction(ctx, finish))
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

async function discardTransfer(ctx: UserCtx, { id, upload_id: uploadId }: UserTransfer): Promise<void> {
  await cancelTransfer(ctx, id)
  await recordAudit(ctx, {
    action: 'file.receive',
    subject: { type: 'upload', id: uploadId },
    outcome: 'denied',
  })
}
