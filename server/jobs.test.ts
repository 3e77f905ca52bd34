import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { makeUser } from '../db/factories.ts'
import { connectAs, runSql } from '../test/databases.ts'
import { createTestServer, type TestServer } from '../test/test-server.ts'
import { createSystemContext } from './context.ts'
import type { Job } from './define-job.ts'
import { JOBS, runJob } from './jobs.ts'
import { DEFAULT_RETRY, type JobRunner, type JobTable, migrateJobs, startJobs } from './platform/jobs.ts'
import { createLog } from './platform/log.ts'

const RENAMING = new URL('../db/migrations/0009_job_names.sql', import.meta.url)
const SYSTEM =
  '{ system { jobs { name label waiting failed } failedJobs { id name label tries error failedAt } } }'

/** Starts a runner of this table on the server's database, as a start of the server does. */
async function start<T extends JobTable>(
  server: TestServer,
  table: T,
): Promise<JobRunner<T> & { logged: string[] }> {
  const logged: string[] = []
  await migrateJobs(server.connection)
  const runner = startJobs(
    connectAs(server.connection, 'staff'),
    createLog('info', (line) => logged.push(line)),
    table,
  )
  onTestFinished(() => runner.stop())
  await runner.started
  return { ...runner, logged }
}

async function readSystem(server: TestServer) {
  const admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
  return async () => (await admin.graphql(SYSTEM)).data.system
}

describe('the table of jobs', () => {
  it('contains the jobs of every feature once', async () => {
    const features = import.meta.glob<Record<string, Record<string, Job>>>('./features/*/*.jobs.ts', {
      eager: true,
    })
    const declared = Object.values(features).flatMap((exports) => Object.values(exports).flatMap(Object.keys))
    expect(declared.toSorted()).toEqual(Object.keys(JOBS).toSorted())
  })

  it('has a label, retries and, for a job that repeats, a payload that its schema accepts', () => {
    const jobs: Job[] = Object.values(JOBS)
    for (const { label, retry, schedule, payload } of jobs) {
      expect(label).not.toBe('')
      expect(retry.retryLimit).toBeGreaterThan(0)
      expect(retry.retryDelay).toBeGreaterThan(0)
      if (schedule) expect(payload.parse(schedule.payload)).toEqual(schedule.payload)
    }
  })

  it('sets each schedule once for all servers and removes those of earlier builds', async () => {
    const server = await createTestServer()
    const former = { retired: { payload: z.object({}), retry: DEFAULT_RETRY } }
    const earlier = await start(server, {
      retired: { ...former.retired, schedule: { cron: '* * * * *', payload: {} } },
    })
    await earlier.run(async () => undefined)
    for (const runner of [await start(server, JOBS), await start(server, JOBS)]) {
      await runner.run(async () => undefined)
    }
    const { rows } = await sql<{ name: string; cron: string }>`
      select name, cron from pgboss.schedule order by name`.execute(server.db)
    const expected = Object.entries<Job>(JOBS).flatMap(([name, { schedule }]) =>
      schedule ? [{ name, cron: schedule.cron }] : [],
    )
    expect(rows).toEqual(expected.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
  })

  it('gives an existing queue the retries of this build', async () => {
    const server = await createTestServer()
    const retries = (retryLimit: number) => ({
      changed: { payload: z.object({}), retry: { ...DEFAULT_RETRY, retryLimit } },
    })
    await start(server, retries(1))
    await start(server, retries(9))
    const { rows } = await sql`select retry_limit from pgboss.queue where name = 'changed'`.execute(server.db)
    expect(rows).toEqual([{ retry_limit: 9 }])
  })

  it('leaves queues that are as they should be', async () => {
    const server = await createTestServer()
    const read = async () =>
      (await sql`select name, updated_on from pgboss.queue order by name`.execute(server.db)).rows
    await start(server, JOBS)
    const before = await read()
    expect(before.length).toBeGreaterThanOrEqual(Object.keys(JOBS).length)
    await start(server, JOBS)
    expect(await read()).toEqual(before)
  })
})

it('fails a job with a bad payload at once, and shows it with a code', async () => {
  const server = await createTestServer()
  const runner = await start(server, JOBS)
  const read = await readSystem(server)
  // @ts-expect-error: the payload of `check-upload` is { uploadId }
  await runner.enqueue(server.db, 'check-upload', { upload: 'x' })
  await runner.run((name, payload) => runJob(createSystemContext(server.services), name, payload))
  await expect.poll(async () => (await read()).failedJobs).toHaveLength(1)
  expect((await read()).failedJobs).toEqual([
    {
      id: expect.any(String),
      name: 'check-upload',
      label: 'Controlul fișierelor',
      tries: 1,
      error: 'BAD_PAYLOAD',
      failedAt: expect.any(String),
    },
  ])
}, 30_000)

it('logs a job stored under an unknown name, shows it and keeps it for ever', async () => {
  const server = await createTestServer()
  const other = { 'of-another-build': { payload: z.object({}), retry: DEFAULT_RETRY } }
  const earlier = await start(server, other)
  await earlier.enqueue(server.db, 'of-another-build', {})
  const { logged } = await start(server, JOBS)
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'error',
      event: 'jobs: stored under an unknown name, not run',
      name: 'of-another-build',
      count: 1,
    },
  ])
  const read = await readSystem(server)
  expect((await read()).jobs).toEqual([{ name: 'of-another-build', label: null, waiting: 1, failed: 0 }])
  const { rows } = await sql`
    select keep_until = 'infinity' kept from pgboss.job where name = 'of-another-build'`.execute(server.db)
  expect(rows).toEqual([{ kept: true }])
})

it('runs the jobs that an earlier build stored under former names, once each', async () => {
  const server = await createTestServer()
  const former = (key?: () => string) => ({
    payload: z.record(z.string(), z.unknown()),
    retry: DEFAULT_RETRY,
    schedule: { cron: '0 0 1 1 *', payload: {} },
    ...(key && { key }),
  })
  const earlier = await start(server, {
    'message.send': former(() => 'one'),
    'account.reset': former(),
    'account.sweep': former(),
  })
  const messageId = crypto.randomUUID()
  await earlier.enqueue(server.db, 'message.send', { messageId })
  await earlier.enqueue(server.db, 'account.reset', { sealed: 'AAAA' })
  await earlier.enqueue(server.db, 'account.sweep', {})
  await earlier.stop()
  await runSql(server.connection, await readFile(RENAMING, 'utf8'))

  const done: unknown[] = []
  const runner = await start(server, JOBS)
  expect(runner.logged).toEqual([])
  await runner.run(async (name, payload) => {
    done.push({ name, payload })
  })
  await expect.poll(() => done).toHaveLength(3)
  expect(done).toEqual(
    expect.arrayContaining([
      { name: 'send-message', payload: { messageId } },
      { name: 'send-reset-link', payload: { encrypted: 'AAAA' } },
      { name: 'delete-expired-sign-ins', payload: {} },
    ]),
  )
  const { rows } = await sql`select name from pgboss.queue where name like '%.%'`.execute(server.db)
  expect(rows).toEqual([])
}, 30_000)
