import type { UserCtx } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { getChangeableUpload } from '../find-upload.ts'
import { canSend, canTransfer } from '../uploads.access.ts'
import { selectTransfer, type Transfer } from './transfers.db.ts'

/** The transfer of a user's file to an upload. */
export type UserTransfer = Transfer & { upload_id: string; user_id: string }

/**
 * Returns a transfer to the user who began it. Throws NOT_FOUND for any other user, for a cancelled transfer,
 * and while the user may not send files, a user of an institution for the institution of the upload.
 */
export async function getTransfer(ctx: UserCtx, id: string): Promise<UserTransfer> {
  const transfer = canTransfer(ctx.actor) ? await selectTransfer(ctx.db, id) : undefined
  if (!transfer || !isOfUser(transfer, ctx.actor.id) || transfer.state === 'cancelled')
    throw notFound('transfer')
  if (canSend(ctx.actor)) await getChangeableUpload(ctx, transfer.upload_id)
  return transfer
}

export const isOfUser = (transfer: Transfer, userId: string): transfer is UserTransfer =>
  transfer.user_id === userId
