import type { Config } from '../config.ts'
import { createSystemContext } from '../context.ts'
import { startChainWriter } from '../features/audit/start-chain-writer.ts'
import { ensureOwnApiKey } from '../features/site/own-api-key.ts'
import { startHousekeeping } from '../housekeeping.ts'
import { JOBS, runJob } from '../jobs.ts'
import { deriveRolePasswords } from '../platform/crypto/keys.ts'
import { type DatabaseConnection, openDatabase } from '../platform/database/database.ts'
import { openGuestDatabases, openRecipientDatabases } from '../platform/database/guest-database.ts'
import { migrateDatabase } from '../platform/database/migrate.ts'
import { connectRoles, refuseSuperuser } from '../platform/database/roles.ts'
import { type JobRunner, migrateJobs, startJobs } from '../platform/jobs.ts'
import { errorFields, type Log } from '../platform/log.ts'
import { startWorkers, type WorkerConnections } from '../platform/workers/workers.ts'
import { openServices, type Services } from '../services.ts'
import { prepareOrganisation } from './prepare-organisation.ts'
import { serveRequests } from './serve-requests.ts'
import type { Stops } from './stops.ts'

/** What a start is given. */
export type Start = { config: Config; log: Log; stops: Stops; isDev: boolean }

/** Starts all that the product does, itself or by its workers, and prints its address. */
export async function startServer(start: Start, database: DatabaseConnection): Promise<void> {
  const { config, log, stops, isDev } = start
  // Opened while the database is prepared, so that a restart after a save is short.
  const devFrontEnd = isDev ? openDevFrontEnd(config) : undefined
  const { connections, queue } = await prepareDatabase(start, database)
  const { services, jobs } = await open(start, connections, { migrated: queue })
  const chainWriter = startChainWriter(createSystemContext(services))
  stops.add(chainWriter.stop)

  const startMessage = await prepareOrganisation(services)
  await ensureOwnApiKey(createSystemContext(services), config.secret)
  // In development the front end is in this process.
  if (config.workers === 1 || devFrontEnd) {
    // A request that adds a job waits until the queue has started.
    await queue
    await serveRequests(services, stops, await devFrontEnd)
  } else {
    await jobs.started
    const workers = startWorkers(config.workers, connections, log, stops.hasBegun)
    stops.add(workers.stop)
    await workers.listening
  }
  // No request waits for a job, and jobs that are added meanwhile are kept.
  await jobs.run((name, payload) => runJob(createSystemContext(services), name, payload))
  process.stdout.write(`\nDosar: ${config.url}\n${startMessage}\n`)
  // Logs how far files are separated from the server; a stop meanwhile rejects.
  services.sandbox.isolation().catch(() => undefined)
  stops.add(startHousekeeping(() => createSystemContext(services)).stop)
}

/** Answers requests and adds jobs; all else that the product does is done by the main process alone. */
export async function startWorker(start: Start, connections: WorkerConnections): Promise<void> {
  const { services, jobs } = await open(start, connections, { runsJobs: false })
  await jobs.started
  await serveRequests(services, start.stops)
}

/** Migrates the database, and returns its connections; `queue` resolves when the tables of the queue are there too. */
async function prepareDatabase(
  { config, log }: Start,
  owner: DatabaseConnection,
): Promise<{ connections: WorkerConnections; queue: Promise<void> }> {
  if (config.production && config.database.kind === 'external') await refuseSuperuser(owner)
  await migrateDatabase(owner, log)
  const queue = migrateJobs(owner)
  // Who awaits it gets its error.
  queue.catch(() => undefined)
  const { owner: _, ...connections } = await connectRoles(owner, deriveRolePasswords(config.secret), log)
  return { connections, queue }
}

/** Opens the databases of the roles and the services; a worker only adds jobs. */
async function open(
  { config, log, stops }: Start,
  { staff, guest, recipient }: WorkerConnections,
  options: { runsJobs?: boolean; migrated?: Promise<void> } = {},
): Promise<{ services: Services; jobs: JobRunner<typeof JOBS> }> {
  const onIdleError = (error: Error) => log.warn('database: idle connection lost', errorFields(error))
  const db = openDatabase(staff, onIdleError)
  stops.add(() => db.destroy())
  const guests = openGuestDatabases(guest, onIdleError)
  stops.add(() => guests.destroy())
  const recipients = openRecipientDatabases(recipient, onIdleError)
  stops.add(() => recipients.destroy())
  const jobs = startJobs(staff, log, JOBS, options)
  const { services, stop } = await openServices(config, staff, { db, guests, recipients, log, jobs })
  stops.add(stop)
  // The jobs in the sandbox end at once, and run again at the next start.
  stops.add(() => jobs.stop(() => services.sandbox.close()))
  return { services, jobs }
}

/** Imports the module only when needed, so that production never loads it. */
async function openDevFrontEnd(config: Config) {
  if (config.production) throw new Error('npm run dev is not for production: NODE_ENV must be development')
  return (await import('../http/pages/dev-front-end.ts')).openDevFrontEnd(config)
}
