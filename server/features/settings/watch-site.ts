import { isAdmin, isStaff } from '../../actor.access.ts'
import type { UserActor, UserCtx } from '../../context.ts'
import { type ChangeEvent, streamEvents } from '../../platform/events.ts'
import { renewActor } from '../accounts/sessions/renew-actor.ts'

/**
 * Data that every page keeps and reloads when it changes: the settings, the categories, the user's own
 * account, what the user has filed, the requests for access and questions of institutions, the news about patients,
 * the links with results, and what the user's bell counts.
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
  'NOTIFICATIONS',
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
      return ['SITE', 'NOTIFICATIONS']
    case 'categories':
      return ['CATEGORIES']
    case 'author':
      return event.id === actor.id ? ['OWN_UPLOADS', 'NOTIFICATIONS'] : []
    case 'account':
      return event.id === actor.id ? ['ACCOUNT', 'NOTIFICATIONS'] : []
    case 'access-request':
      return isStaff(actor) || isOf(actor, event.institutionId) ? ['ACCESS_REQUESTS', 'NOTIFICATIONS'] : []
    case 'question':
      return isStaff(actor) || isOf(actor, event.institutionId) ? ['QUESTIONS', 'NOTIFICATIONS'] : []
    case 'news':
      return isForReader(actor, event.institutionId) ? ['NEWS'] : []
    case 'share':
      return isStaff(actor) && actor.features.has('patient::share') ? ['SHARES'] : []
    case 'upload':
    case 'inbox':
      return event.institutionId !== null && isOf(actor, event.institutionId) ? ['NOTIFICATIONS'] : []
    case 'notification':
      return (event.userId === null ? isAdmin(actor) : event.userId === actor.id) ? ['NOTIFICATIONS'] : []
    default:
      return []
  }
}

const isOf = ({ institutionIds }: UserActor, id: string): boolean => institutionIds.includes(id)

/** Staff have an event of their own, so that they reload once however many institutions read the news. */
const isForReader = (actor: UserActor, institutionId: string | null): boolean =>
  actor.features.has('patient::news') &&
  (institutionId === null ? isStaff(actor) : isOf(actor, institutionId))
