import type { UserCtx } from '../../context.ts'
import {
  ACCESS_RECHECK_INTERVAL_MS,
  renewContext,
  renewContextInUse,
} from '../../features/accounts/sessions/renew-actor.ts'
import type { ChangeEvent } from '../../platform/events.ts'
import { toReadableStream } from '../stream-body.ts'

type Guarded = {
  chunks: AsyncIterable<Uint8Array>
  /** Whether files of this upload are being sent. */
  isSending(uploadId: string): boolean
  /** Throws when the user may no longer read it. */
  find: (now: UserCtx) => Promise<unknown>
}

/**
 * Runs `send`, whose `guard` makes a stream that ends as soon as the user may no longer read it: at a published change of
 * the upload or the account, in this process or another, also while the client reads nothing, and else within
 * ACCESS_RECHECK_INTERVAL_MS. Changes count from before `send` checks the permission, so that none is missed.
 */
export async function sendRevocable<T>(
  ctx: UserCtx,
  send: (guard: (guarded: Guarded) => Promise<ReadableStream<Uint8Array>>) => Promise<T>,
): Promise<T> {
  const changes = ctx.services.events.subscribe()
  let isGuarded = false
  const end = async () => void (await changes.return?.())
  try {
    return await send((guarded) => {
      isGuarded = true
      const revoked = watchAccess(ctx, changes, guarded)
      return toReadableStream(ctx, stopWhenRevoked(ctx, guarded, { revoked, end }), revoked)
    })
  } catch (error) {
    await end()
    throw error
  } finally {
    if (!isGuarded) await end()
  }
}

/** Returns a signal that is aborted once the user may no longer read what is sent. */
function watchAccess(
  ctx: UserCtx,
  changes: AsyncIterable<ChangeEvent>,
  { isSending, find }: Guarded,
): AbortSignal {
  const revocation = new AbortController()
  const concerns = (event: ChangeEvent): boolean =>
    event.kind === 'resync' ||
    (event.kind === 'upload' && isSending(event.id)) ||
    (event.kind === 'account' && event.id === ctx.actor.id)
  const watch = async () => {
    for await (const event of changes) if (concerns(event)) await find(await renewContext(ctx))
  }
  watch().catch((error: unknown) => revocation.abort(error))
  return revocation.signal
}

/** Yields the chunks while the user may read them; rights that no event reports are read again every few seconds. */
async function* stopWhenRevoked(
  ctx: UserCtx,
  { chunks, find }: Guarded,
  { revoked, end }: { revoked: AbortSignal; end: () => Promise<void> },
): AsyncGenerator<Uint8Array> {
  let checkedAt = Date.now()
  try {
    for await (const chunk of chunks) {
      revoked.throwIfAborted()
      if (Date.now() - checkedAt >= ACCESS_RECHECK_INTERVAL_MS) {
        await find(await renewContextInUse(ctx))
        checkedAt = Date.now()
      }
      yield chunk
    }
    // The last chunk has waited for the connection.
    revoked.throwIfAborted()
  } finally {
    await end()
  }
}
