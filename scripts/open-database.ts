import { type Config, readConfig } from '../server/config.ts'
import { type DatabaseConnection, type Db, openDatabase } from '../server/platform/database/database.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres/embedded-postgres.ts'
import { createLog, type Log } from '../server/platform/log.ts'

export interface OpenDatabase {
  config: Config
  connection: DatabaseConnection
  db: Db
  log: Log
}

/**
 * Runs `work` on the database that `npm start` would use, DATABASE_URL or the embedded one of DATA_DIR, and closes it.
 * Prints an error and sets exit code 1 where `work` fails, or where NODE_ENV is production.
 */
export async function withDatabase(
  work: (open: OpenDatabase) => Promise<void>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  try {
    const config = readConfig(env)
    if (config.production) throw new Error('NODE_ENV is production: this is for development')
    process.umask(0o077)
    await runOn(config, work)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

async function runOn(config: Config, work: (open: OpenDatabase) => Promise<void>): Promise<void> {
  const log = createLog('warn', (line) => process.stderr.write(line))
  const { database, dataDir } = config
  const embedded = database.kind === 'embedded' ? await startEmbeddedPostgres({ dataDir, log }) : null
  const connection =
    database.kind === 'external' ? { connectionString: database.connectionString } : embedded!.connection
  const db = openDatabase(connection, () => undefined)
  try {
    await work({ config, connection, db, log })
  } finally {
    await db.destroy()
    await embedded?.stop()
  }
}
