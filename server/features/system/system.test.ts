import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeUser } from '../../../db/factories.ts'
import { connectAs } from '../../../test/databases.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { createApp } from '../../app.ts'
import { JOBS } from '../../jobs.ts'
import { type JobRunner, migrateJobs, startJobs } from '../../platform/jobs.ts'
import { createLog } from '../../platform/log.ts'

const SYSTEM = `{ system {
  nodeVersion startedAt hasMailServer sandboxIsolation scanner { version } database { version bytes migration archiving lastArchivedAt lastArchiveFailedAt }
  storage { files bytes free } jobs { name label waiting active failed } failedJobs { id name label tries error failedAt }
} }`
const RETRY = 'mutation ($name: String!, $id: ID!) { retryJob(name: $name, id: $id) }'

let server: TestServer
let jobs: JobRunner<typeof JOBS>
let admin: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  await migrateJobs(server.connection)
  jobs = startJobs(
    connectAs(server.connection, 'staff'),
    createLog('error', () => undefined),
    JOBS,
  )
  afterAll(() => jobs.stop())
  server.services.jobs = jobs
  admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
})

it('shows an administrator the state of database, storage and archiving', async () => {
  const { data, errors } = await admin.graphql(SYSTEM)
  expect(errors).toEqual([])
  expect(data.system).toMatchObject({
    nodeVersion: process.versions.node,
    hasMailServer: false,
    sandboxIsolation: await server.services.sandbox.isolation(),
    scanner: null,
    database: { archiving: false, lastArchivedAt: null, lastArchiveFailedAt: null },
    storage: { files: 0, bytes: 0, free: expect.any(Number) },
    failedJobs: [],
  })
  const { rows } = await sql<{ name: string }>`select max(name) name from schema_migration`.execute(server.db)
  expect(data.system.database.migration).toBe(rows[0]?.name)
  expect(data.system.database.bytes).toBeGreaterThan(1_000_000)
})

it('shows a failed job only by the class of its error, and retries it on request', async () => {
  let fails = true
  await jobs.run(async (name) => {
    if (fails && name === 'delete-expired-sign-ins')
      throw new RangeError('1850101123456 is in the text of the error')
  })
  await jobs.enqueue(server.db, 'delete-expired-sign-ins', {})
  const letTimePass = () =>
    sql`update pgboss.job set start_after = now(), retry_limit = 0 where state in ('created', 'retry')`.execute(
      server.db,
    )
  const failed = async () => (await admin.graphql(SYSTEM)).data.system.failedJobs
  await expect
    .poll(async () => {
      await letTimePass()
      return failed()
    })
    .toHaveLength(1)
  const [job] = await failed()
  expect(job).toMatchObject({ name: 'delete-expired-sign-ins', error: 'RangeError' })
  const { data } = await admin.graphql(SYSTEM)
  expect(data.system.jobs).toContainEqual({
    name: 'delete-expired-sign-ins',
    label: 'Curățarea autentificărilor',
    waiting: 0,
    active: 0,
    failed: 1,
  })

  fails = false
  expect((await admin.graphql(RETRY, { name: job.name, id: job.id })).data).toEqual({ retryJob: true })
  await expect.poll(failed).toEqual([])
  const event = await server.db
    .selectFrom('audit_event')
    .select(['subject_id', 'outcome'])
    .where('action', '=', 'job.retry')
    .execute()
  expect(event).toEqual([{ subject_id: job.id, outcome: 'ok' }])
  // The job has succeeded, so it cannot be retried; an unknown name gets the same response.
  for (const name of [job.name, 'no-such-name']) {
    const { errors } = await admin.graphql(RETRY, { name, id: job.id })
    expect(errors[0]?.extensions.code).toBe('NOT_FOUND')
  }
}, 60_000)

it('shows that a forwarded address was not trusted, and logs it once', async () => {
  const read = async () => (await admin.runQuery('{ system { untrustedProxy { address at } } }')).system
  const warnings = () => server.logged.filter((line) => line.includes('TRUST_PROXY'))
  const visit = (address: string, header: Record<string, string>, app = server.app) =>
    app.request(
      '/healthz',
      { headers: header },
      { incoming: { socket: { remoteAddress: address }, headersDistinct: {} } },
    )
  await visit('10.0.0.1', {})
  expect(await read()).toEqual({ untrustedProxy: null })
  const trusting = { ...server.services, config: { ...server.services.config, trustProxy: true } }
  await visit('10.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, createApp(trusting))
  expect([await read(), warnings()]).toEqual([{ untrustedProxy: null }, []])

  await visit('10.0.0.2', { 'x-forwarded-for': '203.0.113.9' })
  await visit('10.0.0.3', { forwarded: 'for=203.0.113.9' })
  expect(await read()).toEqual({ untrustedProxy: { address: '10.0.0.2', at: expect.any(String) } })
  expect(warnings()).toHaveLength(1)
  // The forwarded address could be a person's.
  expect(warnings().join()).not.toContain('203.0.113.9')
})

it.each([{ forwarded: 'for=203.0.113.9' }, { 'x-forwarded-for': 'x' }])(
  'notices the header %j',
  async (header) => {
    const own = await createTestServer()
    await own.app.request('/nu-exista', { headers: header })
    expect(own.services.untrustedProxy.first()).toEqual({ address: null, at: expect.any(Date) })
  },
)

it.each(['staff', 'institution'] as const)('is forbidden to %s', async (role) => {
  const client = await server.signIn((await makeUser(server.db, { role })).email)
  for (const { data, errors } of [
    await client.graphql(SYSTEM),
    await client.graphql(RETRY, { name: 'check-upload', id: crypto.randomUUID() }),
  ]) {
    expect(data).toBeNull()
    expect(errors[0]?.extensions.code).toBe('FORBIDDEN')
  }
})
