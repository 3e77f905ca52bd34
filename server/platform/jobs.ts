import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { fromKysely, PgBoss } from 'pg-boss'
import type { z } from 'zod'
import type { DatabaseConnection, Db } from './database/database.ts'
import { errorFields, type Log } from './log.ts'

/** What the queue has to know about a job: work done outside a request. */
export type JobSettings<P = unknown> = {
  payload: z.ZodType<P>
  retry: RetryPolicy
  /** Adds the job by a cron expression in UTC, once for all servers of the database. */
  schedule?: { cron: string; payload: P }
  /** Of jobs with the same key only one waits or runs at a time. */
  key?(payload: P): string
  /** How many jobs run at a time in one server, of each group only one; without it one job in all. */
  concurrency?: { jobs: number; group(payload: P): string | undefined }
  /** After how long a running job counts as lost, and is retried; 15 minutes if it is left out. */
  expireInSeconds?: number
  /** At each start a copy is added of those that are running, which a killed server may have left; two may run at a time. */
  repeatAtStart?: boolean
}
/** `retryDelay` and `retryDelayMax` are in seconds; with `retryBackoff` each pause is twice the last one. */
export type RetryPolicy = {
  retryLimit: number
  retryDelay: number
  retryBackoff: boolean
  retryDelayMax?: number
}
export type JobTable = Record<string, JobSettings>

/**
 * Its member `table` is declared by `server/jobs.ts`. This file cannot import that table, because the table
 * imports the verbs, and each verb imports this file through its context.
 */
// biome-ignore lint/suspicious/noEmptyInterface: server/jobs.ts adds the member
export interface RegisteredJobs {}
type RegisteredTable = RegisteredJobs extends { table: infer T extends JobTable } ? T : never

/** Adds jobs; names and payloads are those of the table `T`. */
export type Jobs<T extends JobTable = RegisteredTable> = {
  /**
   * Adds a job in the transaction of `db`; the job exists once that transaction commits, and runs after `startAt`,
   * within seconds.
   */
  enqueue<N extends keyof T & string>(
    db: Db,
    name: N,
    payload: z.output<T[N]['payload']>,
    options?: { startAt?: Date },
  ): Promise<void>
  /**
   * Queues a failed job again, in the transaction of `db`; returns false when there is no such failed job.
   */
  retry(db: Db, name: string, id: string): Promise<boolean>
}

export type JobRunner<T extends JobTable> = Jobs<T> & {
  /** Resolves when it is connected and has all queues; jobs that are added before wait for it. */
  started: Promise<void>
  /**
   * Runs the jobs of the table, of each name as many at a time as it allows, and adds the scheduled ones. A job that
   * throws is retried, unless it throws BadPayload.
   */
  run(runJob: (name: keyof T & string, payload: unknown) => Promise<void>): Promise<void>
  /**
   * Takes no further jobs, ends the running ones with `interrupt`, and waits for them. What does not end well by then
   * is no failure: it is put back, and runs at the next start.
   */
  stop(interrupt?: () => void): Promise<void>
}

/** For work that fails for a moment: five retries, the last one a minute or two after the first attempt. */
export const DEFAULT_RETRY: RetryPolicy = { retryLimit: 5, retryDelay: 2, retryBackoff: true }

/** A payload that does not match its job's schema. The job fails at once, since a retry cannot succeed. */
export class BadPayload extends Error {
  readonly code = 'BAD_PAYLOAD'
}

/** Returns the payload by its schema; throws BadPayload. */
export function parsePayload<P>(schema: z.ZodType<P>, payload: unknown): P {
  const parsed = schema.safeParse(payload)
  if (!parsed.success) throw new BadPayload('the payload does not match its schema')
  return parsed.data
}

/** How long running jobs may take to end after a stop. */
const STOP_TIMEOUT_MS = 10_000
/** How much the clocks of a server and of the database may differ without a job starting before its time. */
const CLOCK_DIFFERENCE_MS = 250

/** The settings of a connection that the queue knows. */
function connectionOptions(connection: DatabaseConnection) {
  const { host, port, user, password, database, connectionString, ssl } = connection
  const settings = { host, port, user, password, database, connectionString, ssl }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

const GRANTS = `
  grant usage on schema pgboss to dosar_staff;
  grant select, insert, update, delete on all tables in schema pgboss to dosar_staff;
  grant usage, select on all sequences in schema pgboss to dosar_staff`

/**
 * Creates the queue's tables (schema `pgboss`), or updates them to the installed version, as their owner, and lets the
 * role of requests use them.
 */
export async function migrateJobs(owner: DatabaseConnection): Promise<void> {
  const boss = new PgBoss({ ...connectionOptions(owner), max: 1, supervise: false, schedule: false })
  // An error of a call rejects that call; the queue reports it here as well.
  boss.on('error', () => undefined)
  await boss.start()
  await boss.getDb().executeSql(GRANTS)
  await boss.stop()
}

/**
 * Keeps jobs in the product's own database, in the tables of `migrateJobs`, whose end it waits for as `migrated`; LISTEN/NOTIFY
 * starts them at once. A process that only adds jobs, with `runsJobs` false, expects the queues that another process has
 * created, and does no maintenance.
 */
export function startJobs<T extends JobTable>(
  connection: DatabaseConnection,
  log: Log,
  table: T,
  { runsJobs = true, migrated = Promise.resolve() }: { runsJobs?: boolean; migrated?: Promise<void> } = {},
): JobRunner<T> {
  const boss = new PgBoss({
    ...connectionOptions(connection),
    max: runsJobs ? 3 : 1,
    migrate: false,
    createSchema: false,
    useListenNotify: runsJobs,
    supervise: runsJobs,
    schedule: runsJobs,
    application_name: 'dosar-jobs',
  })
  boss.on('error', (error) => log.warn('jobs: error', errorFields(error)))
  const workers = createWorkers(boss)
  wakeOneWorker(boss, workers)
  const running: RunningJobs = { isStopping: false, jobs: new Map() }
  const connect = async () => {
    await migrated
    if (running.isStopping) return
    await boss.start()
    if (runsJobs) await Promise.all([createQueues(boss, table), keepUnknownJobs(boss, table, log)])
  }
  const started = connect()
  // Who awaits it gets its error.
  started.catch(() => undefined)
  return {
    started,
    enqueue: async (db, name, payload, { startAt } = {}) => {
      await started
      const singletonKey = table[name]?.key?.(payload)
      const group = table[name]?.concurrency?.group(payload)
      await boss.send(name, payload as object, {
        db: fromKysely(db),
        ...(singletonKey && { singletonKey }),
        ...(group && { group: { id: group } }),
        ...(startAt && { startAfter: new Date(startAt.getTime() + CLOCK_DIFFERENCE_MS) }),
      })
    },
    retry: async (db, name, id) => {
      if (!Object.hasOwn(table, name)) return false
      await started
      // The declared return type lacks `affected`.
      const result = (await boss.retry(name, id, { db: fromKysely(db) })) as { affected?: number }
      return result.affected === 1
    },
    run: async (runJob) => {
      await started
      await repeatRunning(boss, table)
      for (const [name, { concurrency }] of Object.entries(table)) {
        // Not pg-boss's `localConcurrency`: of its workers only the first one can be notified.
        for (let worker = 0; worker < (concurrency?.jobs ?? 1); worker += 1)
          await work(boss, log, { running, workers }, name, (payload) => runJob(name, payload))
      }
      await setSchedules(boss, table)
    },
    stop: async (interrupt) => {
      running.isStopping = true
      // Before the jobs end, so that no worker takes the next one.
      for (const name of Object.keys(table)) void boss.offWork(name, { wait: false })
      interrupt?.()
      const ended = Promise.allSettled(running.jobs.values())
      await Promise.race([ended, pause(STOP_TIMEOUT_MS, null, { ref: false })])
      await putBack(boss, [...running.jobs.keys()])
      // As long as it takes to store how the others ended.
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS / 2 })
    },
  }
}

/** The workers of each queue. */
type Workers = {
  add(name: string, id: string): void
  /** Lets one idle worker look for a job: at most one of a queue at a time, since two would take jobs of the same group. */
  wake(name: string): void
  setBusy(id: string, isBusy: boolean): void
}

/** Between two workers of a queue that look for a job, in which the first one has taken its job. */
const WAKE_INTERVAL_MS = 25

function createWorkers(boss: PgBoss): Workers {
  const ids = new Map<string, string[]>()
  const busy = new Set<string>()
  /** The queues of which a worker was woken a moment ago, and whether another is to be woken after that. */
  const woken = new Map<string, boolean>()
  const wake = (name: string): void => {
    if (woken.has(name)) return void woken.set(name, true)
    const idle = ids.get(name)?.find((id) => !busy.has(id))
    // Those that work look for the next job when they have ended.
    if (idle === undefined) return
    boss.notifyWorker(idle)
    woken.set(name, false)
    setTimeout(() => {
      const isWaiting = woken.get(name)
      woken.delete(name)
      if (isWaiting) wake(name)
    }, WAKE_INTERVAL_MS).unref()
  }
  return {
    add: (name, id) => ids.set(name, [...(ids.get(name) ?? []), id]),
    wake,
    setBusy: (id, isBusy) => (isBusy ? busy.add(id) : busy.delete(id)),
  }
}

/**
 * Lets a new job wake one worker of its queue. The library wakes all of them for each job, and those that take a job of a
 * group that is at work put it back: with many files of one author that was most of the database's time.
 */
function wakeOneWorker(boss: PgBoss, { wake }: Workers): void {
  const db = boss.getDb() as {
    listen?: (channel: string, onName: (name: string) => void, ...rest: unknown[]) => unknown
  }
  const listen = db.listen?.bind(db)
  if (listen) db.listen = (channel, _onName, ...rest) => listen(channel, wake, ...rest)
}

/** Creates the queues that are missing, and changes those that an earlier build created with other options. */
async function createQueues(boss: PgBoss, table: JobTable): Promise<void> {
  const queues = new Map((await boss.getQueues(Object.keys(table))).map((queue) => [queue.name, queue]))
  const create = async ([name, { retry, key, expireInSeconds }]: [string, JobSettings]) => {
    const options = { notify: true, ...retry, ...(expireInSeconds && { expireInSeconds }) }
    const queue = queues.get(name)
    if (!queue) await boss.createQueue(name, { ...options, ...(key && { policy: 'exclusive' }) })
    else if (!isDeepStrictEqual({ ...queue, ...options }, { ...queue })) await boss.updateQueue(name, options)
  }
  await Promise.all(Object.entries(table).map(create))
}

/** Adds the copies that `repeatAtStart` asks for. */
async function repeatRunning(boss: PgBoss, table: JobTable): Promise<void> {
  const names = Object.keys(table).filter((name) => table[name]?.repeatAtStart)
  const { rows } = await boss
    .getDb()
    .executeSql(`select name, data, group_id from pgboss.job where state = 'active' and name = any ($1)`, [
      names,
    ])
  for (const { name, data, group_id: id } of rows) await boss.send(name, data, id && { group: { id } })
}

/** Logs jobs that another build stored under names that this one does not know, and never deletes them. */
async function keepUnknownJobs(boss: PgBoss, table: JobTable, log: Log): Promise<void> {
  const { rows } = await boss.getDb().executeSql(
    `with kept as (
       update pgboss.job set keep_until = 'infinity', deletion_seconds = 0
       where state in ('created', 'retry', 'active', 'failed')
         and name <> all ($1) and not starts_with(name, '__pgboss__')
       returning name)
     select name, count(*)::int from kept group by name`,
    [Object.keys(table)],
  )
  for (const { name, count } of rows)
    log.error('jobs: stored under an unknown name, not run', { name, count })
}

/** The promises of the running jobs by their ids. */
type RunningJobs = { isStopping: boolean; jobs: Map<string, Promise<void>> }

/**
 * Puts running jobs back as if they had not run. The next run counts as a retry, by which pg-boss recognises that a
 * late result is not of that run, so it is granted one retry more.
 */
async function putBack(boss: PgBoss, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await boss.getDb().executeSql(
    `update pgboss.job set start_after = now(), state = 'retry', retry_limit = retry_limit + 1
     where id = any ($1::uuid[]) and state = 'active'`,
    [ids],
  )
}

async function work(
  boss: PgBoss,
  log: Log,
  { running, workers }: { running: RunningJobs; workers: Workers },
  name: string,
  run: (payload: unknown) => Promise<void>,
): Promise<void> {
  const options = {
    pollingIntervalSeconds: 2,
    notifyPollingIntervalSeconds: 2,
    perJobResults: true,
    localGroupConcurrency: 1,
  } as const
  const worker = await boss.work(name, options, async ([job]) => {
    if (!job) return []
    // Without this call the worker pauses for the polling interval after each job, also while other jobs
    // wait.
    boss.notifyWorker(worker)
    workers.setBusy(worker, true)
    // Another job may wait, of a group that is not at work.
    workers.wake(name)
    const interrupted = async () => {
      log.info('job interrupted by the stop, runs again', { name, job: job.id })
      await putBack(boss, [job.id])
      // Of a run that is over, so that pg-boss records nothing.
      return [{ id: job.id, status: 'completed' as const }]
    }
    if (running.isStopping) return interrupted()
    const done = run(job.data)
    running.jobs.set(job.id, done)
    try {
      await done
      return [{ id: job.id, status: 'completed' }]
    } catch (error) {
      if (running.isStopping) return await interrupted()
      log.error('job failed', { name, job: job.id, ...errorFields(error) })
      if (!(error instanceof BadPayload)) throw error
      // Without a dead letter queue this state is `failed`, without retries.
      return [{ id: job.id, status: 'deadletter', output: { code: error.code } }]
    } finally {
      running.jobs.delete(job.id)
      workers.setBusy(worker, false)
    }
  })
  workers.add(name, worker)
}

/** Sets the schedules of the table, and removes those of earlier builds. */
async function setSchedules(boss: PgBoss, table: JobTable): Promise<void> {
  for (const [name, { schedule }] of Object.entries(table)) {
    if (schedule) await boss.schedule(name, schedule.cron, schedule.payload as object)
  }
  for (const { name, key } of await boss.getSchedules()) {
    if (!table[name]?.schedule) await boss.unschedule(name, key)
  }
}
