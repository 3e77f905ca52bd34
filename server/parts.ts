import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { type Anchors, openAnchors } from './platform/anchors.ts'
import type { DatabaseConnection, Db } from './platform/database.ts'
import { openDiskStorage } from './platform/disk-storage.ts'
import { type Events, startEvents } from './platform/events.ts'
import { type Incoming, openIncoming } from './platform/incoming.ts'
import type { Jobs } from './platform/jobs.ts'
import { deriveAnchorKeys, deriveChainKey, deriveSigningKeys, type KeyPair } from './platform/keys.ts'
import { type Locks, startLocks } from './platform/locks.ts'
import type { Log } from './platform/log.ts'
import { type Mailer, openMailer } from './platform/mailer.ts'
import { createSeals, type Seals } from './platform/seals.ts'
import type { Storage } from './platform/storage.ts'

/** What the routes and the verbs of a running server work with. */
export type Parts = {
  config: Config
  db: Db
  storage: Storage
  incoming: Incoming
  locks: Locks
  events: Events
  jobs: Jobs
  /** Null where no mail server is configured. */
  mailer: Mailer | null
  seals: Seals
  /** Checkpoints of the journal's hash chain, kept outside the database. */
  anchors: Anchors
  /** The key of the hashes that link the journal's entries. */
  chainKey: KeyObject
  log: Log
  signingKeys: KeyPair
}

const ANCHORS_FILE = 'audit-anchors.jsonl'

/** Opens everything but the database, the jobs and the log, which the caller has; `stop` closes what was opened, in order. */
export async function openParts(
  config: Config,
  connection: DatabaseConnection,
  opened: Pick<Parts, 'db' | 'log' | 'jobs'>,
): Promise<{ parts: Parts; stop: () => Promise<void> }> {
  const { log } = opened
  const events = startEvents(connection, log)
  const locks = startLocks(connection, log)
  const mailer = config.smtpUrl ? openMailer(config.smtpUrl) : null
  const parts: Parts = {
    ...opened,
    config,
    storage: await openDiskStorage(join(config.dataDir, 'files')),
    incoming: await openIncoming(join(config.dataDir, 'incoming')),
    locks,
    events,
    mailer,
    seals: createSeals(config.secret),
    anchors: openAnchors(join(config.dataDir, ANCHORS_FILE), deriveAnchorKeys(config.secret), log),
    chainKey: deriveChainKey(config.secret),
    signingKeys: deriveSigningKeys(config.secret),
  }
  const stop = async () => {
    mailer?.stop()
    await locks.stop()
    await events.stop()
  }
  return { parts, stop }
}
