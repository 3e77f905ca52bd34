import type { UserCtx } from '../../../context.ts'
import { finishTransfer } from './finish-transfer.ts'
import { transferMoved } from './transfer-errors.ts'
import { type Transfer, updateReceived } from './transfers.db.ts'

/**
 * Returns the offset at which a transfer continues; the caller has locked it. The file on the disk decides,
 * since bytes that a killed server had received count if they are durable. If all bytes are there, the
 * transfer is finished now, because a client without bytes to send makes no further request.
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
