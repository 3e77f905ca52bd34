import type { UserCtx } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { selectTransfer, type Transfer } from './transfers.db.ts'

/**
 * Returns a transfer to the user who began it. Throws NOT_FOUND for any other user and for a cancelled
 * transfer.
 */
export async function getTransfer(ctx: UserCtx, id: string): Promise<Transfer> {
  const transfer = await selectTransfer(ctx.db, id)
  if (!transfer || transfer.user_id !== ctx.actor.id || transfer.state === 'cancelled')
    throw notFound('transfer')
  return transfer
}
