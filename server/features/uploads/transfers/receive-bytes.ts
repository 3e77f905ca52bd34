import type { Readable } from 'node:stream'
import { type UserCtx, withSending } from '../../../context.ts'
import { UserError } from '../../../errors.ts'
import { ACCESS_RECHECK_INTERVAL_MS, renewContextInUse } from '../../accounts/sessions/renew-actor.ts'
import { finishTransfer } from './finish-transfer.ts'
import { getTransfer } from './get-transfer.ts'
import { bodyTooLong, isDiskFull, noSpace, transferBusy, transferMoved } from './transfer-errors.ts'
import { type Transfer, updateReceived } from './transfers.db.ts'

/** Milliseconds without a byte after which the client counts as disconnected. */
export const IDLE_TIMEOUT_MS = 30_000

export type ReceiveOptions = {
  offset: number
  /** Aborts when another request needs the transfer; `lost` aborts when its lock is lost. */
  stop: AbortSignal
  lost: AbortSignal
  onBytes: () => void
}

/**
 * Appends a request's bytes to a transfer, which the caller has locked, and returns its size. The bytes are
 * durable before the row counts them, and the row is committed before the response. A cut connection keeps
 * the bytes received; the last byte finishes the transfer. Throws UNAUTHENTICATED or NOT_FOUND within seconds when
 * the session or the right to the transfer ends.
 */
export async function receiveBytes(
  ctx: UserCtx,
  transfer: Transfer,
  body: Readable,
  { offset, stop, lost, onBytes }: ReceiveOptions,
): Promise<number> {
  const revoked = new AbortController()
  const recheck = setInterval(
    () => assertAccess(ctx, transfer.id).catch((error) => revoked.abort(error)),
    ACCESS_RECHECK_INTERVAL_MS,
  )
  const { size, end } = await ctx.services.partialFiles
    .append(transfer.id, body, {
      offset,
      total: transfer.size,
      signal: AbortSignal.any([stop, lost, revoked.signal]),
      idle: IDLE_TIMEOUT_MS,
      onBytes,
    })
    .catch((error: unknown) => {
      throw isDiskFull(error) ? noSpace() : error
    })
    .finally(() => clearInterval(recheck))
  if (lost.aborted) throw transferBusy()
  if (end === 'too-long') throw bodyTooLong()
  if (size === transfer.size) {
    await finishTransfer(ctx, transfer)
  } else if (!(await updateReceived(ctx.db, transfer.id, offset, size, new Date()))) {
    throw transferMoved()
  }
  if (revoked.signal.aborted) throw revoked.signal.reason
  return size
}

/** Throws UNAUTHENTICATED or NOT_FOUND; an unavailable database ends no transfer. */
async function assertAccess(ctx: UserCtx, id: string): Promise<void> {
  try {
    await getTransfer(withSending(await renewContextInUse(ctx)), id)
  } catch (error) {
    if (error instanceof UserError) throw error
  }
}
