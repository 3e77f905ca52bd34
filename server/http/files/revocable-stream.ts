import type { Ctx, UserCtx } from '../../context.ts'
import {
  ACCESS_RECHECK_INTERVAL_MS,
  renewContext,
  renewContextInUse,
} from '../../features/accounts/sessions/renew-actor.ts'
import type { ChangeEvent } from '../../platform/events.ts'
import { toReadableStream } from '../stream-body.ts'

type Guarded<C> = {
  chunks: AsyncIterable<Uint8Array>
  /** Whether files of this upload are being sent. */
  isSending(uploadId: string): boolean
  /** Throws when the reader may no longer read it. */
  find: (now: C) => Promise<unknown>
}

/** How the rights of a reader are read again. */
export type Access<C extends Ctx> = {
  /** Returns the context with the rights of now. Throws if there are none any more. */
  renew(ctx: C): Promise<C>
  /** Does the same, and counts as a use. */
  renewInUse(ctx: C): Promise<C>
  /** Whether a change may have taken rights of the reader, besides one of the upload. */
  concerns(event: ChangeEvent, ctx: C): boolean
}

const USER: Access<UserCtx> = {
  renew: renewContext,
  renewInUse: renewContextInUse,
  concerns: (event, { actor }) => event.kind === 'account' && event.id === actor.id,
}

type Send<C extends Ctx, T> = (
  guard: (guarded: Guarded<C>) => Promise<ReadableStream<Uint8Array>>,
) => Promise<T>

/** Runs `send` for a user, as `sendRevocable` does. */
export const sendToUser = <T>(ctx: UserCtx, send: Send<UserCtx, T>): Promise<T> =>
  sendRevocable(ctx, USER, send)

/**
 * Runs `send`, whose `guard` makes a stream that ends as soon as the reader may no longer read it: at a published change of
 * the upload or the reader's rights, in this process or another, also while the client reads nothing, and else within
 * ACCESS_RECHECK_INTERVAL_MS. Changes count from before `send` checks the permission, so that none is missed.
 */
export async function sendRevocable<C extends Ctx, T>(
  ctx: C,
  access: Access<C>,
  send: Send<C, T>,
): Promise<T> {
  const changes = ctx.services.events.subscribe()
  let isGuarded = false
  const end = async () => void (await changes.return?.())
  try {
    return await send((guarded) => {
      isGuarded = true
      const revoked = watchAccess(ctx, access, changes, guarded)
      return toReadableStream(ctx, stopWhenRevoked(ctx, access, guarded, { revoked, end }), revoked)
    })
  } catch (error) {
    await end()
    throw error
  } finally {
    if (!isGuarded) await end()
  }
}

/** Returns a signal that is aborted once the reader may no longer read what is sent. */
function watchAccess<C extends Ctx>(
  ctx: C,
  access: Access<C>,
  changes: AsyncIterable<ChangeEvent>,
  { isSending, find }: Guarded<C>,
): AbortSignal {
  const revocation = new AbortController()
  const concerns = (event: ChangeEvent): boolean =>
    event.kind === 'resync' || (event.kind === 'upload' && isSending(event.id)) || access.concerns(event, ctx)
  const watch = async () => {
    for await (const event of changes) if (concerns(event)) await find(await access.renew(ctx))
  }
  watch().catch((error: unknown) => revocation.abort(error))
  return revocation.signal
}

/** Yields the chunks while the reader may read them; rights that no event reports are read again every few seconds. */
async function* stopWhenRevoked<C extends Ctx>(
  ctx: C,
  access: Access<C>,
  { chunks, find }: Guarded<C>,
  { revoked, end }: { revoked: AbortSignal; end: () => Promise<void> },
): AsyncGenerator<Uint8Array> {
  let checkedAt = Date.now()
  try {
    for await (const chunk of chunks) {
      revoked.throwIfAborted()
      if (Date.now() - checkedAt >= ACCESS_RECHECK_INTERVAL_MS) {
        await find(await access.renewInUse(ctx))
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
