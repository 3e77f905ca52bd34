import type { Readable } from 'node:stream'
import { type UserCtx, withSending } from '../../../context.ts'
import { renewContextInUse } from '../../accounts/sessions/renew-actor.ts'
import { appendBytes, type ReceiveOptions } from './append-bytes.ts'
import { finishTransfer } from './finish-transfer.ts'
import { getTransfer, type UserTransfer } from './get-transfer.ts'

/**
 * Appends a request's bytes to a user's transfer, which the caller has locked, and returns its size; the last byte finishes the
 * transfer. Throws UNAUTHENTICATED or NOT_FOUND within seconds when the session or the right to the transfer ends.
 */
export const receiveBytes = (
  ctx: UserCtx,
  transfer: UserTransfer,
  body: Readable,
  options: ReceiveOptions,
): Promise<number> =>
  appendBytes(ctx, transfer, body, {
    ...options,
    assertAccess: async () => getTransfer(withSending(await renewContextInUse(ctx)), transfer.id),
    onWhole: () => finishTransfer(ctx, transfer),
  })
