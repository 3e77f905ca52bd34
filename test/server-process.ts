import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { COMPILE_CACHE } from './processes/compile-cache.ts'
import type { TestServer } from './test-server.ts'

export type ServerProcess = {
  url: string
  /** The events of `durability-probe.ts`, in order. */
  events: string[]
  /** Kills the process and waits until it has ended. */
  kill(): Promise<void>
  /** Resolves when the process has ended. */
  ended: Promise<unknown>
}

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Starts the server as a process of its own, on the database and the data folder of `server`. It prints when a file is
 * synced, linked, committed and acknowledged; with `killAt` it kills itself right after the event of that name.
 */
export async function startServerProcess(server: TestServer, killAt = ''): Promise<ServerProcess> {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', path('./durability-probe.ts'), path('./serve-process.ts')],
    {
      env: {
        ...process.env,
        ...COMPILE_CACHE,
        PROBE_KILL_AT: killAt,
        SERVER: JSON.stringify({ connection: server.connection, dataDir: server.services.config.dataDir }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = once(child, 'exit')
  const events: string[] = []
  const lines = createInterface({ input: child.stdout! })
  const url = new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.startsWith('http')) resolve(line)
      else events.push(line)
    })
    child.once('exit', (code) => reject(new Error(`the server ended (${code})`)))
  })
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  return { url: await url, events, kill, ended }
}
