import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { TEST_SECRET } from '../databases.ts'
import { findFreePort } from '../real-http.ts'
import type { TestServer } from '../test-server.ts'
import { COMPILE_CACHE } from './compile-cache.ts'

/** Limit for waiting on a process; nothing is measured by it. */
export const PATIENCE_MS = 60_000

export type MainProcess = {
  url: string
  pid: number
  /** Everything that it has printed. */
  printed(): string
  /** Stops it as an operator does, and waits until it has ended. */
  stop(): Promise<void>
  /** Kills it without any clean-up, and waits until it has ended. */
  kill(): Promise<void>
}

/**
 * Starts the product as `npm start` does, with its jobs, on the database and the files of a test server. `env` is added to its
 * settings; it is stopped at the end of the test, or in `atEnd`. Without an account in the database it makes the demo first,
 * which takes most of the time of a start.
 */
export async function startMain(
  { connection, services }: TestServer,
  env: Record<string, string> = {},
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<MainProcess> {
  const { host, port: postgresPort, user, password, database } = connection
  const url = new URL(`postgres://localhost/${database}`)
  url.search = new URLSearchParams({ host, port: String(postgresPort), user, password }).toString()
  const port = await findFreePort()
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: {
      ...COMPILE_CACHE,
      PATH: process.env.PATH,
      NODE_ENV: 'development',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: url.href,
      AUTH_SECRET: TEST_SECRET,
      DATA_DIR: services.config.dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  atEnd(() => end('SIGTERM'))
  let printed = ''
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    printed: () => printed,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}
