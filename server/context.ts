import type { KeyObject } from 'node:crypto'
import type { Feature } from '../shared/features.ts'
import type { Role } from '../shared/roles.ts'
import type { Anchors } from './platform/anchors.ts'
import type { Db } from './platform/database.ts'
import type { Events } from './platform/events.ts'
import type { Incoming } from './platform/incoming.ts'
import type { Jobs } from './platform/jobs.ts'
import type { Locks } from './platform/locks.ts'
import type { Log } from './platform/log.ts'
import type { Mailer } from './platform/mailer.ts'
import type { Seals } from './platform/seals.ts'
import type { Storage } from './platform/storage.ts'

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
export type RequestFacts = {
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
  request: RequestFacts
  storage: Storage
  incoming: Incoming
  locks: Locks
  events: Events
  jobs: Jobs
  /** Null where no mail server is configured. */
  mailer: Mailer | null
  seals: Seals
  /** What the journal's chain was, kept outside the database. */
  anchors: Anchors
  /** Of the hashes that link the journal's entries. */
  chainKey: KeyObject
  /** The configured address, without a trailing slash; `findSiteUrl` has the one that people are told. */
  url: string
  /** Whether an OpenID provider is configured, by which people could come in. */
  hasProvider: boolean
  /** Origins that the setting `url_backend` may name. */
  backendHosts: readonly string[]
  log: Log
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
