import type { KeyObject } from 'node:crypto'
import type { Config } from './config.ts'
import type { Actor, Ctx, RequestFacts } from './context.ts'
import type { Db } from './platform/database.ts'
import type { Events } from './platform/events.ts'
import type { Incoming } from './platform/incoming.ts'
import type { Jobs } from './platform/jobs.ts'
import type { Locks } from './platform/locks.ts'
import type { Log } from './platform/log.ts'
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
  log: Log
  signingKeys: { privateKey: KeyObject; publicKey: KeyObject }
}

/** The context of one verb called by `actor`. */
export function createContext<A extends Actor>(parts: Parts, actor: A, request: RequestFacts): Ctx<A> {
  const { db, storage, incoming, locks, events, jobs, log } = parts
  return { actor, db, now: new Date(), request, storage, incoming, locks, events, jobs, log }
}
