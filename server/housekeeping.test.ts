import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { makeUpload } from '../db/factories.ts'
import { TEST_SECRET } from '../test/databases.ts'
import { findFreePort } from '../test/real-http.ts'
import { createTestServer, type TestServer } from '../test/test-server.ts'

vi.setConfig({ testTimeout: 120_000 })

/** Limit for waiting on a process; nothing is measured by it. */
const PATIENCE_MS = 60_000

/** Runs the product as `npm start` does, on the database and the files of a test server. */
async function startMain({ connection, services }: TestServer) {
  const { host, port: postgresPort, user, password, database } = connection
  const url = new URL(`postgres://localhost/${database}`)
  url.search = new URLSearchParams({ host, port: String(postgresPort), user, password }).toString()
  const port = await findFreePort()
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'development',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: url.href,
      AUTH_SECRET: TEST_SECRET,
      DATA_DIR: services.config.dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let printed = ''
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  return { url: `http://127.0.0.1:${port}`, printed: () => printed }
}

it('a server opens its port while a table of its housekeeping is locked, and runs the housekeeping later', async () => {
  const server = await createTestServer()
  const { id } = await makeUpload(server.db, server.services.storage, { state: 'checking' })
  const locker = new pg.Client(server.connection)
  await locker.connect()
  onTestFinished(() => locker.end())
  await locker.query('begin')
  await locker.query('lock table upload in access exclusive mode')

  const { url, printed } = await startMain(server)
  const waitFor = (text: string) => expect.poll(printed, { timeout: PATIENCE_MS }).toContain(text)
  await waitFor('Dosar: http')
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  await waitFor('"event":"housekeeping: failed, will run again","task":"retry checks"')

  await locker.query('rollback')
  await waitFor('"event":"upload: lost checks enqueued again"')
  const stateOf = async () =>
    (await server.db.selectFrom('upload').select('state').where('id', '=', id).executeTakeFirstOrThrow())
      .state
  await expect.poll(stateOf, { timeout: PATIENCE_MS }).not.toBe('checking')
})
