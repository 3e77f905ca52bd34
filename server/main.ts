import cluster from 'node:cluster'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { createApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { createSystemContext } from './context.ts'
import { writeFirstAdministratorLink } from './features/accounts/links/first-administrator-link.ts'
import { createFirstAdministrator } from './features/accounts/users/create-first-administrator.ts'
import { hasAccounts } from './features/accounts/users/has-accounts.ts'
import { startChainWriter } from './features/audit/start-chain-writer.ts'
import { findPublicSite } from './features/site/find-public-site.ts'
import { findStoredSettings } from './features/site/find-site.ts'
import { ensureOwnApiKey } from './features/site/own-api-key.ts'
import { startHousekeeping } from './housekeeping.ts'
import { BODY_TIME_MS, limitBodyTime } from './http/middleware/limit-body-time.ts'
import { attachRealtime, isWebSocketUpgrade } from './http/realtime/realtime.ts'
import { JOBS, runJob } from './jobs.ts'
import { deriveRolePasswords } from './platform/crypto/keys.ts'
import { type DatabaseConnection, openDatabase } from './platform/database/database.ts'
import { openGuestDatabases, openRecipientDatabases } from './platform/database/guest-database.ts'
import { migrateDatabase } from './platform/database/migrate.ts'
import { connectRoles, type RoleConnections, refuseSuperuser } from './platform/database/roles.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.ts'
import { type JobRunner, migrateJobs, startJobs } from './platform/jobs.ts'
import { createLog, errorFields } from './platform/log.ts'
import { receiveConnections, startWorkers, type WorkerConnections } from './platform/workers/workers.ts'
import { schema } from './schema.ts'
import { openServices, type Services } from './services.ts'

/** How long running requests may take to end after a stop signal. */
const SHUTDOWN_TIMEOUT_SECONDS = 10
/** Ctrl C comes twice: from the terminal, and from npm or `node --watch`. */
const REPEATED_SIGNAL_MS = 1_000

/** `npm run dev`: the front end comes from its sources, and a save restarts the server. */
const isDev = process.argv.includes('--dev')
// Not by Node's `--env-file-if-exists`: without the file, `node --watch` aborts at Ctrl C and leaves PostgreSQL running.
if (isDev && existsSync('.env')) process.loadEnvFile()
const config = readConfigOrExit()
// Files of the product are readable by its own user alone.
process.umask(0o077)
const log = createLog(config.logLevel, (line) => process.stdout.write(line))
/** Stops of what has been started, in order of the starts; they are called from the last to the first. */
const stopFunctions: (() => Promise<unknown>)[] = []
/** When the first stop signal came, in ms; null before. */
let stopSignalAt: number | null = null
onStopSignal()
const started = cluster.isWorker ? startWorker(config) : start(config)
started.catch(async (error: unknown) => {
  // A start fails when it is stopped.
  if (stopSignalAt !== null) return
  // The message names for the operator what to change. No patient data has been read yet, so the message
  // contains none.
  process.stderr.write(`Dosar cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
  log.error('start failed', errorFields(error))
  await stopServices()
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

async function start(config: Config): Promise<void> {
  // Opened while the database starts, so that a restart after a save is short.
  const devFrontEnd = isDev ? openDevFrontEnd(config) : undefined
  const { owner: _, ...connections } = await prepareDatabase(config)
  const { services, jobs } = await open(config, connections)
  const chainWriter = startChainWriter(createSystemContext(services))
  stopFunctions.push(chainWriter.stop)
  await jobs.run((name, payload) => runJob(createSystemContext(services), name, payload))

  const startMessage = await prepareOrganisation(services)
  await ensureOwnApiKey(createSystemContext(services), config.secret)
  // In development the front end is in this process.
  if (config.workers === 1 || devFrontEnd) {
    await serveRequests(services, await devFrontEnd)
  } else {
    const workers = startWorkers(config.workers, connections, log, () => stopSignalAt !== null)
    stopFunctions.push(workers.stop)
    await workers.listening
  }
  process.stdout.write(`\nDosar: ${config.url}\n${startMessage}\n`)
  // Logs how far files are separated from the server; a stop meanwhile rejects.
  services.sandbox.isolation().catch(() => undefined)
  stopFunctions.push(startHousekeeping(() => createSystemContext(services)).stop)
}

/** Answers requests and adds jobs; all else that the product does is done by the main process alone. */
async function startWorker(config: Config): Promise<void> {
  const { services } = await open(config, await receiveConnections(), { runsJobs: false })
  await serveRequests(services)
}

/** Starts the database if it is the embedded one, migrates it, and returns its connections. */
async function prepareDatabase(config: Config): Promise<RoleConnections> {
  const owner = await connect(config)
  if (config.production && config.database.kind === 'external') await refuseSuperuser(owner)
  await migrateDatabase(owner, log)
  await migrateJobs(owner)
  return connectRoles(owner, deriveRolePasswords(config.secret), log)
}

/** Opens the databases of the roles and the services; a worker only adds jobs. */
async function open(
  config: Config,
  { staff, guest, recipient }: WorkerConnections,
  { runsJobs = true } = {},
): Promise<{ services: Services; jobs: JobRunner<typeof JOBS> }> {
  const onIdleError = (error: Error) => log.warn('database: idle connection lost', errorFields(error))
  const db = openDatabase(staff, onIdleError)
  stopFunctions.push(() => db.destroy())
  const guests = openGuestDatabases(guest, onIdleError)
  stopFunctions.push(() => guests.destroy())
  const recipients = openRecipientDatabases(recipient, onIdleError)
  stopFunctions.push(() => recipients.destroy())
  const jobs = await startJobs(staff, log, JOBS, { runsJobs })
  const { services, stop } = await openServices(config, staff, { db, guests, recipients, log, jobs })
  // The jobs in the sandbox end at once, and run again at the next start.
  stopFunctions.push(stop, () => jobs.stop(() => services.sandbox.close()))
  return { services, jobs }
}

async function serveRequests(services: Services, devFrontEnd?: DevFrontEnd): Promise<void> {
  const { config } = services
  const server = serve({
    fetch: createApp(services, devFrontEnd).fetch,
    port: config.port,
    serverOptions: { shouldUpgradeCallback: isWebSocketUpgrade },
    ...(config.host && { hostname: config.host }),
  }) as Server
  // No limit here, since a file of 2 GiB over a slow connection takes long; limitBodyTime limits all other
  // bodies.
  server.requestTimeout = 0
  limitBodyTime(server, BODY_TIME_MS)
  server.headersTimeout = 10_000
  const realtime = attachRealtime(server, services, schema)
  if (devFrontEnd) {
    const { attach, close } = devFrontEnd
    attach(server)
    stopFunctions.push(close)
  }
  stopFunctions.push(async () => {
    server.close()
    await realtime.stop()
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), SHUTDOWN_TIMEOUT_SECONDS * 1000).unref()
    if (server.listening) await once(server, 'close')
  })
  await once(server, 'listening')
}

async function connect(config: Config): Promise<DatabaseConnection> {
  if (config.database.kind === 'external') return { connectionString: config.database.connectionString }
  const starting = startEmbeddedPostgres({ dataDir: config.dataDir, log })
  // Before it has started, so that a stop signal waits for the start and leaves no server behind.
  stopFunctions.push(() =>
    starting.then(
      ({ stop }) => stop(),
      () => undefined,
    ),
  )
  return (await starting).connection
}

type DevFrontEnd = Awaited<ReturnType<typeof openDevFrontEnd>>

/** Imports the module only when needed, so that production never loads it. */
async function openDevFrontEnd(config: Config) {
  if (config.production) throw new Error('npm run dev is not for production: NODE_ENV must be development')
  return (await import('./http/pages/dev-front-end.ts')).openDevFrontEnd(config)
}

/**
 * Fills an empty database: with the demo, or in production with the first administrator. Returns the text for
 * the operator: the demo accounts or where the administrator's link is.
 */
async function prepareOrganisation(services: Services): Promise<string> {
  const { config, db, storage } = services
  if (config.production) {
    const { demo } = await findStoredSettings(db)
    if (demo === true) {
      throw new Error(
        'this database holds the demo organisation, whose passwords are public; set another DATA_DIR or DATABASE_URL',
      )
    }
    const link = await createFirstAdministrator(createSystemContext(services), config.adminEmail)
    return writeFirstAdministratorLink(config, link, process.stdout.isTTY === true)
  }
  if (!(await hasAccounts(db))) {
    // Imported only here: no other start needs the code that writes the demo's documents.
    const { seedDemo } = await import('../db/seed.ts')
    await seedDemo({ db, storage, now: new Date() })
  }
  const { demoAccounts, demoPassword } = await findPublicSite(db, config)
  const accounts = demoAccounts.map(({ email, role }) => `  ${email} (${role})`)
  return demoPassword ? [...accounts, `  password: ${demoPassword}`].join('\n') : ''
}

async function stopServices(): Promise<void> {
  for (const end of stopFunctions.splice(0).reverse()) {
    await end().catch((error: unknown) => log.error('stop: a service failed', errorFields(error)))
  }
}

/** Stops in order at the first signal, and at once at a later one; a worker ends with the main process at the latest. */
function onStopSignal(): void {
  const stop = async (signal: NodeJS.Signals) => {
    if (stopSignalAt !== null) {
      // A terminal and the main process both stop a worker, at times that may lie far apart.
      if (!cluster.isWorker && Date.now() - stopSignalAt > REPEATED_SIGNAL_MS) process.exit(1)
      return
    }
    stopSignalAt = Date.now()
    log.info('stopping', { signal })
    await stopServices()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (!isDev) return
  // The watcher's restart signal. The embedded PostgreSQL keeps running, and the next process adopts it.
  process.on('SIGUSR2', () => process.exit(0))
  // Sent when the watcher ends without a signal.
  process.on('disconnect', () => stop('SIGTERM'))
}
