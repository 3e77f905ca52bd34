import { LIMITS } from '../../../../shared/limits.ts'
import { counted, formatBytes } from '../../../../shared/romania/romanian.ts'
import { cleanFileName } from '../../../../shared/uploads/file-names.ts'
import { inTransaction, type UserActor, type UserCtx } from '../../../context.ts'
import { conflict, invalidState, notFound, UserError } from '../../../errors.ts'
import { findSite } from '../../site/find-site.ts'
import { selectFile } from '../files/files.db.ts'
import { getChangeableUpload } from '../find-upload.ts'
import { canAddFiles, isOwn } from '../uploads.access.ts'
import { claimUpload, lockUpload } from '../uploads.db.ts'
import { getTransfer, isOfUser, type UserTransfer } from './get-transfer.ts'
import { requireSpace } from './require-space.ts'
import { inSenderSlot } from './sender-slots.ts'
import { fileTooLarge, otherFile, removedFile } from './transfer-errors.ts'
import {
  countFilesOf,
  countUnfinishedOf,
  lockTransfersOf,
  selectTransfer,
  type Transfer,
  upsertTransfer,
} from './transfers.db.ts'

const WHAT_TO_DO = 'Termină-le sau anulează-le, apoi încearcă din nou.'

export type TransferInput = { id: string; uploadId: string; name: string; size: number; sha256: Buffer }

/**
 * Begins the transfer of one more file to an upload in `receiving` or `rejected`, for the upload's author. Returns a
 * transfer without bytes that only its user can see, or the one that the same announcement has begun before. Throws 413 if the user's unfinished files would be too many
 * bytes together, and 507 if the disk has no room for all that is announced.
 */
export async function beginTransfer(ctx: UserCtx, input: TransferInput): Promise<UserTransfer> {
  const { id, uploadId, name, size, sha256 } = input
  const begin = async (tx: UserCtx) => {
    await lockTransfersOf(tx.db, tx.actor.id)
    const earlier = await selectTransfer(tx.db, id)
    if (earlier && (earlier.state !== 'cancelled' || !isOfUser(earlier, tx.actor.id))) {
      await requireSame(tx, earlier, input)
      return getTransfer(tx, id)
    }
    // Of the file that was cancelled, if the server was killed before it deleted them.
    if (earlier) await tx.services.partialFiles.remove(id)
    const upload = await getChangeableUpload(tx, uploadId)
    const refusal = refusalOf(tx.actor, upload)
    if (refusal) throw refusal
    const { upload_file_mib, upload_files, upload_unfinished_per_user } = await findSite(tx.db)
    const maxBytes = upload_file_mib * 1024 ** 2
    if (size > maxBytes) throw fileTooLarge(maxBytes)
    // Until the commit, so that a small file that arrives whole at the same time is counted.
    await lockUpload(tx.db, uploadId)
    if ((await countFilesOf(tx.db, uploadId)) >= upload_files) throw tooManyFiles(upload_files)
    const { unfinished, unfinishedBytes } = await countUnfinishedOf(tx.db, 'user_id', tx.actor.id)
    if (unfinished >= upload_unfinished_per_user) {
      throw new UserError(
        'TOO_MANY',
        'too many unfinished transfers',
        `Ai prea multe fișiere neterminate. ${WHAT_TO_DO}`,
      )
    }
    if (unfinishedBytes + size > LIMITS.unfinishedBytes) {
      throw new UserError(
        413,
        'too many unfinished bytes',
        `Fișierele neterminate ale unei persoane au împreună cel mult ${formatBytes(LIMITS.unfinishedBytes)}. ${WHAT_TO_DO}`,
      )
    }
    await requireSpace(tx, size)
    // Who corrects what a program has sent is its author from now on.
    if (upload.created_by === null && !(await claimUpload(tx.db, uploadId, tx.actor.id)))
      throw conflict('upload of a program')
    return upsertTransfer(tx.db, {
      id,
      upload_id: uploadId,
      user_id: tx.actor.id,
      name: cleanFileName(name),
      size,
      sha256,
    })
  }
  return inSenderSlot(ctx.actor.id, () => inTransaction(ctx, begin))
}

/** Returns why the upload takes no file of the actor; null if it takes one. */
export function refusalOf(actor: UserActor, upload: Parameters<typeof canAddFiles>[1]): UserError | null {
  if (canAddFiles(actor, upload)) return null
  if (!isOwn(actor, upload)) return notFound('upload')
  return upload.created_by === null
    ? invalidState('sent by a program', 'Încărcarea este a unei integrări: nu primește alte fișiere.')
    : invalidState('upload already submitted', 'Încărcarea a fost deja trimisă la verificare.')
}

export const tooManyFiles = (most: number) =>
  invalidState('too many files', `O încărcare are cel mult ${counted(most, 'fișier', 'fișiere')}.`)

/**
 * Throws NOT_FOUND for the id of another user's transfer, and INVALID_STATE if the user has announced another file by it, or
 * its file was taken out of the upload since.
 */
export async function requireSame(
  { db, actor }: UserCtx,
  transfer: Transfer,
  { uploadId, size, sha256 }: TransferInput,
): Promise<void> {
  if (!isOfUser(transfer, actor.id)) throw notFound('transfer')
  if (transfer.upload_id !== uploadId || transfer.size !== size || !transfer.sha256.equals(sha256))
    throw otherFile()
  if (transfer.file_id && !(await selectFile(db, transfer.file_id))) throw removedFile()
}
