import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../server/config.ts'
import type { Parts } from '../server/parts.ts'
import { openAnchors } from '../server/platform/anchors.ts'
import { openDiskStorage } from '../server/platform/disk-storage.ts'
import { startEvents } from '../server/platform/events.ts'
import { openIncoming } from '../server/platform/incoming.ts'
import { deriveAnchorKeys, deriveChainKey, deriveSigningKeys } from '../server/platform/keys.ts'
import { startLocks } from '../server/platform/locks.ts'
import { openMailer } from '../server/platform/mailer.ts'
import { createSeals } from '../server/platform/seals.ts'
import type { TestConnection } from './databases.ts'

/** All parts of a product on this database, with its files in `dataDir` and a secret of its own; `stop` leaves the database. */
export async function openParts(
  connection: TestConnection,
  dataDir: string,
  { db, log, jobs }: Pick<Parts, 'db' | 'log' | 'jobs'>,
  over: Partial<Config> = {},
): Promise<{ parts: Parts; stop(): Promise<void> }> {
  const secret = randomBytes(48)
  const config: Config = {
    production: false,
    port: 3000,
    host: undefined,
    url: 'http://localhost:3000',
    dataDir,
    database: { kind: 'embedded' },
    secret,
    adminEmail: 'admin@dosar.local',
    smtpUrl: null,
    oidc: null,
    backendHosts: [],
    trustProxy: false,
    logLevel: 'debug',
    ...over,
  }
  const locks = startLocks(connection, log)
  const events = startEvents(connection, log)
  const mailer = config.smtpUrl ? openMailer(config.smtpUrl) : null
  const parts: Parts = {
    config,
    db,
    storage: await openDiskStorage(join(dataDir, 'files')),
    incoming: await openIncoming(join(dataDir, 'incoming')),
    locks,
    events,
    jobs,
    mailer,
    seals: createSeals(secret),
    anchors: openAnchors(join(config.dataDir, 'audit-anchors.jsonl'), deriveAnchorKeys(secret), log),
    chainKey: deriveChainKey(secret),
    log,
    signingKeys: deriveSigningKeys(secret),
  }
  return {
    parts,
    stop: async () => {
      mailer?.stop()
      await events.stop()
      await locks.stop()
    },
  }
}
