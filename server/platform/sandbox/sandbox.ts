import { type ChildProcess, spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { type FileHandle, readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { errorFields, type Log } from '../log.ts'
import { BUILT_WORKERS, findWorker } from './built-workers.ts'
import { ISOLATIONS, type Isolation, isolate } from './isolation.ts'
import { READY } from './serve-sandbox.ts'

export type SandboxLimits = {
  /**
   * Seconds of processor time, which other load of the machine does not use up. In real time a task may take
   * WALL_FACTOR times as long.
   */
  seconds: number
  /** Bytes of data memory of the process (on Linux; elsewhere only the JavaScript heap is limited). */
  memory: number
}

export type SandboxRun = {
  limits: SandboxLimits
  /** The only file that the task may read; it stays open. */
  file?: FileHandle
  /** Ends the task, which rejects with the signal's reason. */
  signal?: AbortSignal
  /** Called once when the task has taken QUICK_SECONDS, counted as those of the limits. */
  onSlow?: () => void
}

/** The task took too long, took too much memory, or crashed the process. */
export class SandboxFailure extends Error {
  override name = 'SandboxFailure'
}

/** Another program killed the process: perhaps the system, which needed memory for something else. */
class KilledFromOutside extends SandboxFailure {
  override name = 'KilledFromOutside'
}

/** The command ended by itself before the task began. */
class CommandEnded extends Error {
  override name = 'CommandEnded'

  constructor(reason: string) {
    super(`the sandbox did not start: ${reason}`)
  }
}

export type Sandbox = {
  /**
   * Runs one task in a process of its own. Rejects with SandboxFailure when the task itself is the cause, and
   * with another error when the process does not start or the sandbox is closed.
   */
  run<Task, Result>(worker: URL, task: Task, run: SandboxRun): Promise<Result>
  /** Returns how far this system separates the processes; checked once, by starting them. */
  isolation(): Promise<Isolation>
  /** Kills all processes. */
  close(): void
}

/** A process that has not reported that it is ready by then is killed. */
const START_TIMEOUT_MS = 30_000
const WALL_FACTOR = 6
const QUICK_SECONDS = 5
/** Priorities (nice) of a process: after the server and the database, and much later once it is slow. */
const NICE = 5
const NICE_IF_SLOW = 15
const WATCH_INTERVAL_MS = 500
/** Of Linux for programs, on every processor. */
const TICKS_PER_SECOND = 100
/** Signals that stop the whole product; a file that exceeds its limits gets others. */
const STOP_SIGNALS: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])
/** A busy machine may fail to start a process; a weaker isolation would last as long as the server. */
const PROBE_ATTEMPTS = 3
const PROBE_PAUSE_MS = 1_000
const PROBE_LIMITS: SandboxLimits = { seconds: 10, memory: 256 * 1024 ** 2 }
/** Bytes of addresses that V8 reserves for code; they count as data memory without taking any. */
const RESERVED_BY_V8 = 512 * 1024 ** 2
const HEAP_PART_OF_MEMORY = 3 / 4
const PROBE = new URL('./probe-worker.ts', import.meta.url)

const IN_WORDS: Readonly<Record<Isolation, string>> = {
  namespaces: 'files are read without a network and without the data folder',
  user: 'files are read by another user, but with the network, since this system allows no namespaces',
  none: 'files are read by the user of the server, with the network, since this system allows no namespaces',
}

const PRODUCT = realpathSync(new URL('../../..', import.meta.url))
/** What a process may read besides its file: the product's code and modules, with the fonts in them. */
const READABLE = ['node_modules/', 'server/', 'shared/', `${BUILT_WORKERS}/`, 'package.json'].map((name) =>
  join(PRODUCT, name),
)

/**
 * Opens the place where parsers of untrusted files run: each task in its own process, without the server's
 * environment, which may read the product's code and its file, but write nothing and start no program. Where
 * the system allows it, the process has another user and no network, and the folders `hidden` are empty for
 * it.
 */
export function openSandbox(hidden: readonly string[], log: Log): Sandbox {
  const closing = new AbortController()
  let isolation: Promise<Isolation> | null = null
  /** How Node runs each worker; looked up once. */
  const found = new Map<string, string[]>()
  const argumentsFor = (worker: URL) => {
    const args = found.get(worker.href) ?? findWorker(PRODUCT, worker)
    found.set(worker.href, args)
    return args
  }

  const start = (
    how: Isolation,
    worker: URL,
    task: unknown,
    { limits, file, signal, onSlow }: SandboxRun,
  ) => {
    const command = isolate(how, hidden, limitCommand(nodeCommand(argumentsFor(worker), limits), limits))
    const child = spawn('/bin/sh', ['-c', 'exec "$@"', 'sh', ...command], {
      // The folder of the server may be one of the hidden ones.
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', file ? file.fd : 'ignore'],
    })
    const ending = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
    const stopWatching = watchTime(child, () => {
      lowerPriority(child)
      onSlow?.()
    })
    return runTask(child, task, limits, ending).finally(stopWatching)
  }

  /** Tries again unless the command itself has ended, which says that the system does not allow it. */
  const isPossible = async (how: Isolation): Promise<boolean> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await start(how, PROBE, {}, { limits: PROBE_LIMITS })
        return true
      } catch (error) {
        closing.signal.throwIfAborted()
        log.debug('sandbox: not possible on this system', { isolation: how, ...errorFields(error) })
        if (error instanceof CommandEnded || attempt === PROBE_ATTEMPTS) return false
        await pause(PROBE_PAUSE_MS)
      }
    }
  }

  const findIsolation = async (): Promise<Isolation> => {
    for (const how of ISOLATIONS) {
      if (!(await isPossible(how))) continue
      log[how === 'namespaces' ? 'info' : 'warn'](`sandbox: ${IN_WORDS[how]}`, { isolation: how })
      return how
    }
    // Each task will report its own failure.
    log.error('sandbox: its processes do not start')
    return 'none'
  }

  const isolationOnce = () => {
    isolation ??= findIsolation()
    return isolation
  }

  return {
    run: async <Task, Result>(worker: URL, task: Task, run: SandboxRun) => {
      const how = await isolationOnce()
      run.signal?.throwIfAborted()
      try {
        return (await start(how, worker, task, run)) as Result
      } catch (error) {
        if (!(error instanceof KilledFromOutside)) throw error
        log.warn('sandbox: the process was killed from outside, runs once more', errorFields(error))
        run.signal?.throwIfAborted()
        return (await start(how, worker, task, run)) as Result
      }
    },
    isolation: isolationOnce,
    close: () => closing.abort(new Error('the server stops')),
  }
}

function nodeCommand(worker: readonly string[], { memory }: SandboxLimits): string[] {
  return [
    process.execPath,
    '--permission',
    ...[...READABLE, ...worker].map((readable) => `--allow-fs-read=${readable}`),
    '--allow-addons',
    '--no-warnings',
    `--max-old-space-size=${Math.floor((memory * HEAP_PART_OF_MEMORY) / 1024 / 1024)}`,
    ...worker,
  ]
}

/** Limits memory and processor time, and lets other work of the machine go first. */
function limitCommand(command: readonly string[], { seconds, memory }: SandboxLimits): string[] {
  const time = Math.ceil(seconds)
  // Below the hard limit the signal is SIGXCPU, and so not the one of a system without memory.
  const limits = `ulimit -d ${Math.floor((memory + RESERVED_BY_V8) / 1024)} 2>/dev/null; ulimit -H -t ${time + 5}; ulimit -S -t ${time}; exec nice -n ${NICE} "$@"`
  return ['/bin/sh', '-c', limits, 'sh', ...command]
}

async function runTask(
  child: ChildProcess,
  task: unknown,
  { seconds }: SandboxLimits,
  signal: AbortSignal,
): Promise<unknown> {
  let isStopped = false
  const stop = () => {
    isStopped = true
    child.kill('SIGKILL')
  }
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  let timer = setTimeout(stop, START_TIMEOUT_MS)
  try {
    return await new Promise((resolve, reject) => {
      let isReady = false
      const fail = (reason: string) =>
        reject(
          signal.aborted
            ? signal.reason
            : isReady
              ? new SandboxFailure(reason)
              : new Error(`the sandbox did not start: ${reason}`),
        )
      // Not once: a kill that is not permitted reports an error each time.
      child.on('error', reject)
      child.once('exit', (code, killedBy) => {
        const reason = `the process ended (${killedBy ?? code})`
        // Ctrl C and service managers send their signal to the processes of the sandbox too.
        if (killedBy && STOP_SIGNALS.has(killedBy)) reject(new Error(reason))
        else if (!isReady && !killedBy && !signal.aborted) reject(new CommandEnded(reason))
        else if (isReady && killedBy === 'SIGKILL' && !isStopped) reject(new KilledFromOutside(reason))
        else fail(reason)
      })
      child.on('message', (message) => {
        if (isReady) return resolve(message)
        if (message !== READY) return stop()
        isReady = true
        clearTimeout(timer)
        timer = setTimeout(stop, seconds * WALL_FACTOR * 1000)
        child.send(task as never, (error) => error && fail('the process is gone'))
      })
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    stop()
  }
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid) setPriority(pid, NICE_IF_SLOW)
  } catch {
    // The process has just ended.
  }
}

/** Calls `onSlow` once; returns a function that stops watching. */
function watchTime({ pid }: ChildProcess, onSlow: () => void): () => void {
  const startedAt = performance.now()
  const timer = setInterval(async () => {
    const real = (performance.now() - startedAt) / 1000
    if (real < QUICK_SECONDS) return
    const used = await readProcessorSeconds(pid)
    if (used !== null && used < QUICK_SECONDS && real < QUICK_SECONDS * WALL_FACTOR) return
    clearInterval(timer)
    onSlow()
  }, WATCH_INTERVAL_MS)
  return () => clearInterval(timer)
}

/** Returns null where the system does not say it, or the process has ended. */
async function readProcessorSeconds(pid: number | undefined): Promise<number | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (line === null) return null
  // After the name of the program, which may contain anything: see proc_pid_stat(5).
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
