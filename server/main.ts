import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { type Config, ConfigError, readConfig } from './config.ts'
import type { DatabaseConnection } from './platform/database/database.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.ts'
import { createLog, errorFields } from './platform/log.ts'
import { receiveConnections } from './platform/workers/workers.ts'
import { createStops } from './start/stops.ts'

// Only what starts PostgreSQL is imported at once: the rest of the program loads while PostgreSQL recovers.
const importStart = () => import('./start/start-server.ts')

/** `npm run dev`: the front end comes from its sources, and a save restarts the server. */
const isDev = process.argv.includes('--dev')
// Not by Node's `--env-file-if-exists`: without the file, `node --watch` aborts at Ctrl C and leaves PostgreSQL running.
if (isDev && existsSync('.env')) process.loadEnvFile()
const config = readConfigOrExit()
// Files of the product are readable by its own user alone.
process.umask(0o077)
const log = createLog(config.logLevel, (line) => process.stdout.write(line))
const stops = createStops(log, { isDev })
const started = cluster.isWorker ? startWorker() : start()
started.catch(async (error: unknown) => {
  // A start fails when it is stopped.
  if (stops.hasBegun()) return
  // The message names for the operator what to change. No patient data has been read yet, so the message
  // contains none.
  process.stderr.write(`Dosar cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
  log.error('start failed', errorFields(error))
  await stops.run()
  process.exit(1)
})

function readConfigOrExit(): Config {
  try {
    return readConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\nSee .env.example for every setting.\n`)
    process.exit(1)
  }
}

async function start(): Promise<void> {
  const { promise: running, resolve } = Promise.withResolvers<void>()
  const [database, { startServer }] = await Promise.all([connect(config, resolve), running.then(importStart)])
  await startServer({ config, log, stops, isDev }, database)
}

async function startWorker(): Promise<void> {
  const [connections, { startWorker }] = await Promise.all([receiveConnections(), importStart()])
  await startWorker({ config, log, stops, isDev }, connections)
}

/** Starts the database if it is the embedded one; `onRunning` is called before it accepts connections. */
async function connect(config: Config, onRunning: () => void): Promise<DatabaseConnection> {
  if (config.database.kind === 'external') {
    onRunning()
    return { connectionString: config.database.connectionString }
  }
  const starting = startEmbeddedPostgres({ dataDir: config.dataDir, log, onRunning })
  // Before it has started, so that a stop signal waits for the start and leaves no server behind.
  stops.add(() =>
    starting.then(
      ({ stop }) => stop(),
      () => undefined,
    ),
  )
  return (await starting).connection
}
