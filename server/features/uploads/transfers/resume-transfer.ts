import type { Ctx, UserCtx } from '../../../context.ts'
import { finishTransfer } from './finish-transfer.ts'
import type { UserTransfer } from './get-transfer.ts'
import { transferMoved } from './transfer-errors.ts'
import { type Transfer, updateReceived } from './transfers.db.ts'

/**
 * Returns the offset at which a transfer continues; the caller has locked it. If all bytes are there, the
 * transfer is finished now, because a client without bytes to send makes no further request.
 */
export async function resumeTransfer(ctx: UserCtx, transfer: UserTransfer): Promise<number> {
  const offset = await readOffset(ctx, transfer)
  if (transfer.state !== 'finished' && offset === transfer.size) await finishTransfer(ctx, transfer)
  return offset
}

/**
 * Returns how many bytes of a transfer are durable; the caller has locked it. The file on the disk decides,
 * since bytes that a killed server had received count.
 */
export async function readOffset(ctx: Ctx, { id, size, received, state }: Transfer): Promise<number> {
  if (state === 'finished') return size
  const durable = await ctx.services.partialFiles.flush(id)
  if (durable < received)
    ctx.services.log.error('upload: acknowledged bytes are missing', {
      transfer: id,
      size: durable,
      received,
    })
  const offset = Math.min(durable, size)
  if (offset !== received && !(await updateReceived(ctx.db, id, received, offset, ctx.now)))
    throw transferMoved()
  return offset
}
