import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { errorFields, type Log } from '../log.ts'
import { discardAddress } from './address.ts'
import { prepareCluster, prepareDataDirectory, SUPERUSER } from './cluster.ts'
import { withDirectoryLock } from './directory-lock.ts'
import { ensureServer, type Server, stopServer } from './server.ts'

export type EmbeddedPostgres = {
  /** Valid as long as this process runs, also after a restart of the PostgreSQL server. */
  connection: { host: string; port: number; user: string; password: string; database: string }
  /** Stops the server, unless another process of the product uses it: the last process stops it. */
  stop(): Promise<void>
}

const DATABASE = 'dosar'
const MAX_PAUSE_MS = 5_000
// A shared advisory lock in the database `postgres`, taken by every process of the product that uses the
// server.
const IN_USE_LOCK_KEY = 7_304_151

/**
 * Runs the PostgreSQL that comes with the product on `<dataDir>/postgres`: creates the cluster and its
 * database `dosar` the first time, adopts a server that a killed process left running, and restarts a server
 * that dies. Throws an error for the operator that names the problem and the setting to change.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: Log
  /** Called once the server's process is there, while it may still recover from a crash. */
  onRunning?: () => void
}): Promise<EmbeddedPostgres> {
  const { log, onRunning } = options
  const dataDir = prepareDataDirectory(resolve(options.dataDir))
  const { cluster, first } = await withDirectoryLock(dataDir, async () => {
    const cluster = await prepareCluster(dataDir)
    return { cluster, first: await useServer(await ensureServer(cluster, null, log, onRunning)) }
  })
  const { address } = first
  let current: Server | null = first
  let recovery: Promise<void> = Promise.resolve()
  let stopping = false

  watch(first)

  function watch(server: Server) {
    server.connection.once('end', () => {
      current = null
      if (!stopping) recovery = recover()
    })
  }

  async function recover() {
    log.warn('postgres.lost')
    const start = Date.now()
    for (let wait = 100; !stopping; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
      try {
        current = await withDirectoryLock(dataDir, async () =>
          useServer(await ensureServer(cluster, address, log)),
        )
        watch(current)
        log.info('postgres.recovered', { milliseconds: Date.now() - start })
        return
      } catch (error) {
        // The reason is a message of this module or of PostgreSQL's start, which contain no personal data.
        log.error('postgres.recovery_failed', { ...errorFields(error), reason: String(error) })
        await pause(wait)
      }
    }
  }

  async function stop() {
    stopping = true
    await recovery
    await withDirectoryLock(dataDir, async () => {
      const last = !current || (await isLastUser(current))
      await current?.connection.end()
      if (!last) return log.info('postgres.left_running')
      await stopServer(cluster)
      discardAddress(address)
      log.info('postgres.stopped')
    })
  }

  let stopped: Promise<void> | undefined
  return {
    connection: { ...address, user: SUPERUSER, password: cluster.password, database: DATABASE },
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

/** Registers this process as a user of the server; the first process creates the database. */
async function useServer(server: Server): Promise<Server> {
  const { connection } = server
  try {
    await connection.query('SELECT pg_advisory_lock_shared($1)', [IN_USE_LOCK_KEY])
    const { rowCount } = await connection.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE])
    if (rowCount === 0) await connection.query(`CREATE DATABASE ${DATABASE}`)
    return server
  } catch (error) {
    await connection.end()
    throw error
  }
}

async function isLastUser({ connection }: Server): Promise<boolean> {
  try {
    await connection.query('SELECT pg_advisory_unlock_shared($1)', [IN_USE_LOCK_KEY])
    const { rows } = await connection.query<{ last: boolean }>('SELECT pg_try_advisory_lock($1) AS last', [
      IN_USE_LOCK_KEY,
    ])
    return rows[0]?.last ?? true
  } catch {
    return true
  }
}
