import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLog } from '../log.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { isRunning } from './processes.ts'
import { canReach } from './server-user.ts'

/** Waits are long, because a busy machine is slow. */
const WAIT = { timeout: 60_000 }
const asRoot = process.getuid?.() === 0
const NOBODY = { name: 'nobody', uid: 65_534, gid: 65_534 }

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** A data folder in which PostgreSQL has run before: a first start takes seconds. */
let used: string
let dataDir: string
let events: Record<string, unknown>[] = []
let running: EmbeddedPostgres[] = []
let helpers: ChildProcess[]

beforeAll(async () => {
  used = makeFolder()
  await (await start(used)).stop()
})
afterAll(() => rmSync(used, { recursive: true }))

beforeEach(() => {
  dataDir = makeFolder()
  events = []
  running = []
  helpers = []
})

afterEach(async () => {
  for (const helper of helpers) helper.kill('SIGKILL')
  for (const server of running) await server.stop()
  rmSync(dataDir, { recursive: true })
})

/** A folder that PostgreSQL's user can pass through. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dosar-test-'))
  chmodSync(folder, 0o711)
  return folder
}

/** Fills `dataDir` so that the next start is not the first. */
const useUsed = () => execFileSync('cp', ['-a', `${used}/.`, dataDir])

async function start(folder = dataDir): Promise<EmbeddedPostgres> {
  const log = createLog('debug', (line) => events.push(JSON.parse(line)))
  const server = await startEmbeddedPostgres({ dataDir: folder, log })
  running.push(server)
  return server
}

async function query<Row extends pg.QueryResultRow>(server: EmbeddedPostgres, sql: string): Promise<Row[]> {
  const client = new pg.Client(server.connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

async function readSetting(server: EmbeddedPostgres, name: string): Promise<unknown> {
  return (await query(server, `SELECT current_setting('${name}') AS value`))[0]?.value
}

/** A process of the product with its database only; it usually ends by `kill -9` in this test. */
async function startInAnotherProcess(options: { folder?: string; uid?: number; gid?: number } = {}) {
  const { folder = dataDir, ...user } = options
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('embedded-postgres.ts', import.meta.url))}
    const quiet = () => {}
    const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(folder)}, log })
    process.on('SIGTERM', () => server.stop())
    console.log(JSON.stringify(server.connection))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  helpers.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const connection = JSON.parse(String((await lines.next()).value)) as EmbeddedPostgres['connection']
  return { child, connection }
}

function pidFile(folder = dataDir): string {
  return join(folder, 'postgres/postmaster.pid')
}

function readPostmaster(folder = dataDir): number {
  return Number(readFileSync(pidFile(folder), 'utf8').split('\n', 1)[0])
}

/** Returns the numbers of all processes with this data directory in their command line. */
function findPostmasters(folder = dataDir): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        return words[1] === '-D' && words[2] === join(folder, 'postgres')
      } catch {
        return false
      }
    })
}

function readLog(): string {
  const folder = join(dataDir, 'postgres/log')
  const files = readdirSync(folder).map((name) => join(folder, name))
  return files.map((file) => readFileSync(file, 'utf8')).join('')
}

async function kill(child: ChildProcess, signal: NodeJS.Signals) {
  child.kill(signal)
  await once(child, 'exit')
}

const modeOf = (name: string) => statSync(join(dataDir, name)).mode & 0o777

describe('the embedded server', () => {
  it('keeps its data from one start to the next', async () => {
    const first = await start()
    await query(first, "CREATE TABLE note AS SELECT 'ștefănuță' AS text")
    const postmaster = readPostmaster()
    await first.stop()
    expect(isRunning(postmaster)).toBe(false)
    const second = await start()
    expect(await query(second, 'SELECT text FROM note')).toEqual([{ text: 'ștefănuță' }])
    expect(second.connection).toEqual(first.connection)
  })

  it('is private, and writes durably [T22]', async () => {
    const server = await start()
    expect(Buffer.from(server.connection.password, 'base64url')).toHaveLength(32)
    expect(modeOf('postgres.password')).toBe(0o600)
    expect(modeOf('postgres.lock')).toBe(0o600)
    expect(modeOf('postgres-socket')).toBe(0o700)
    expect(modeOf('postgres')).toBe(0o700)
    expect(await readSetting(server, 'listen_addresses')).toBe('')
    const wrong = new pg.Client({ ...server.connection, password: 'password' })
    await expect(wrong.connect()).rejects.toMatchObject({ code: '28P01' })
    const [{ hash } = {}] = await query<{ hash: string }>(
      server,
      'SELECT rolpassword AS hash FROM pg_authid WHERE rolcanlogin',
    )
    expect(hash).toMatch(/^SCRAM-SHA-256\$/)
    const lines = readFileSync(join(dataDir, 'postgres/pg_hba.conf'), 'utf8').match(/^(local|host).*/gm) ?? []
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter((line) => !line.endsWith('scram-sha-256'))).toEqual([])
    for (const name of ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums']) {
      expect([name, await readSetting(server, name)]).toEqual([name, 'on'])
    }
    expect(await readSetting(server, 'server_encoding')).toBe('UTF8')
    expect(await readSetting(server, 'jit')).toBe('off')
  })

  it('logs no data of statements, not even of failed ones', async () => {
    useUsed()
    const server = await start()
    await query(server, 'CREATE TABLE patient (cnp text PRIMARY KEY, born date)')
    await query(server, "INSERT INTO patient VALUES ('canary-key', '2001-02-03')")
    await expect(query(server, "INSERT INTO patient VALUES ('canary-key')")).rejects.toThrow('duplicate key')
    await expect(query(server, "INSERT INTO patient VALUES ('x', 'canary-date')")).rejects.toThrow(
      'canary-date',
    )
    const busy = query(server, "SELECT pg_sleep(60), 'canary-sleeper'").catch(() => {})
    const victim = await vi.waitFor(async () => {
      const rows = await query<{ pid: number }>(
        server,
        "SELECT pid FROM pg_stat_activity WHERE query ~ 'canary-sleepe[r]'",
      )
      return rows[0]!.pid
    }, WAIT)
    process.kill(victim, 'SIGKILL')
    await busy
    await expect.poll(readLog).toContain('terminated by signal 9')
    expect(readLog()).not.toContain('canary')
  })

  it('listens in a private folder elsewhere when the path is too long for a socket', async () => {
    const deep = join(dataDir, 'a'.repeat(60), 'b'.repeat(60))
    const server = await start(deep)
    const { host } = server.connection
    expect(host.length).toBeLessThan(60)
    expect(statSync(host).mode & 0o777).toBe(0o700)
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await server.stop()
    expect(existsSync(host)).toBe(false)
  })

  it('suggests DATABASE_URL when no PostgreSQL fits the machine', async () => {
    const { arch } = process
    Object.defineProperty(process, 'arch', { value: 'riscv64' })
    try {
      await expect(start()).rejects.toThrow(/riscv64.*set DATABASE_URL/)
    } finally {
      Object.defineProperty(process, 'arch', { value: arch })
    }
  })

  it('reports why PostgreSQL does not start', async () => {
    useUsed()
    rmSync(join(dataDir, 'postgres/pg_wal'), { recursive: true })
    await expect(start()).rejects.toThrow(/did not start: .* FATAL: .*"pg_wal" does not exist/)
    rmSync(join(dataDir, 'postgres/global/pg_control'))
    await expect(start()).rejects.toThrow(/did not start: .*could not find the database system/s)
  })

  it('names the password file when it is missing or wrong', async () => {
    useUsed()
    const path = join(dataDir, 'postgres.password')
    writeFileSync(path, 'not the password')
    await expect(start()).rejects.toThrow(`does not accept the password in ${path}`)
    expect(findPostmasters()).toEqual([])
    rmSync(path)
    await expect(start()).rejects.toThrow(`${path} is missing`)
  })

  it('is shared by two processes that start at once, and stopped by the last one [R11]', async () => {
    const [one, two] = await Promise.all([startInAnotherProcess(), startInAnotherProcess()])
    expect(one.connection).toEqual(two.connection)
    expect(findPostmasters()).toHaveLength(1)
    const postmaster = readPostmaster()
    await kill(one.child, 'SIGTERM')
    expect(isRunning(postmaster)).toBe(true)
    await kill(two.child, 'SIGTERM')
    expect(isRunning(postmaster)).toBe(false)
  })
})

describe('after kill -9 of the product', () => {
  beforeEach(useUsed)

  it('the next start adopts the server that still runs, every time [R11]', async () => {
    const first = await startInAnotherProcess()
    const postmaster = readPostmaster()
    await kill(first.child, 'SIGKILL')
    for (let round = 0; round < 4; round++) {
      const { child, connection } = await startInAnotherProcess()
      expect(connection).toEqual(first.connection)
      await kill(child, 'SIGKILL')
    }
    const server = await start()
    expect(events).toMatchObject([{ event: 'postgres.adopted', pid: postmaster }])
    expect(findPostmasters()).toEqual([postmaster])
    await server.stop()
    expect(isRunning(postmaster)).toBe(false)
  })

  it('the acknowledged rows of an interrupted writer exist [R11]', async () => {
    const { child, connection } = await startInAnotherProcess()
    const client = new pg.Client(connection)
    await client.connect()
    await client.query('CREATE TABLE note (number int)')
    await client.query('INSERT INTO note VALUES (1)')
    await client.end()
    await kill(child, 'SIGKILL')
    expect(await query(await start(), 'SELECT number FROM note')).toEqual([{ number: 1 }])
  })

  it('a server whose lock file is unreadable is replaced, and never doubled [R11]', async () => {
    const { child } = await startInAnotherProcess()
    const postmaster = readPostmaster()
    await kill(child, 'SIGKILL')
    writeFileSync(pidFile(), 'garbage\n')
    await start()
    expect(events).toMatchObject([
      { event: 'postgres.replaced', pid: postmaster },
      { event: 'postgres.started' },
    ])
    expect(isRunning(postmaster)).toBe(false)
    expect(findPostmasters()).toHaveLength(1)
  })

  it('a statement of a dead server is ended before the next start [R11]', async () => {
    const { child, connection } = await startInAnotherProcess()
    const client = new pg.Client(connection)
    client.on('error', () => {})
    await client.connect()
    const [{ pid } = {}] = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows
    client.query('SELECT count(*) FROM generate_series(1, 100000000000) AS n').catch(() => {})
    await kill(child, 'SIGKILL')
    process.kill(readPostmaster(), 'SIGKILL')
    const server = await start()
    expect(isRunning(pid!)).toBe(false)
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})

describe('a stale lock file', () => {
  let uid: number
  let gid: number
  let folder: string

  beforeAll(async () => {
    folder = makeFolder()
    const server = await start(folder)
    await query(server, 'CREATE TABLE note AS SELECT 1 AS number')
    await server.stop()
    const owner = statSync(join(folder, 'postgres'))
    uid = owner.uid
    gid = owner.gid
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  /** Processes of PostgreSQL's own user, since PostgreSQL checks only those. */
  function spawnAsServer(command: string, words: string[]): ChildProcess {
    const child = spawn(command, words, { cwd: '/', stdio: 'ignore', ...(asRoot ? { uid, gid } : {}) })
    helpers.push(child)
    return child
  }

  const pids: Record<string, () => number | Promise<number>> = {
    'a dead process': async () => {
      const child = spawnAsServer('true', [])
      await once(child, 'exit')
      return child.pid!
    },
    'a process that is no PostgreSQL': () => spawnAsServer('sleep', ['60']).pid!,
    'a zombie': async () => {
      const parent = spawnAsServer('sh', ['-c', 'true & exec sleep 60']).pid!
      const child = await vi.waitFor(() => {
        const [pid] = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ')
        expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /)
        return Number(pid)
      }, WAIT)
      return child
    },
    'this very process': () => process.pid,
  }

  it.each(Object.keys(pids))('that names %s does not keep the server from starting [R12]', async (kind) => {
    const pid = await pids[kind]!()
    const lines = [
      pid,
      join(folder, 'postgres'),
      1,
      5432,
      join(folder, 'postgres-socket'),
      '',
      '1 1',
      'ready',
      '',
    ]
    writeFileSync(pidFile(folder), lines.join('\n'))
    writeFileSync(join(folder, 'postgres-socket/.s.PGSQL.5432.lock'), lines.join('\n'))
    if (asRoot) {
      chownSync(pidFile(folder), uid, gid)
      chownSync(join(folder, 'postgres-socket/.s.PGSQL.5432.lock'), uid, gid)
    }
    expect(await query(await start(folder), 'SELECT number FROM note')).toEqual([{ number: 1 }])
  })

  it.each(['', 'garbage', '-1\n', '0\n', '99999999999999999999\n'])(
    'with the text %j does not keep the server from starting [R12]',
    async (text) => {
      writeFileSync(pidFile(folder), text)
      expect(await query(await start(folder), 'SELECT number FROM note')).toEqual([{ number: 1 }])
    },
  )

  it('that names the PostgreSQL of another folder is kept, with a clear message [R12]', async () => {
    const other = await start()
    const postmaster = readPostmaster()
    const path = pidFile(folder)
    writeFileSync(path, `${postmaster}\n`)
    await expect(start(folder)).rejects.toThrow(`${path} names process ${postmaster}, a PostgreSQL server`)
    expect(readFileSync(path, 'utf8')).toBe(`${postmaster}\n`)
    expect(await query(other, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    rmSync(path)
  })
})

describe('when PostgreSQL dies while the product runs', () => {
  beforeEach(useUsed)

  async function waitForRecovery(times: number) {
    const count = () => events.filter(({ event }) => event === 'postgres.recovered').length
    await expect.poll(count).toBeGreaterThanOrEqual(times)
  }

  it('it is restarted within seconds with every acknowledged row, each time [R07]', async () => {
    const server = await start()
    await query(server, 'CREATE TABLE note (number int PRIMARY KEY)')
    const pool = new pg.Pool({ ...server.connection, max: 4 })
    pool.on('error', () => {})
    const acknowledged: number[] = []
    let next = 0
    let writing = true
    const writers = Array.from({ length: 4 }, async () => {
      while (writing) {
        const number = next++
        await pool.query('INSERT INTO note VALUES ($1)', [number]).then(
          () => acknowledged.push(number),
          () => new Promise((resolve) => setTimeout(resolve, 50)),
        )
      }
    })
    for (let round = 1; round <= 4; round++) {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 50)
      process.kill(readPostmaster(), 'SIGKILL')
      await waitForRecovery(round)
    }
    writing = false
    await Promise.all(writers)
    await pool.end()
    const kept = new Set(
      (await query<{ number: number }>(server, 'SELECT number FROM note')).map((row) => row.number),
    )
    expect(acknowledged.filter((number) => !kept.has(number))).toEqual([])
    const slowest = Math.max(...events.map(({ milliseconds }) => Number(milliseconds ?? 0)))
    // 0.3 s on an idle machine; the rest is reserve for a busy one.
    expect(slowest).toBeLessThan(10_000)
  })

  it('an adopted server is restarted too [R07]', async () => {
    const { child } = await startInAnotherProcess()
    await kill(child, 'SIGKILL')
    const server = await start()
    const before = readPostmaster()
    process.kill(before, 'SIGKILL')
    await waitForRecovery(1)
    expect(readPostmaster()).not.toBe(before)
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('the product reconnects to a server that restarts itself after a killed process [R07]', async () => {
    const server = await start()
    const postmaster = readPostmaster()
    const [{ pid } = {}] = await query<{ pid: number }>(
      server,
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'",
    )
    process.kill(pid!, 'SIGKILL')
    await waitForRecovery(1)
    expect(readPostmaster()).toBe(postmaster)
    await server.stop()
    expect(isRunning(postmaster)).toBe(false)
  })

  it('the server can be stopped while it restarts itself', async () => {
    const countRestarts = () => readLog().split('reinitializing').length - 1
    for (let round = 0; round < 5; round++) {
      const server = await start()
      const client = new pg.Client(server.connection)
      client.on('error', () => {})
      await client.connect()
      const [{ pid } = {}] = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows
      const restarts = countRestarts()
      process.kill(pid!, 'SIGKILL')
      // Synchronous, so that stop() is called while the server restarts.
      const before = Date.now()
      while (countRestarts() === restarts && Date.now() - before < 5_000);
      await server.stop()
      expect(Date.now() - before).toBeLessThan(10_000)
    }
    expect(findPostmasters()).toEqual([])
  })

  it('the server can be stopped while it is recovering', async () => {
    const server = await start()
    process.kill(readPostmaster(), 'SIGKILL')
    await expect.poll(() => events.some(({ event }) => event === 'postgres.lost')).toBe(true)
    await server.stop()
    expect(findPostmasters()).toEqual([])
  })
})

describe.runIf(asRoot)('started by root', () => {
  it('runs as another user, who can pass through the closed folder and read the programs', async () => {
    chmodSync(dataDir, 0o700)
    await start()
    expect(modeOf('.')).toBe(0o710)
    expect(statSync(dataDir).gid).toBe(statSync(join(dataDir, 'postgres')).gid)
    const postmaster = readPostmaster()
    expect(statSync(`/proc/${postmaster}`).uid).not.toBe(0)
    const words = readFileSync(`/proc/${postmaster}/cmdline`, 'utf8').split('\0')
    expect(words[0]).toContain(`${dataDir}/postgresql-`)
    expect(statSync(words[0]!).uid).toBe(0)
    expect(statSync(words[0]!).mode & 0o777).toBe(0o755)
  })

  it('names the folder that this user may not enter, and creates nothing below it', async () => {
    chmodSync(dataDir, 0o700)
    const below = join(dataDir, 'home/data')
    await expect(start(below)).rejects.toThrow(new RegExp(`may not enter ${dataDir}\\. .*DATA_DIR`))
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('creates a folder that this user can pass through even under a strict umask', async () => {
    const before = process.umask(0o077)
    try {
      const server = await start(join(dataDir, 'var/dosar'))
      expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    } finally {
      process.umask(before)
    }
  })

  const reachable = asRoot && [import.meta.dirname, process.execPath].every((path) => canReach(path, NOBODY))

  it.runIf(reachable)(
    'uses the data of an ordinary user, as that user, who can use it again afterwards',
    async () => {
      const folder = join(dataDir, 'data')
      mkdirSync(folder)
      chownSync(folder, NOBODY.uid, NOBODY.gid)
      const { uid, gid } = NOBODY
      const first = await startInAnotherProcess({ folder, uid, gid })
      expect(statSync(`/proc/${readPostmaster(folder)}`).uid).toBe(uid)
      expect(readdirSync(folder).filter((name) => name.startsWith('postgresql-'))).toEqual([])
      await kill(first.child, 'SIGTERM')
      const server = await start(folder)
      expect(statSync(`/proc/${readPostmaster(folder)}`).uid).toBe(uid)
      expect(server.connection).toEqual(first.connection)
      await server.stop()
      const again = await startInAnotherProcess({ folder, uid, gid })
      expect(again.connection).toEqual(first.connection)
      await kill(again.child, 'SIGTERM')
      expect(findPostmasters(folder)).toEqual([])
    },
  )
})
