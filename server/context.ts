import type { Feature } from '../shared/access/features.ts'
import type { Role } from '../shared/access/roles.ts'
import type { Db } from './platform/database/database.ts'
import { newId } from './platform/ids.ts'
import type { Services } from './services.ts'

/** A signed-in person, as the database has them at this request: rights never come from a token. */
export type UserActor = {
  kind: 'user'
  id: string
  name: string
  email: string
  role: Role
  features: ReadonlySet<Feature>
  institutionIds: readonly string[]
  sessionId: string
}
/** A job or the start of the server. */
export type SystemActor = { kind: 'system'; name: string }
/** A program with a public API key [6.5]. */
export type PublicActor = { kind: 'public'; keyId: string; name: string }
/** Somebody who has not said who they are. */
export type AnonymousActor = { kind: 'anonymous' }
export type Actor = UserActor | SystemActor | PublicActor | AnonymousActor

/** What is known of the request for the log and the journal. */
export type RequestInfo = {
  id: string
  ip: string | null
  userAgent: string | null
  origin: 'web' | 'api' | 'job'
}

/**
 * What every verb receives. `db` is the pool, or the open transaction inside `inTransaction`. Jobs and notifications are
 * rows and NOTIFYs of the same transaction, so nothing leaves before commit.
 */
export type Ctx<A extends Actor = Actor> = {
  actor: A
  db: Db
  now: Date
  request: RequestInfo
  /** Without the pool, so that nothing is read or written beside the transaction. */
  services: Omit<Services, 'db' | 'signingKeys'>
}
export type UserCtx = Ctx<UserActor>

/** Runs `work` in one transaction: its changes, its audit rows, its jobs and its notifications, all or none. */
export function inTransaction<A extends Actor, T>(
  ctx: Ctx<A>,
  work: (ctx: Ctx<A>) => Promise<T>,
): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  return ctx.db.transaction().execute((db) => work({ ...ctx, db }))
}

/** Returns the context of a verb that `actor` calls. */
export function createContext<A extends Actor>(parts: Services, actor: A, request: RequestInfo): Ctx<A> {
  const { db, signingKeys: _keys, ...services } = parts
  return { actor, db, now: new Date(), request, services }
}

/** Returns the context of a verb that a job or the start of the server calls. */
export const createSystemContext = (services: Services): Ctx<SystemActor> =>
  createContext(
    services,
    { kind: 'system', name: 'Dosar' },
    { id: newId(), ip: null, userAgent: null, origin: 'job' },
  )
