import { once } from 'node:events'
import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { createApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { createSystemContext } from './context.ts'
import { createFirstAdministrator } from './features/accounts/users/create-first-administrator.ts'
import { hasAccounts } from './features/accounts/users/has-accounts.ts'
import { startChainWriter } from './features/audit/start-chain-writer.ts'
import { findPublicSite } from './features/site/find-public-site.ts'
import { findStoredSettings } from './features/site/find-site.ts'
import { ensureOwnApiKey } from './features/site/own-api-key.ts'
import { startHousekeeping } from './housekeeping.ts'
import { BODY_TIME_MS, limitBodyTime } from './http/middleware/limit-body-time.ts'
import { attachRealtime, isWebSocketUpgrade } from './http/realtime/realtime.ts'
import { type DatabaseConnection, openDatabase } from './platform/database/database.ts'
import { migrateDatabase } from './platform/database/migrate.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.ts'
import { type JobKind, type JobKinds, startJobs } from './platform/jobs.ts'
import { createLog, errorFields } from './platform/log.ts'
import { runJob } from './run-job.ts'
import { schema } from './schema.ts'
import { openParts, type Services } from './services.ts'

/** Seconds for requests under way to end once a stop was asked for. */
const SHUTDOWN_TIMEOUT_SECONDS = 10

/** `npm run dev`: the front end comes from its sources, and a save restarts the server. */
const isDev = process.argv.includes('--dev')
const config = readConfigOrExit()
// What the product writes is for its own user alone.
process.umask(0o077)
const log = createLog(config.logLevel, (line) => process.stdout.write(line))
/** The parts that are up, in order; a stop takes them down from the last. */
const stopFunctions: (() => Promise<unknown>)[] = []
onStopSignal()
start(config).catch(async (error: unknown) => {
  // An operator's error: its sentence says what to change. It comes before any patient's data was read.
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
  // Beside the database, since a restart after a save should be short.
  const devFrontEnd = isDev ? openDevFrontEnd(config) : undefined
  const connection = await connect(config)
  await migrateDatabase(connection, log)
  const db = openDatabase(connection, (error) =>
    log.warn('database: idle connection lost', errorFields(error)),
  )
  stopFunctions.push(() => db.destroy())
  const jobs = await startJobs(connection, log)
  const { services: parts, stop: stopServices } = await openParts(config, connection, { db, log, jobs })
  stopFunctions.push(stopServices, jobs.stop)
  const sealing = startChainWriter(createSystemContext(parts))
  stopFunctions.push(sealing.stop)
  const run = <K extends JobKind>(kind: K) =>
    jobs.work(kind, (data: JobKinds[K]) => runJob(createSystemContext(parts), kind, data))
  await run('upload.check')
  await run('upload.sweep')
  await run('file.purge')
  await run('upload.expire')
  await run('review.auto')
  await run('review.release')
  await run('message.send')
  await run('account.reset')
  await run('account.sweep')
  await run('audit.verify')
  await jobs.repeat('upload.sweep', '17 * * * *', {})
  await jobs.repeat('file.purge', '20 2 * * *', {})
  await jobs.repeat('account.sweep', '47 * * * *', {})
  await jobs.repeat('upload.expire', '23 1 * * *', {})
  await jobs.repeat('review.release', '* * * * *', {})
  await jobs.repeat('audit.verify', '23 2 * * *', { askedBy: null })

  const welcome = await prepareOrganisation(parts)
  await ensureOwnApiKey(createSystemContext(parts), config.secret)
  const server = serve({
    fetch: createApp(parts, await devFrontEnd).fetch,
    port: config.port,
    serverOptions: { shouldUpgradeCallback: isWebSocketUpgrade },
    ...(config.host && { hostname: config.host }),
  }) as Server
  // A file of 2 GiB over a slow line takes its time; every other body has a limit of its own.
  server.requestTimeout = 0
  limitBodyTime(server, BODY_TIME_MS)
  server.headersTimeout = 10_000
  const realtime = attachRealtime(server, parts, schema)
  if (devFrontEnd) {
    const { attach, close } = await devFrontEnd
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
  process.stdout.write(`\nDosar: ${config.url}\n${welcome}\n`)
  stopFunctions.push(startHousekeeping(() => createSystemContext(parts)).stop)
}

async function connect(config: Config): Promise<DatabaseConnection> {
  if (config.database.kind === 'external') return { connectionString: config.database.connectionString }
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  stopFunctions.push(postgres.stop)
  return postgres.connection
}

/** Loaded only here, so that production never reads the module. */
async function openDevFrontEnd(config: Config) {
  if (config.production) throw new Error('npm run dev is not for production: NODE_ENV must be development')
  return (await import('./http/pages/dev-front-end.ts')).openDevFrontEnd(config)
}

/** On an empty database: the demo, or in production the first administrator's link. Answers what to tell the operator. */
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
    return link
      ? `First administrator (${link.email}), once and within a day: ${config.url}/cont/${link.token}`
      : ''
  }
  if (!(await hasAccounts(db))) {
    // What writes the demo's documents is of no use to any other start.
    const { seedDemo } = await import('../db/seed.ts')
    await seedDemo({ db, storage, now: new Date() })
  }
  const { demoAccounts, demoPassword } = await findPublicSite(db, config)
  const accounts = demoAccounts.map(({ email, role }) => `  ${email} (${role})`)
  return demoPassword ? [...accounts, `  password: ${demoPassword}`].join('\n') : ''
}

async function stopServices(): Promise<void> {
  for (const end of stopFunctions.splice(0).reverse()) {
    await end().catch((error: unknown) => log.error('stop: a part failed', errorFields(error)))
  }
}

/** The first signal stops in order; a second one at once. */
function onStopSignal(): void {
  let stopping = false
  const stop = async (signal: NodeJS.Signals) => {
    // Ctrl C comes twice under `node --watch`: from the terminal and from the watcher.
    if (stopping && isDev) return
    if (stopping) process.exit(1)
    stopping = true
    log.info('stopping', { signal })
    await stopServices()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (!isDev) return
  // The watcher restarts with it. The embedded PostgreSQL stays up, and the next process adopts it.
  process.on('SIGUSR2', () => process.exit(0))
  // The watcher has ended without a signal.
  process.on('disconnect', () => stop('SIGTERM'))
}
