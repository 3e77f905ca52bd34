import type { Readable } from 'node:stream'
import type { Ctx } from '../../../context.ts'
import { UserError } from '../../../errors.ts'
import { ACCESS_RECHECK_INTERVAL_MS } from '../../accounts/sessions/renew-actor.ts'
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
 * Appends a request's bytes to a transfer, which the caller has locked, and returns its size; `onWhole` runs once all are there.
 * The bytes are durable before the row counts them, and the row is committed before the response. A cut connection keeps
 * the bytes received; so does the UserError of `assertAccess`, which is called every few seconds.
 */
export async function appendBytes(
  ctx: Ctx,
  transfer: Transfer,
  body: Readable,
  {
    offset,
    stop,
    lost,
    onBytes,
    assertAccess,
    onWhole,
  }: ReceiveOptions & { assertAccess: () => Promise<unknown>; onWhole?: () => Promise<void> },
): Promise<number> {
  const revoked = new AbortController()
  // An unavailable database ends no transfer.
  const onError = (error: unknown) => error instanceof UserError && revoked.abort(error)
  const recheck = setInterval(() => assertAccess().catch(onError), ACCESS_RECHECK_INTERVAL_MS)
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
  if (size === transfer.size && onWhole) await onWhole()
  else if (!(await updateReceived(ctx.db, transfer.id, offset, size, new Date()))) throw transferMoved()
  if (revoked.signal.aborted) throw revoked.signal.reason
  return size
}
