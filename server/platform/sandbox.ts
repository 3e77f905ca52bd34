import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type SandboxLimits = {
  /** Milliseconds for one task. */
  time: number
  /**
   * Bytes of data memory of the process (on Linux; elsewhere only half of it, as the limit of the JavaScript
   * heap).
   */
  memory: number
}

/** The task took too long, took too much memory, or crashed the process. */
export class SandboxFailure extends Error {
  override name = 'SandboxFailure'
}

export type Sandbox<Task, Result> = {
  /**
   * Runs a task; the caller runs one at a time. Rejects with SandboxFailure when the task itself is the
   * cause, after which the next task gets a fresh process; rejects with another error when the process does
   * not start.
   */
  run(task: Task): Promise<Result>
  close(): void
}

const READY = 'ready'
/** A process that has not reported that it is ready by then is killed. */
const START_TIMEOUT_MS = 30_000

/**
 * Runs `worker`, a module that calls `serveSandbox`, in its own process: without the server's environment,
 * without the permission to write a file or start a program, and killed when it exceeds its limits. For
 * parsers of untrusted files.
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

/**
 * Runs in the sandbox process: responds to each task with the result of `work`. An error that `work` throws
 * ends the process.
 */
export function serveSandbox<Task, Result>(work: (task: Task) => Promise<Result>): void {
  process.on('message', async (task) => {
    process.send?.(await work(task as Task))
  })
  process.once('disconnect', () => process.exit(0))
  process.send?.(READY)
}
