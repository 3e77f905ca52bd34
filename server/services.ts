import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { type Checkpoints, openCheckpoints } from './platform/crypto/checkpoints.ts'
import { createEncryption, type Encryption } from './platform/crypto/encryption.ts'
import {
  deriveChainKey,
  deriveCheckpointKeys,
  deriveSigningKeys,
  type KeyPair,
} from './platform/crypto/keys.ts'
import type { DatabaseConnection, Db } from './platform/database/database.ts'
import type { GuestDatabases } from './platform/database/guest-database.ts'
import { type Events, startEvents } from './platform/events.ts'
import type { Jobs } from './platform/jobs.ts'
import { type Locks, startLocks } from './platform/locks.ts'
import type { Log } from './platform/log.ts'
import { type Mailer, openMailer } from './platform/mailer.ts'
import { openDiskStorage } from './platform/storage/disk-storage.ts'
import { openPartialFiles, type PartialFiles } from './platform/storage/partial-files.ts'
import type { Storage } from './platform/storage/storage.ts'

/** The services of a running server, for its routes and verbs. */
export type Services = {
  config: Config
  /** The database as users of the organisation and jobs see it. */
  db: Db
  /** The database as users of institutions and public keys see it. */
  guests: GuestDatabases
  storage: Storage
  partialFiles: PartialFiles
  locks: Locks
  events: Events
  jobs: Jobs
  /** Null when no mail server is configured. */
  mailer: Mailer | null
  encryption: Encryption
  /** Checkpoints of the audit log's hash chain, kept outside the database. */
  checkpoints: Checkpoints
  /** The key of the hashes that link the entries of the audit log. */
  chainKey: KeyObject
  log: Log
  signingKeys: KeyPair
}

const CHECKPOINTS_FILE = 'audit-anchors.jsonl'

/**
 * Opens all services but those in `opened`, which the caller has started; `stop` closes what this function
 * opened.
 */
export async function openServices(
  config: Config,
  connection: DatabaseConnection,
  opened: Pick<Services, 'db' | 'guests' | 'log' | 'jobs'>,
): Promise<{ services: Services; stop: () => Promise<void> }> {
  const { log } = opened
  const events = startEvents(connection, log)
  const locks = startLocks(connection, log)
  const mailer = config.smtpUrl ? openMailer(config.smtpUrl) : null
  const services: Services = {
    ...opened,
    config,
    storage: await openDiskStorage(join(config.dataDir, 'files')),
    partialFiles: await openPartialFiles(join(config.dataDir, 'incoming')),
    locks,
    events,
    mailer,
    encryption: createEncryption(config.secret),
    checkpoints: openCheckpoints(
      join(config.dataDir, CHECKPOINTS_FILE),
      deriveCheckpointKeys(config.secret),
      log,
    ),
    chainKey: deriveChainKey(config.secret),
    signingKeys: deriveSigningKeys(config.secret),
  }
  const stop = async () => {
    mailer?.stop()
    await locks.stop()
    await events.stop()
  }
  return { services, stop }
}
