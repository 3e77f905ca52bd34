import { randomBytes } from 'node:crypto'
import type { Config } from '../server/config.ts'
import { openServices as openServerServices, type Services } from '../server/services.ts'
import type { TestConnection } from './databases.ts'

/**
 * Opens the product's services on this database, with files in `dataDir` and a random secret; `stop` keeps
 * the database.
 */
export function openServices(
  connection: TestConnection,
  dataDir: string,
  opened: Pick<Services, 'db' | 'guests' | 'recipients' | 'log' | 'jobs'>,
  overrides: Partial<Config> = {},
): Promise<{ services: Services; stop(): Promise<void> }> {
  const config: Config = {
    production: false,
    port: 3000,
    host: undefined,
    url: 'http://localhost:3000',
    dataDir,
    database: { kind: 'embedded' },
    secret: randomBytes(48),
    adminEmail: 'admin@dosar.local',
    smtpUrl: null,
    clamd: null,
    oidc: null,
    backendHosts: [],
    realtime: true,
    trustProxy: false,
    logLevel: 'debug',
    workers: 1,
    ...overrides,
  }
  return openServerServices(config, connection, opened)
}
