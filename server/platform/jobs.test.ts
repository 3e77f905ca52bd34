import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { connectAs, createDatabase } from '../../test/databases.ts'
import { type DatabaseConnection, type Db, openDatabase } from './database/database.ts'
import { DEFAULT_RETRY, type JobRunner, migrateJobs, parsePayload, startJobs } from './jobs.ts'
import { createLog } from './log.ts'

const TABLE = {
  fast: { payload: z.object({ id: z.string() }), retry: DEFAULT_RETRY },
  repeated: { payload: z.object({ id: z.string() }), retry: DEFAULT_RETRY, repeatAtStart: true },
  slow: {
    payload: z.object({ id: z.string() }),
    retry: { retryLimit: 20, retryDelay: 60, retryBackoff: true, retryDelayMax: 6 * 60 * 60 },
    key: ({ id }: { id: string }) => id,
  },
  shared: {
    payload: z.object({ id: z.string(), owner: z.string().optional() }),
    retry: DEFAULT_RETRY,
    concurrency: { jobs: 3, group: ({ owner }: { owner?: string | undefined }) => owner },
  },
}

let jobs: JobRunner<typeof TABLE>
let db: Db
let drop: () => Promise<void>
let connection: DatabaseConnection
let logged: string[]

afterEach(async () => {
  await jobs.stop()
  await db.destroy()
  await drop()
})

async function start(): Promise<void> {
  const made = await createDatabase()
  drop = made.drop
  db = openDatabase(made.connection, () => undefined)
  await migrateJobs(made.connection)
  connection = connectAs(made.connection, 'staff')
  logged = []
  jobs = startJobs(
    connection,
    createLog('info', (line) => logged.push(line)),
    TABLE,
  )
  await jobs.started
}

it('runs many jobs that were added together without pauses in between', async () => {
  await start()
  const done: string[] = []
  await jobs.run(async (name, payload) => {
    done.push(parsePayload(TABLE[name].payload, payload).id)
  })
  const ids = Array.from({ length: 20 }, (_, n) => String(n))
  for (const id of ids) await jobs.enqueue(db, 'fast', { id })
  await expect.poll(() => [...done].sort()).toEqual([...ids].sort())
}, 30_000)

it('runs one job of each group at a time, so that no group keeps the others waiting', async () => {
  await start()
  const running: string[] = []
  const done: string[] = []
  const finish = new Map<string, () => void>()
  await jobs.run(async (_name, payload) => {
    const { id } = parsePayload(TABLE.shared.payload, payload)
    running.push(id)
    await new Promise<void>((resolve) => finish.set(id, resolve))
    running.splice(running.indexOf(id), 1)
    done.push(id)
  })
  for (let number = 1; number <= 3; number += 1)
    await jobs.enqueue(db, 'shared', { id: `a${number}`, owner: 'a' })
  await jobs.enqueue(db, 'shared', { id: 'b1', owner: 'b' })
  await jobs.enqueue(db, 'shared', { id: 'none' })
  await expect.poll(() => running.toSorted()).toEqual(['a1', 'b1', 'none'])
  finish.get('a1')!()
  await expect.poll(() => running.toSorted()).toEqual(['a2', 'b1', 'none'])
  finish.get('b1')!()
  finish.get('none')!()
  await expect.poll(() => done.toSorted()).toEqual(['a1', 'b1', 'none'])
  expect(running).toEqual(['a2'])
  finish.get('a2')!()
  await expect.poll(() => running).toEqual(['a3'])
  finish.get('a3')!()
}, 60_000)

it('puts back what a stop interrupts, without an error in the log and without counting it as a try', async () => {
  await start()
  for (const name of ['fast', 'slow'] as const) await jobs.enqueue(db, name, { id: name })
  const ends: (() => void)[] = []
  await jobs.run(() => new Promise((_resolve, reject) => ends.push(() => reject(new Error('the end')))))
  await expect.poll(() => ends.length).toBe(2)
  await jobs.stop(() => {
    for (const end of ends) end()
  })
  expect(logged.filter((line) => !line.includes('"level":"info"'))).toEqual([])
  const { rows } = await sql`
    select name, state::text, retry_limit - retry_count as tries, start_after <= now() as is_due
    from pgboss.job order by name`.execute(db)
  expect(rows).toEqual([
    { name: 'fast', state: 'retry', tries: 6, is_due: true },
    { name: 'slow', state: 'retry', tries: 21, is_due: true },
  ])
  // The next start.
  jobs = startJobs(
    connection,
    createLog('error', (line) => logged.push(line)),
    TABLE,
  )
  const done: string[] = []
  await jobs.run(async (name) => {
    done.push(name)
  })
  await expect.poll(() => done.toSorted()).toEqual(['fast', 'slow'])
}, 60_000)

type WaitingJob = { state: string; seconds: number }
const readJobs = async (): Promise<WaitingJob[]> => {
  const { rows } = await sql<WaitingJob>`
    select state::text, extract(epoch from start_after - now())::float8 seconds
    from pgboss.job where name = 'slow' order by created_on`.execute(db)
  return rows
}

it('repeats at the start what a killed server was running, if the table says so', async () => {
  await start()
  for (const name of ['fast', 'repeated'] as const) await jobs.enqueue(db, name, { id: name })
  // What is left of a server that is killed: jobs that are running, and nobody runs them.
  await sql`update pgboss.job set state = 'active', started_on = now() where name in ('fast', 'repeated')`.execute(
    db,
  )
  const done: string[] = []
  await jobs.run(async (name, payload) => {
    done.push(parsePayload(TABLE[name].payload, payload).id)
  })
  await jobs.enqueue(db, 'fast', { id: 'later' })
  await expect.poll(() => [...done].sort()).toEqual(['later', 'repeated'])
}, 30_000)

it('retries a mail after a minute or two, and adds a message only once', async () => {
  await start()
  const attempt: string[] = []
  await jobs.run(async (name, payload) => {
    attempt.push(parsePayload(TABLE[name].payload, payload).id)
    if (attempt.length < 3) throw new Error('the mail server is down')
  })
  const put = () => jobs.enqueue(db, 'slow', { id: 'one' })
  await put()
  await put()
  await expect.poll(readJobs).toMatchObject([{ state: 'retry' }])
  const [first] = await readJobs()
  expect(first!.seconds).toBeGreaterThan(50)
  expect(first!.seconds).toBeLessThan(121)
  await put()
  expect(await readJobs()).toHaveLength(1)

  const letTimePass = () => sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(db)
  await letTimePass()
  await expect.poll(() => attempt.length).toBe(2)
  await expect.poll(readJobs).toMatchObject([{ state: 'retry' }])
  expect((await readJobs())[0]!.seconds).toBeGreaterThan(100)
  await letTimePass()
  await expect.poll(readJobs).toMatchObject([{ state: 'completed' }])
  await put()
  await expect.poll(() => attempt).toEqual(['one', 'one', 'one', 'one'])
}, 60_000)
