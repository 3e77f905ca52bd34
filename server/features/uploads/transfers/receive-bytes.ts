import type { Readable } from 'node:stream'
import type { UserCtx } from '../../../context.ts'
import { finishTransfer } from './finish-transfer.ts'
import { bodyTooLong, isDiskFull, noSpace, transferBusy, transferMoved } from './transfer-errors.ts'
import { type Transfer, updateReceived } from './transfers.db.ts'

/** Milliseconds without a byte after which a sender counts as gone. */
const IDLE_TIMEOUT_MS = 30_000

export type ReceiveOptions = {
  offset: number
  /** Ends the reading where another request needs the transfer, or its lock is lost. */
  stop: AbortSignal
  lost: AbortSignal
  onBytes: () => void
}

/**
 * Adds a request's bytes to a transfer, under its lock, and answers how far it is. They are on the disk before the row
 * says so, and the row is committed before anybody is told. A cut connection keeps what had arrived; the last byte makes
 * a file of it.
 */
export async function receiveBytes(
  ctx: UserCtx,
  transfer: Transfer,
  body: Readable,
  { offset, stop, lost, onBytes }: ReceiveOptions,
): Promise<number> {
  const { size, end } = await ctx.services.partialFiles
    .append(transfer.id, body, {
      offset,
      total: transfer.size,
      signal: AbortSignal.any([stop, lost]),
      idle: IDLE_TIMEOUT_MS,
      onBytes,
    })
    .catch((error: unknown) => {
      throw isDiskFull(error) ? noSpace() : error
    })
  if (lost.aborted) throw transferBusy()
  if (end === 'too-long') throw bodyTooLong()
  if (size === transfer.size) {
    await finishTransfer(ctx, transfer)
  } else if (!(await updateReceived(ctx.db, transfer.id, offset, size, new Date()))) {
    throw transferMoved()
  }
  return size
}
