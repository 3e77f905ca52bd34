import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { createApp } from '../server/app.ts'
import { openAnchors } from '../server/platform/anchors.ts'
import { openDatabase } from '../server/platform/database.ts'
import { openDiskStorage } from '../server/platform/disk-storage.ts'
import { startEvents } from '../server/platform/events.ts'
import { openIncoming } from '../server/platform/incoming.ts'
import { deriveAnchorKeys, deriveChainKey, deriveSigningKeys } from '../server/platform/keys.ts'
import { startLocks } from '../server/platform/locks.ts'
import { createLog } from '../server/platform/log.ts'
import { createSeals } from '../server/platform/seals.ts'

const { connection, dataDir } = JSON.parse(process.env.SERVER ?? '{}')
const log = createLog('error', (line) => process.stderr.write(line))
const secret = randomBytes(48)
const app = createApp({
  config: {
    production: false,
    port: 0,
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
    logLevel: 'error',
  },
  db: openDatabase(connection, () => undefined),
  storage: await openDiskStorage(join(dataDir, 'files')),
  incoming: await openIncoming(join(dataDir, 'incoming')),
  locks: startLocks(connection, log),
  events: startEvents(connection, log),
  jobs: { enqueue: async () => undefined, retry: async () => false },
  mailer: null,
  seals: createSeals(secret),
  anchors: openAnchors(join(dataDir, 'audit-anchors.jsonl'), deriveAnchorKeys(secret), log),
  chainKey: deriveChainKey(secret),
  log,
  signingKeys: deriveSigningKeys(secret),
})
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  process.stdout.write(`http://127.0.0.1:${port}\n`)
})
