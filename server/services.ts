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
import { type Events, startEvents } from './platform/events.ts'
import type { Jobs } from './platform/jobs.ts'
import { type Locks, startLocks } from './platform/locks.ts'
import type { Log } from './platform/log.ts'
import { type Mailer, openMailer } from './platform/mailer.ts'
import { openDiskStorage } from './platform/storage/disk-storage.ts'
import { openPartialFiles, type PartialFiles } from './platform/storage/partial-files.ts'
import type { Storage } from './platform/storage/storage.ts'

/** What the routes and the verbs of a running server work with. */
export type Services = {
  config: Config
  db: Db
  storage: Storage
  partialFiles: PartialFiles
  locks: Locks
  events: Events
  jobs: Jobs
  /** Null where no mail server is configured. */
  mailer: Mailer | null
  encryption: Encryption
  /** Checkpoints of the journal's hash chain, kept outside the database. */
  checkpoints: Checkpoints
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
  opened: Pick<Services, 'db' | 'log' | 'jobs'>,
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
      join(config.dataDir, ANCHORS_FILE),
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
