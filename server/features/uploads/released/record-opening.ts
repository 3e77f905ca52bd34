import { type Ctx, inTransaction, type UserCtx } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { findUpload } from '../find-upload.ts'
import { isRecipient } from '../uploads.access.ts'
import { type UploadRow, upsertOpening } from '../uploads.db.ts'
import { lockOpeningsForShare } from './released.db.ts'

/**
 * Runs `record` in a transaction, for a user of an institution after marking the upload as opened. Throws NOT_FOUND if
 * the upload has left the institution meanwhile, so that the openings are complete when it is taken away from it.
 */
export function recordOpening(
  ctx: UserCtx,
  upload: UploadRow,
  { downloaded }: { downloaded: boolean },
  record: (tx: UserCtx) => Promise<void>,
): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    if (isRecipient(tx.actor)) {
      await lockOpeningsForShare(tx.db, upload.id)
      if (!(await findUpload(tx, upload.id))) throw notFound('upload')
      await upsertOpening(tx.db, upload.id, tx.actor.id, tx.now, downloaded)
    }
    await record(tx)
  })
}

/** Keeps the uploads from being taken away from their readers until the transaction ends, so that their openings are complete then. */
export async function holdUploads(tx: Ctx, uploadIds: readonly string[]): Promise<void> {
  for (const id of [...new Set(uploadIds)].sort()) await lockOpeningsForShare(tx.db, id)
}
