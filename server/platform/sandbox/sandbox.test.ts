import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from '../log.ts'
import { isolate } from './isolation.ts'
import { openSandbox, type Sandbox, SandboxFailure, type SandboxRun } from './sandbox.ts'

const LIMITS = { seconds: 20, memory: 1024 ** 3 }
const WORKER = new URL('../../../test/sandbox-worker.ts', import.meta.url)
const asRoot = process.getuid?.() === 0

function open(hidden: string[] = []): Sandbox {
  const sandbox = openSandbox(
    hidden,
    createLog('error', () => undefined),
  )
  onTestFinished(sandbox.close)
  return sandbox
}

const run = (sandbox: Sandbox, name: string, about?: string, options: Partial<SandboxRun> = {}) =>
  sandbox.run(WORKER, { name, about }, { limits: LIMITS, ...options })

/** Creates a folder as the data folder is, with a file in it. */
function makeFolder(): { folder: string; path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'dosar-sandbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'secret')
  writeFileSync(path, 'the secret', { mode: 0o600 })
  return { folder, path }
}

/** Returns the ids of the processes of this server's tasks. */
const listWorkers = (): number[] =>
  execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s.*sandbox-worker\.ts$/.exec(line))
    .filter((match) => Number(match?.[2]) === process.pid)
    .map((match) => Number(match![1]))

describe('a task', () => {
  it('reads its file, and no other one', async () => {
    const { folder, path } = makeFolder()
    const other = join(folder, 'other')
    writeFileSync(other, 'another file', { mode: 0o644 })
    chmodSync(folder, 0o755)
    const sandbox = open()
    const file = await openFile(path)
    onTestFinished(() => file.close())
    expect(await run(sandbox, 'file', '', { file })).toBe('10: e secret')
    for (const unreadable of [path, other, '/etc/passwd', '/proc/self/fd/4', '/proc/self/environ'])
      expect([unreadable, await run(sandbox, 'read', unreadable, { file })]).toEqual([
        unreadable,
        'ERR_ACCESS_DENIED',
      ])
    // The server's own reading is not moved.
    expect((await file.read()).buffer.toString('utf8', 0, 10)).toBe('the secret')
  })

  it('has no environment, writes nothing and starts nothing', async () => {
    process.env.SANDBOX_TEST_SECRET = 'x'
    onTestFinished(() => {
      delete process.env.SANDBOX_TEST_SECRET
    })
    const sandbox = open()
    const names = await run(sandbox, 'environment')
    expect(names).not.toContain('SANDBOX_TEST_SECRET')
    expect(names).not.toContain('PATH')
    const target = join(tmpdir(), 'dosar-sandbox-test')
    expect(await run(sandbox, 'write', target)).toBe('ERR_ACCESS_DENIED')
    expect(existsSync(target)).toBe(false)
    expect(await run(sandbox, 'start')).toBe('ERR_ACCESS_DENIED')
    expect(await run(sandbox, 'thread')).toBe('ERR_ACCESS_DENIED')
  })

  it.each(['heap', 'buffers', 'throw'])('that crashes its process fails alone: %s', async (task) => {
    const sandbox = open()
    await expect(run(sandbox, task)).rejects.toThrow(SandboxFailure)
    expect(await run(sandbox, 'environment')).toBeInstanceOf(Array)
  })

  it('that does not end is killed after its processor time', async () => {
    await expect(run(open(), 'loop', '', { limits: { ...LIMITS, seconds: 1 } })).rejects.toThrow(
      SandboxFailure,
    )
  })

  it('that only waits is killed after six times that time', async () => {
    await expect(run(open(), 'sleep', '', { limits: { ...LIMITS, seconds: 0.5 } })).rejects.toThrow(
      SandboxFailure,
    )
  })

  it('reports that it is slow by its own processor time', async () => {
    const sandbox = open()
    const ending = new AbortController()
    const onSlow = () => ending.abort(new Error('slow'))
    await expect(run(sandbox, 'loop', '', { signal: ending.signal, onSlow })).rejects.toThrow('slow')
    const quick = vi.fn<() => void>()
    await expect(
      run(sandbox, 'sleep', '', { limits: { ...LIMITS, seconds: 1 }, onSlow: quick }),
    ).rejects.toThrow(SandboxFailure)
    expect(quick).not.toHaveBeenCalled()
  })

  it('that is ended by its signal, or by the stop of the server, has not failed', async () => {
    const sandbox = open()
    await sandbox.isolation()
    const ending = new AbortController()
    const ended = run(sandbox, 'loop', '', { signal: ending.signal })
    const stopped = run(sandbox, 'loop')
    ending.abort(new Error('room for others'))
    await expect(ended).rejects.toThrow('room for others')
    sandbox.close()
    await expect(stopped).rejects.toThrow('the server stops')
    await expect(run(sandbox, 'environment')).rejects.toThrow('the server stops')
  })

  it('that something else kills runs once more, and fails the second time', async () => {
    const sandbox = open()
    await sandbox.isolation()
    const [once, twice] = [run(sandbox, 'wait', '3000'), run(sandbox, 'sleep')]
    const failed = expect(twice).rejects.toThrow(SandboxFailure)
    await expect.poll(() => listWorkers().length, { timeout: 20_000 }).toBe(2)
    await pause(1_500)
    const first = listWorkers()
    for (const pid of first) process.kill(pid, 'SIGKILL')
    await expect(once).resolves.toBe('done')
    for (const pid of listWorkers()) process.kill(pid, 'SIGKILL')
    await failed
  })

  it('has not failed when its process does not start', async () => {
    const missing = new URL('./no-such-worker.ts', import.meta.url)
    const failure = await open()
      .run(missing, {}, { limits: LIMITS })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(SandboxFailure)
  })
})

it.runIf(asRoot)(
  'started by root each process has another user than the server and than the last one',
  async () => {
    const sandbox = open()
    expect(await sandbox.isolation()).not.toBe('none')
    const users = [await run(sandbox, 'user'), await run(sandbox, 'user')] as number[]
    for (const user of users) expect(user).toBeGreaterThan(60_000)
    expect(new Set(users).size).toBe(2)
  },
)

it('where namespaces are not possible, tasks run with what is possible, and the log says so', async () => {
  const logged: string[] = []
  // A folder that is not there cannot be hidden, so that no namespace is complete.
  const sandbox = openSandbox(
    ['/no-such-folder'],
    createLog('warn', (line) => logged.push(line)),
  )
  onTestFinished(sandbox.close)
  const expected = asRoot ? 'user' : 'none'
  expect(await sandbox.isolation()).toBe(expected)
  expect(await run(sandbox, 'user')).toEqual(asRoot ? expect.any(Number) : process.getuid?.())
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'warn',
      event: expect.stringContaining('this system allows no namespaces'),
      isolation: expected,
    },
  ])
})

describe('where the system has namespaces', () => {
  let skipReason: string | undefined

  beforeAll(() => {
    try {
      const [program, ...rest] = isolate('namespaces', [], ['true'])
      execFileSync(program!, rest, { stdio: 'ignore' })
    } catch {
      skipReason = 'this system does not let this user make namespaces'
    }
  })

  it('a task connects to no port of this machine', async ({ skip }) => {
    if (skipReason) skip(skipReason)
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    expect(await run(open(), 'port', String(port))).toBe('ENETUNREACH')
  })

  it('a task reaches no socket in a hidden folder, also one that every user may open', async ({ skip }) => {
    if (skipReason) skip(skipReason)
    const { folder } = makeFolder()
    chmodSync(folder, 0o755)
    const inner = join(folder, 'postgres-socket')
    mkdirSync(inner)
    chmodSync(inner, 0o755)
    const path = join(inner, '.s.PGSQL.5432')
    const server = createServer().listen(path)
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    chmodSync(path, 0o777)
    expect(await run(open(), 'socket', path)).toBe('connected')
    expect(await run(open([inner, folder]), 'socket', path)).toBe('ENOENT')
  })

  it('no program sees a hidden folder, even without the permissions of Node', ({ skip }) => {
    if (skipReason) skip(skipReason)
    const { folder, path } = makeFolder()
    chmodSync(folder, 0o755)
    chmodSync(path, 0o644)
    const look = (hidden: string[]) => {
      const script = `umount "${folder}" 2>/dev/null; cat "${path}" 2>/dev/null; ls -A "${folder}"`
      const [program, ...rest] = isolate('namespaces', hidden, ['/bin/sh', '-c', script])
      return execFileSync(program!, rest, { encoding: 'utf8' })
    }
    expect(look([])).toBe('the secretsecret\n')
    expect(look([folder])).toBe('')
  })
})
