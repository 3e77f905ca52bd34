import type { Feature } from '../shared/access/features.ts'
import type { Role } from '../shared/access/roles.ts'
import type { Db } from './platform/database/database.ts'
import { newId } from './platform/ids.ts'
import type { Services } from './services.ts'

/** A signed-in user, read from the database at each request: permissions never come from a token. */
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
/** A client without a valid session or key. */
export type AnonymousActor = { kind: 'anonymous' }
export type Actor = UserActor | SystemActor | PublicActor | AnonymousActor

/** Details of the request for the log and the audit log. */
export type RequestOrigin = {
  id: string
  ip: string | null
  userAgent: string | null
  origin: 'web' | 'api' | 'job'
}

/**
 * The context that every verb receives. `db` is the pool, or inside `inTransaction` the open transaction.
 * Jobs are rows and notifications are NOTIFYs of that transaction, so none is sent before the commit.
 */
export type Ctx<A extends Actor = Actor> = {
  actor: A
  db: Db
  now: Date
  request: RequestOrigin
  /** Without the pool, so that a verb cannot read or write outside the transaction. */
  services: Omit<Services, 'db' | 'signingKeys'>
}
export type UserCtx = Ctx<UserActor>

/**
 * Runs `work` in a transaction, or in the one that is already open: its changes, audit rows, jobs and
 * notifications happen together or not at all.
 */
export function inTransaction<A extends Actor, T>(
  ctx: Ctx<A>,
  work: (ctx: Ctx<A>) => Promise<T>,
): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  return ctx.db.transaction().execute((db) => work({ ...ctx, db }))
}

/** Returns the context of a verb that `actor` calls. */
export function createContext<A extends Actor>(services: Services, actor: A, request: RequestOrigin): Ctx<A> {
  const { db, signingKeys: _keys, ...withoutPool } = services
  return { actor, db, now: new Date(), request, services: withoutPool }
}

/** Returns the context of a verb that a job or the start of the server calls. */
export const createSystemContext = (services: Services): Ctx<SystemActor> =>
  createContext(
    services,
    { kind: 'system', name: 'Dosar' },
    { id: newId(), ip: null, userAgent: null, origin: 'job' },
  )
