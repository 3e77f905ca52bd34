import { execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Log } from '../log.ts'
import { type Address, chooseAddress, makeSocketDirectory } from './address.ts'
import { removeOldCopies, SERVER_ENVIRONMENT } from './binaries.ts'
import { type Cluster, SUPERUSER } from './cluster.ts'
import {
  endProcesses,
  findServerProcesses,
  isPostgresServer,
  isRunning,
  type PidFile,
  pidFilePath,
  readPidFile,
  waitForEnd,
} from './processes.ts'
import { asUser } from './server-user.ts'
import { serverSettings } from './settings.ts'

/** How long the last output of an ended server may take to be read. */
const LAST_OUTPUT_MS = 5_000

/** A server that responds, and a connection to its database `postgres`, which ends with the server. */
export type Server = { pid: number; address: Address; connection: pg.Client }

/**
 * Adopts the cluster's running server, or starts one; a running server that cannot be used is stopped first.
 * `expected` is the address that connections of this process already use, or null; `onRunning` is called when
 * its process is there, perhaps more than once. To be called under the directory lock. Throws when another
 * PostgreSQL has the cluster's lock file, or with PostgreSQL's message when it does not start.
 */
export async function ensureServer(
  cluster: Cluster,
  expected: Address | null,
  log: Log,
  onRunning?: () => void,
): Promise<Server> {
  const { postmaster } = findServerProcesses(cluster)
  if (postmaster !== null) {
    onRunning?.()
    const adopted = await adoptServer(cluster, postmaster, expected)
    if (adopted) {
      log.info('postgres.adopted', { pid: postmaster })
      return adopted
    }
    log.warn('postgres.replaced', { pid: postmaster })
    await stopServer(cluster)
  }
  await endOthers(cluster)
  const left = readPidFile(cluster.directory)
  const before = left && left !== 'unreadable' ? left.address : null
  const address = expected ?? (await chooseAddress(cluster, before))
  removeStaleLocks(cluster, left, address)
  const server = await startServer(cluster, address, onRunning)
  log.info('postgres.started', { pid: server.pid, version: cluster.binaries.version })
  return server
}

/**
 * Stops the server by a fast shutdown, which rolls back transactions and writes everything, and returns when
 * all its processes have ended. A server in recovery has nothing to write and is stopped at once: PostgreSQL
 * 18 never ends when a fast shutdown is requested while it recovers from the crash of one of its processes.
 */
export async function stopServer(cluster: Cluster) {
  const { postmaster } = findServerProcesses(cluster)
  if (postmaster === null) return
  if (process.platform === 'win32') {
    await promisify(execFile)(cluster.binaries.pgCtl, ['stop', '-D', cluster.directory, '-m', 'fast', '-w'])
    return
  }
  const signals: [NodeJS.Signals, number][] = [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ]
  const ended = await endProcesses([postmaster], (await isServing(cluster)) ? signals : signals.slice(1))
  if (!ended) throw new Error(`PostgreSQL (process ${postmaster}) does not stop`)
  await endOthers(cluster)
}

async function adoptServer(cluster: Cluster, pid: number, expected: Address | null): Promise<Server | null> {
  const pidFile = readPidFile(cluster.directory)
  if (!pidFile || pidFile === 'unreadable' || pidFile.pid !== pid || !pidFile.address) return null
  const { address } = pidFile
  if (expected && (expected.host !== address.host || expected.port !== address.port)) return null
  const connection = await connectWhenReady(cluster, pid, address, 5_000)
  if (!connection) return null
  if (await isOurs(connection, cluster)) return { pid, address, connection }
  await connection.end()
  return null
}

/** Whether the server has this data directory and this version; false when the connection fails. */
async function isOurs(connection: pg.Client, cluster: Cluster): Promise<boolean> {
  try {
    const { rows } = await connection.query<{ directory: string; version: string }>(
      "SELECT current_setting('data_directory') AS directory, current_setting('server_version') AS version",
    )
    return rows[0]?.directory === cluster.directory && rows[0].version === cluster.binaries.version
  } catch {
    return false
  }
}

async function startServer(cluster: Cluster, address: Address, onRunning?: () => void): Promise<Server> {
  if (address.host.startsWith('/')) makeSocketDirectory(address.host, cluster)
  await removeOldCopies(cluster.dataDir)
  const settings = Object.entries(serverSettings(address, cluster.name))
  const child = spawn(
    cluster.binaries.postgres,
    ['-D', cluster.directory, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      cwd: cluster.directory,
      env: SERVER_ENVIRONMENT,
      ...asUser(cluster.user),
      // Its own process group, so that Ctrl-C in the terminal does not reach it: this process stops it at the
      // end.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      windowsHide: true,
    },
  )
  // Output before the log file is open: the reason when the server does not start.
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-4_000)
  })
  child.on('error', (error) => {
    output += error.message
  })
  onRunning?.()
  const closed = new Promise((resolve) => child.once('close', resolve))
  child.unref()
  ;(child.stderr as Socket).unref()
  const { pid } = child
  try {
    const connection = pid === undefined ? null : await connectWhenReady(cluster, pid, address, 60_000)
    if (pid !== undefined && connection) return { pid, address, connection }
  } catch (error) {
    await stopServer(cluster)
    throw error
  }
  await stopServer(cluster)
  // The process ends before its last output is read.
  await Promise.race([closed, pause(LAST_OUTPUT_MS)])
  const reason = output.includes('redirecting log output') ? readLastFatalLine(cluster) : output.trim()
  throw new Error(
    `PostgreSQL did not start: ${reason || 'it gave no reason'} (its log: ${logFolder(cluster)})`,
  )
}

/**
 * Returns the last FATAL line of the server's log, without those that this module's own connection attempts
 * caused (“the database system is starting up”).
 */
function readLastFatalLine(cluster: Cluster): string | undefined {
  const files = readdirSync(logFolder(cluster)).map((name) => join(logFolder(cluster), name))
  const newest = files.sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs).at(-1)
  const lines = newest ? readFileSync(newest, 'utf8').split('\n') : []
  return lines.findLast((line) => / FATAL: +(?!the database system is )\S/.test(line))
}

function logFolder(cluster: Cluster): string {
  return join(cluster.directory, 'log')
}

/**
 * Connects, and waits while the server is starting (after a crash it may have much to replay) or has no free
 * connection. Returns null when the server ends, is shutting down, or does not respond for `timeoutMs`.
 * Throws when the password is wrong.
 */
async function connectWhenReady(cluster: Cluster, pid: number, address: Address, timeoutMs: number) {
  let lastResponseAt = Date.now()
  while (isRunning(pid)) {
    try {
      return await connect(cluster, address)
    } catch (error) {
      const code = errorCode(error)
      if (code.startsWith('28')) {
        throw new Error(
          `The database in ${cluster.directory} does not accept the password in ${cluster.passwordFile}. Restore the file that belongs to it.`,
        )
      }
      const pidFile = readPidFile(cluster.directory)
      if (pidFile && pidFile !== 'unreadable' && pidFile.stopping) return null
      if (code === '57P03' || code === '53300') lastResponseAt = Date.now()
      else if (Date.now() - lastResponseAt > timeoutMs) return null
    }
    await pause(50)
  }
  return null
}

/**
 * Whether a fast shutdown can end the server: false while it starts or recovers, or if it does not respond.
 * True also if it refuses this connection (wrong password, none free), is shutting down already, or its pid
 * file does not say where to connect.
 */
async function isServing(cluster: Cluster): Promise<boolean> {
  const pidFile = readPidFile(cluster.directory)
  if (!pidFile || pidFile === 'unreadable' || !pidFile.address) return true
  if (pidFile.stopping) return true
  try {
    await (await connect(cluster, pidFile.address)).end()
    return true
  } catch (error) {
    const code = errorCode(error)
    return code.startsWith('28') || code === '53300'
  }
}

async function connect(cluster: Cluster, address: Address): Promise<pg.Client> {
  const connection = new pg.Client({
    ...address,
    user: SUPERUSER,
    password: cluster.password,
    database: 'postgres',
    application_name: 'dosar-supervisor',
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
  })
  connection.on('error', () => {})
  await connection.connect()
  return connection
}

/** Returns the SQLSTATE: 28… wrong password, 57P03 starting up or shutting down, 53300 no connection free. */
function errorCode(error: unknown): string {
  return (error as { code?: string }).code ?? ''
}

/**
 * Ends the backends of a postmaster that was killed. They end by themselves, but not in the middle of a
 * statement, and PostgreSQL does not start until the last has ended. Killing them does no harm: a crash
 * recovery follows in any case.
 */
async function endOthers(cluster: Cluster) {
  const { others } = findServerProcesses(cluster)
  const ended =
    (await waitForEnd(others, 1_000)) ||
    (await endProcesses(others, [
      ['SIGQUIT', 1_000],
      ['SIGKILL', 10_000],
    ]))
  if (!ended)
    throw new Error(
      `Processes of an earlier PostgreSQL server do not end: ${others.filter(isRunning).join(', ')}`,
    )
}

/**
 * Removes lock files of an earlier server: PostgreSQL takes a lock file for valid when any process of its
 * user, a zombie too, has the process number in it. No server of this cluster runs any more, so the files are
 * stale. Throws when the number belongs to a PostgreSQL server that is not this cluster's.
 */
function removeStaleLocks(cluster: Cluster, left: PidFile | null, address: Address) {
  if (process.platform === 'win32') return
  const path = pidFilePath(cluster.directory)
  if (left && left !== 'unreadable' && isPostgresServer(left.pid)) {
    throw new Error(
      `${path} names process ${left.pid}, a PostgreSQL server that was not started for ${cluster.directory}. If that server does not use this folder, delete the file; else stop the server.`,
    )
  }
  rmSync(path, { force: true })
  const socket = join(address.host, `.s.PGSQL.${address.port}`)
  rmSync(socket, { force: true })
  rmSync(`${socket}.lock`, { force: true })
}
