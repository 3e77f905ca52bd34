import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { makeUpload } from '../db/factories.ts'
import { PATIENCE_MS, startMain } from '../test/processes/main-process.ts'
import { createTestServer } from '../test/test-server.ts'

vi.setConfig({ testTimeout: 120_000 })

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
