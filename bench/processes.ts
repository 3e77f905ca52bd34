import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const START_MS = 60_000

export type Running = { pid: number; url: string; stop(): Promise<void> }

/**
 * Starts a program of this repository on `port` as a process of its own and waits until it has printed
 * `ready`. Rejects with
 * its output where it ends before that.
 */
export async function startProgram(
  args: readonly string[],
  { port, env, ready }: { port: number; env: Record<string, string>; ready: string },
): Promise<Running> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    const fail = () => reject(new Error(`${args.join(' ')} did not start:\n${printed}`))
    const timer = setTimeout(() => child.kill('SIGKILL'), START_MS)
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding('utf8').on('data', (text: string) => {
        printed = (printed + text).slice(-10_000)
        if (!printed.includes(ready)) return
        clearTimeout(timer)
        resolve()
      })
    }
    child.once('exit', fail)
  })
  return {
    pid: child.pid!,
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Runs one task in a child process, so that its processor time is counted apart; rejects with the child's error. */
export async function runWorker<Task extends object, Result>(name: string, task: Task): Promise<Result> {
  const child: ChildProcess = fork(fileURLToPath(new URL(name, import.meta.url)), { cwd: ROOT })
  try {
    return await new Promise<Result>((resolve, reject) => {
      child.once('message', (response: { result: Result } | { error: string }) => {
        if ('error' in response) reject(new Error(response.error))
        else resolve(response.result)
      })
      child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
      child.send(task)
    })
  } finally {
    child.kill()
  }
}

/** Runs in the child process of `runWorker`. */
export function respondToTask<Task, Result>(work: (task: Task) => Promise<Result>): void {
  process.once('message', async (task: Task) => {
    const response = await work(task).then(
      (result) => ({ result }),
      (error: unknown) => ({
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    )
    process.send?.(response)
  })
}
