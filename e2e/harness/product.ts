import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { upsertSettings } from '../../server/features/site/site.db.ts'
import { type Db, openDatabase } from '../../server/platform/database/database.ts'
import { START_ARGUMENTS, START_ENVIRONMENT } from '../../test/processes/start-arguments.ts'
import { findFreePort } from '../../test/real-http.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const START_MS = 100_000
const STOP_MS = 20_000
/** The environment variable that names the data folder with the demo organisation, for the workers of the run. */
const SEEDED_DATA_DIR = 'E2E_SEEDED_DATA_DIR'

/** The product as an operator runs it: a process of its own, with its own data folder and port. */
export type Product = {
  url: string
  port: number
  dataDir: string
  /** The product's own database, for states that no screen can produce yet. */
  db: Db
  /** Returns the error lines of its log. */
  faults(): string[]
  /** Kills the process (`kill -9`), without any clean-up. */
  kill(): Promise<void>
  /** Starts it again on the same data and port, with these additional settings. */
  restart(more?: Record<string, string>): Promise<void>
  processId(): number
  postmasterId(): number
  /** Stops it and deletes its data; rejects where it does not end with exit code 0. */
  stop(): Promise<void>
}

/**
 * Global setup of a run: starts the product once on an empty folder, which creates the database and the demo organisation,
 * and keeps the folder for `startProduct` to copy. Returns the teardown.
 */
export async function seedDemo(): Promise<() => Promise<void>> {
  const product = await runProduct(await makeDataDir())
  // Verdicts release at once, except in the tests of their undo.
  await upsertSettings(product.db, { undo_seconds: 0 })
  await product.end()
  process.env[SEEDED_DATA_DIR] = product.dataDir
  return () => rm(product.dataDir, { recursive: true, force: true })
}

/**
 * Starts a product on a copy of the seeded data folder, or in production on an empty folder. `env` is added to the settings
 * of a trial, as SMTP_URL; PORT where the test needs to know it before the start.
 */
export async function startProduct(env: Record<string, string> = {}): Promise<Product> {
  const dataDir = await makeDataDir()
  if (env.NODE_ENV !== 'production') {
    const seeded = process.env[SEEDED_DATA_DIR]
    if (!seeded) throw new Error(`${SEEDED_DATA_DIR} is not set: the run has no global setup`)
    // Keeps owners and modes: as root, PostgreSQL runs as another user.
    await promisify(execFile)('cp', ['-a', `${seeded}/.`, dataDir])
  }
  return runProduct(dataDir, env)
}

const makeDataDir = () => mkdtemp(join(tmpdir(), 'dosar-e2e-'))

async function runProduct(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Product & { end(): Promise<void> }> {
  const port = env.PORT ? Number(env.PORT) : await findFreePort()
  const url = `http://localhost:${port}`
  const settings = { ...env }
  let printed = ''
  let child = await start()
  const db = openDatabase(connectionOf(dataDir), () => undefined)

  async function start(): Promise<ChildProcess> {
    const before = printed.length
    const started = spawn(process.execPath, START_ARGUMENTS, {
      cwd: ROOT,
      env: {
        ...process.env,
        ...START_ENVIRONMENT,
        NODE_ENV: 'development',
        PORT: String(port),
        DATA_DIR: dataDir,
        HOST: '',
        PUBLIC_URL: '',
        DATABASE_URL: '',
        AUTH_SECRET: '',
        SMTP_URL: '',
        OIDC_ISSUER: '',
        OIDC_CLIENT_ID: '',
        OIDC_CLIENT_SECRET: '',
        OIDC_NAME: '',
        BACKEND_HOSTS: '',
        TRUST_PROXY: '',
        LOG_LEVEL: 'info',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const output of [started.stdout, started.stderr]) {
      output.setEncoding('utf8').on('data', (text: string) => {
        printed += text
      })
    }
    const deadline = Date.now() + START_MS
    while (!printed.slice(before).includes(`Dosar: ${url}\n`)) {
      if (hasEnded(started) || Date.now() > deadline) {
        started.kill('SIGKILL')
        throw new Error(`the product did not start:\n${printed}`)
      }
      await pause(25)
    }
    const health = await fetch(`${url}/healthz`)
    if (health.status !== 200) throw new Error(`/healthz responded ${health.status}`)
    return started
  }

  async function signalAndWait(signal: NodeJS.Signals): Promise<number | null> {
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(STOP_MS) })
    child.kill(signal)
    const [code] = (await exited) as [number | null]
    return code
  }

  async function end(): Promise<void> {
    await db.destroy()
    const code = hasEnded(child) ? child.exitCode : await signalAndWait('SIGTERM')
    if (code !== 0) throw new Error(`the product ended with ${code}:\n${printed}`)
  }

  return {
    url,
    port,
    dataDir,
    db,
    faults: () => printed.split('\n').filter((line) => line.includes('"level":"error"')),
    kill: async () => {
      await signalAndWait('SIGKILL')
    },
    restart: async (more = {}) => {
      Object.assign(settings, more)
      child = await start()
    },
    processId: () => child.pid!,
    postmasterId: () => readPostmaster(dataDir).id,
    end,
    stop: async () => {
      await end()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** Reads process id, port and host of a running PostgreSQL from its pid file. */
function readPostmaster(dataDir: string): { id: number; port: number; host: string } {
  const lines = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  return { id: Number(lines[0]), port: Number(lines[3]), host: lines[4]! }
}

function connectionOf(dataDir: string) {
  const { host, port } = readPostmaster(dataDir)
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim()
  return { host, port, user: 'dosar', password, database: 'dosar', max: 2 }
}
