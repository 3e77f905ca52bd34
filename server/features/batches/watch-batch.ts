import { setTimeout as pause } from 'node:timers/promises'
import type { UserCtx } from '../../context.ts'
import { type ChangeEvent, streamEvents } from '../../platform/events.ts'
import { renewContext } from '../accounts/sessions/renew-actor.ts'
import { getBatch } from './get-batch.ts'

/** Between two announcements of one batch, of which hundreds of files may arrive at once. */
const PAUSE_MS = 500

/**
 * Announces changes of a batch that the actor may read, those of a moment together. Access is checked again each time: it
 * throws NOT_FOUND, FORBIDDEN or UNAUTHENTICATED once it has ended.
 */
export async function watchBatch(ctx: UserCtx, id: string): Promise<AsyncIterableIterator<{ id: string }>> {
  await getBatch(ctx, id)
  const events = ctx.services.events.subscribe()
  return streamEvents(events, () => collectChanges(ctx, events, id))
}

async function* collectChanges(
  ctx: UserCtx,
  events: AsyncIterableIterator<ChangeEvent>,
  id: string,
): AsyncGenerator<{ id: string }> {
  let isChanged = false
  let isEnded = false
  let wake: () => void = () => undefined
  const listen = async () => {
    for await (const event of events) {
      if (event.kind !== 'resync' && !(event.kind === 'batch' && event.id === id)) continue
      isChanged = true
      wake()
    }
    isEnded = true
    wake()
  }
  const listening = listen()
  try {
    while (!isEnded) {
      if (isChanged) {
        isChanged = false
        await getBatch(await renewContext(ctx), id)
        yield { id }
        await pause(PAUSE_MS)
      } else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    await events.return?.()
    await listening
  }
}
