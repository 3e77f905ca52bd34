import type { UserCtx } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { selectTransfer, type Transfer } from './transfers.db.ts'

/** A transfer for the person who began it; for anybody else it does not exist. */
export async function getTransfer(ctx: UserCtx, id: string): Promise<Transfer> {
  const transfer = await selectTransfer(ctx.db, id)
  if (!transfer || transfer.user_id !== ctx.actor.id || transfer.state === 'cancelled')
    throw notFound('transfer')
  return transfer
}
