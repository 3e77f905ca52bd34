import type { UserCtx } from '../../../context.ts'
import { finishTransfer } from './finish-transfer.ts'
import { transferMoved } from './transfer-errors.ts'
import { type Transfer, updateReceived } from './transfers.db.ts'

/**
 * Where a transfer stands; called under its lock. The disk decides: what a server that died had received counts as soon as
 * it is durable. Where all of the file is there and only its row is missing, the file is finished now, since a client that
 * hears that nothing is left to send never comes back.
 */
export async function resumeTransfer(ctx: UserCtx, transfer: Transfer): Promise<number> {
  if (transfer.state === 'finished') return transfer.size
  const size = await ctx.services.partialFiles.flush(transfer.id)
  if (size < transfer.received) {
    ctx.services.log.error('upload: acknowledged bytes are missing', {
      transfer: transfer.id,
      size,
      received: transfer.received,
    })
  }
  if (size >= transfer.size) {
    await finishTransfer(ctx, transfer)
    return transfer.size
  }
  if (size !== transfer.received) {
    const moved = await updateReceived(ctx.db, transfer.id, transfer.received, size, ctx.now)
    if (!moved) throw transferMoved()
  }
  return size
}
