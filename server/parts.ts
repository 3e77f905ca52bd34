import type { KeyObject } from 'node:crypto'
import type { Config } from './config.ts'
import type { Actor, Ctx, RequestFacts } from './context.ts'
import type { Anchors } from './platform/anchors.ts'
import type { Db } from './platform/database.ts'
import type { Events } from './platform/events.ts'
import type { Incoming } from './platform/incoming.ts'
import type { Jobs } from './platform/jobs.ts'
import type { KeyPair } from './platform/keys.ts'
import type { Locks } from './platform/locks.ts'
import type { Log } from './platform/log.ts'
import type { Mailer } from './platform/mailer.ts'
import type { Seals } from './platform/seals.ts'
import type { Storage } from './platform/storage.ts'

/** The running parts that main.ts joins and the doors are built from. */
export type Parts = {
  config: Config
  db: Db
  storage: Storage
  incoming: Incoming
  locks: Locks
  events: Events
  jobs: Jobs
  mailer: Mailer | null
  seals: Seals
  anchors: Anchors
  chainKey: KeyObject
  log: Log
  signingKeys: KeyPair
}

/** The context of one verb called by `actor`. */
export function createContext<A extends Actor>(parts: Parts, actor: A, request: RequestFacts): Ctx<A> {
  const { config, signingKeys: _keys, ...shared } = parts
  const { url, backendHosts } = config
  return { ...shared, actor, request, now: new Date(), url, hasProvider: config.oidc !== null, backendHosts }
}
