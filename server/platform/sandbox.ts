import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type SandboxLimits = {
  /** Milliseconds for one task. */
  time: number
  /** Bytes of memory that the process may take for data (Linux; elsewhere only its JavaScript heap is held to it). */
  memory: number
}

/** The task took too long, too much memory, or brought the process down. */
export class SandboxFailure extends Error {
  override name = 'SandboxFailure'
}

export type Sandbox<Task, Result> = {
  /**
   * Does one task at a time. Rejects with SandboxFailure where the task itself is to blame, after which the next one gets a
   * fresh process; with another error where the process does not even start.
   */
  run(task: Task): Promise<Result>
  close(): void
}

const READY = 'ready'
/** Milliseconds until a process that does not say that it is ready is given up. */
const START_TIMEOUT_MS = 30_000

/**
 * Runs `worker`, a module that calls `serveSandbox`, in a process of its own that knows no setting of ours, cannot write a
 * file or start a program, and ends when it takes more than its limits: for parsers of files that strangers made.
 */
export function openSandbox<Task, Result>(worker: URL, limits: SandboxLimits): Sandbox<Task, Result> {
  let child: ReturnType<typeof start> | null = null
  const stop = () => {
    child?.kill('SIGKILL')
    child = null
  }

  const ready = async () => {
    const started = start(worker, limits)
    child = started
    const signal = AbortSignal.timeout(START_TIMEOUT_MS)
    try {
      const [message] = await Promise.race([
        once(started, 'message', { signal }),
        once(started, 'exit', { signal }),
      ])
      if (message !== READY) throw new Error(`the sandbox did not start (exit ${message})`)
    } catch (error) {
      stop()
      throw error
    }
    return started
  }

  return {
    run: async (task) => {
      const working = child?.connected ? child : await ready()
      const timer = setTimeout(stop, limits.time)
      try {
        return await new Promise<Result>((resolve, reject) => {
          const onExit = () => {
            if (child === working) child = null
            reject(new SandboxFailure('the process ended'))
          }
          working.once('exit', onExit)
          working.once('message', (result) => {
            working.off('exit', onExit)
            resolve(result as Result)
          })
          working.send(task as never, (error) => {
            if (error) reject(new SandboxFailure('the process is gone'))
          })
        })
      } finally {
        clearTimeout(timer)
      }
    },
    close: stop,
  }
}

function start(worker: URL, { memory }: SandboxLimits) {
  const mebibytes = Math.floor(memory / 1024 / 1024)
  const node = [process.execPath, '--permission', '--allow-fs-read=*', '--allow-addons', '--no-warnings']
  node.push(`--max-old-space-size=${Math.floor(mebibytes / 2)}`, fileURLToPath(worker))
  const limited = `ulimit -d ${mebibytes * 1024} 2>/dev/null; exec "$@"`
  return spawn('/bin/sh', ['-c', limited, 'sh', ...node], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/** The other side: answers each task with what `work` makes of it. What `work` throws ends the process. */
export function serveSandbox<Task, Result>(work: (task: Task) => Promise<Result>): void {
  process.on('message', async (task) => {
    process.send?.(await work(task as Task))
  })
  process.once('disconnect', () => process.exit(0))
  process.send?.(READY)
}
