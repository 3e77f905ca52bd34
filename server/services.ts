import type { KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Config } from './config.ts'
import { openClamd, type Scanner } from './platform/clamd.ts'
import { type Checkpoints, openCheckpoints } from './platform/crypto/checkpoints.ts'
import { createEncryption, type Encryption } from './platform/crypto/encryption.ts'
import {
  deriveChainKey,
  deriveCheckpointKeys,
  deriveSigningKeys,
  type KeyPair,
} from './platform/crypto/keys.ts'
import type { DatabaseConnection, Db } from './platform/database/database.ts'
import type { GuestDatabases, RecipientDatabases } from './platform/database/guest-database.ts'
import { type Events, startEvents } from './platform/events.ts'
import { createFolding, type Folding } from './platform/folding.ts'
import type { Jobs } from './platform/jobs.ts'
import { LANES, type Lanes, openLanes } from './platform/lanes.ts'
import { type Locks, startLocks } from './platform/locks.ts'
import type { Log } from './platform/log.ts'
import { type Mailer, openMailer } from './platform/mailer.ts'
import { openSandbox, type Sandbox } from './platform/sandbox/sandbox.ts'
import { openDiskStorage } from './platform/storage/disk-storage.ts'
import { openPartialFiles, type PartialFiles } from './platform/storage/partial-files.ts'
import type { Storage } from './platform/storage/storage.ts'
import { type UntrustedProxy, watchUntrustedProxy } from './platform/untrusted-proxy.ts'

/** The services of a running server, for its routes and verbs. */
export type Services = {
  config: Config
  /** The database as users of the organisation and jobs see it. */
  db: Db
  /** The database as users of institutions and public keys see it. */
  guests: GuestDatabases
  /** The database as persons with a link see it. */
  recipients: RecipientDatabases
  storage: Storage
  partialFiles: PartialFiles
  locks: Locks
  events: Events
  jobs: Jobs
  /** Where parsers of untrusted files run. */
  sandbox: Sandbox
  /** Shares the machine between the people whose files are checked. */
  lanes: Lanes
  /** Null when no mail server is configured. */
  mailer: Mailer | null
  /** Null when no malware scanner is configured. */
  scanner: Scanner | null
  encryption: Encryption
  /** Checkpoints of the audit log's hash chain, kept outside the database. */
  checkpoints: Checkpoints
  /** The key of the hashes that link the entries of the audit log. */
  chainKey: KeyObject
  /** Folds denied accesses into one row of the audit log a minute. */
  denials: Folding
  untrustedProxy: UntrustedProxy
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
  opened: Pick<Services, 'db' | 'guests' | 'recipients' | 'log' | 'jobs'>,
): Promise<{ services: Services; stop: () => Promise<void> }> {
  const { log } = opened
  const events = startEvents(connection, log)
  const locks = startLocks(connection, log)
  const sandbox = openSandbox(secretFolders(config, connection), log)
  const mailer = config.smtpUrl ? openMailer(config.smtpUrl) : null
  const services: Services = {
    ...opened,
    config,
    storage: await openDiskStorage(join(config.dataDir, 'files')),
    partialFiles: await openPartialFiles(join(config.dataDir, 'incoming')),
    locks,
    events,
    sandbox,
    lanes: openLanes(LANES),
    mailer,
    scanner: config.clamd ? openClamd(config.clamd) : null,
    encryption: createEncryption(config.secret),
    checkpoints: openCheckpoints(
      join(config.dataDir, CHECKPOINTS_FILE),
      deriveCheckpointKeys(config.secret),
      log,
    ),
    chainKey: deriveChainKey(config.secret),
    denials: createFolding(log),
    untrustedProxy: watchUntrustedProxy(log),
    signingKeys: deriveSigningKeys(config.secret),
  }
  const stop = async () => {
    sandbox.close()
    await services.denials.stop()
    mailer?.stop()
    await locks.stop()
    await events.stop()
  }
  return { services, stop }
}

/**
 * Returns the folders that no parser may see: that of the database's socket and the data folder, in this order,
 * since the first may be in the second.
 */
function secretFolders({ dataDir }: Config, { host, connectionString }: DatabaseConnection): string[] {
  const url = connectionString ? new URL(connectionString) : null
  const address = host ?? url?.searchParams.get('host') ?? decodeURIComponent(url?.hostname ?? '')
  return [address, dataDir].filter((folder) => isAbsolute(folder) && existsSync(folder))
}
