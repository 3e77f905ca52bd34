import type { UserCtx } from '../../context.ts'
import { type ChangeEvent, streamEvents } from '../../platform/events.ts'
import { renewActor } from '../accounts/sessions/renew-actor.ts'

/**
 * Data that every page keeps and reloads when it changes: the settings, the categories, the user's own
 * account, and what the user has filed.
 */
export const SITE_CHANGES = ['SITE', 'CATEGORIES', 'ACCOUNT', 'OWN_UPLOADS'] as const
export type SiteChange = (typeof SITE_CHANGES)[number]

/**
 * Streams changes of the data that every page of the actor depends on; all kinds after a lost
 * connection. Ends with UNAUTHENTICATED when the session ends.
 */
export const watchSite = (ctx: UserCtx): AsyncIterableIterator<SiteChange> =>
  streamEvents(ctx.services.events.subscribe(), (events) => recheckAccess(ctx, events))

async function* recheckAccess(ctx: UserCtx, events: AsyncIterable<ChangeEvent>): AsyncGenerator<SiteChange> {
  for await (const event of events) {
    const changes = changesOf(event, ctx.actor.id)
    if (changes.length === 0) continue
    await renewActor(ctx)
    yield* changes
  }
}

function changesOf(event: ChangeEvent, userId: string): readonly SiteChange[] {
  if (event.kind === 'resync') return SITE_CHANGES
  if (event.kind === 'site') return ['SITE']
  if (event.kind === 'categories') return ['CATEGORIES']
  if (event.kind === 'author') return event.id === userId ? ['OWN_UPLOADS'] : []
  return event.kind === 'account' && event.id === userId ? ['ACCOUNT'] : []
}
