import { isStaff } from '../../actor.access.ts'
import type { UserActor, UserCtx } from '../../context.ts'
import { type ChangeEvent, streamEvents } from '../../platform/events.ts'
import { renewActor } from '../accounts/sessions/renew-actor.ts'

/**
 * Data that every page keeps and reloads when it changes: the settings, the categories, the user's own
 * account, what the user has filed, the requests for access and questions of institutions, the news about patients and
 * the links with results.
 */
export const SITE_CHANGES = [
  'SITE',
  'CATEGORIES',
  'ACCOUNT',
  'OWN_UPLOADS',
  'ACCESS_REQUESTS',
  'QUESTIONS',
  'NEWS',
  'SHARES',
] as const
export type SiteChange = (typeof SITE_CHANGES)[number]

/**
 * Streams changes of the data that every page of the actor depends on; all kinds after a lost
 * connection. Ends with UNAUTHENTICATED when the session ends.
 */
export const watchSite = (ctx: UserCtx): AsyncIterableIterator<SiteChange> =>
  streamEvents(ctx.services.events.subscribe(), (events) => recheckAccess(ctx, events))

async function* recheckAccess(ctx: UserCtx, events: AsyncIterable<ChangeEvent>): AsyncGenerator<SiteChange> {
  for await (const event of events) {
    if (changesOf(event, ctx.actor).length === 0) continue
    // The institutions of the user may be others by now.
    yield* changesOf(event, await renewActor(ctx))
  }
}

/** Returns what an event changes for the actor. An event of a list only says that it is to be read again. */
function changesOf(event: ChangeEvent, actor: UserActor): readonly SiteChange[] {
  switch (event.kind) {
    case 'resync':
      return SITE_CHANGES
    case 'site':
      return ['SITE']
    case 'categories':
      return ['CATEGORIES']
    case 'author':
      return event.id === actor.id ? ['OWN_UPLOADS'] : []
    case 'account':
      return event.id === actor.id ? ['ACCOUNT'] : []
    case 'access-request':
      return isStaff(actor) || isOf(actor, event.institutionId) ? ['ACCESS_REQUESTS'] : []
    case 'question':
      return isStaff(actor) || isOf(actor, event.institutionId) ? ['QUESTIONS'] : []
    case 'news':
      return isForReader(actor, event.institutionId) ? ['NEWS'] : []
    case 'share':
      return isStaff(actor) && actor.features.has('patient::share') ? ['SHARES'] : []
    default:
      return []
  }
}

const isOf = ({ institutionIds }: UserActor, id: string): boolean => institutionIds.includes(id)

/** Staff have an event of their own, so that they reload once however many institutions read the news. */
const isForReader = (actor: UserActor, institutionId: string | null): boolean =>
  actor.features.has('patient::news') &&
  (institutionId === null ? isStaff(actor) : isOf(actor, institutionId))
