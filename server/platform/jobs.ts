import { fromKysely, PgBoss, type Queue } from 'pg-boss'
import type { DatabaseConnection, Db } from './database/database.ts'
import { errorFields, type Log } from './log.ts'

/** The kinds of work done outside a request, with the data of each. */
export type JobKinds = {
  'upload.check': { uploadId: string }
  'upload.sweep': Record<string, never>
  'file.purge': Record<string, never>
  'upload.expire': Record<string, never>
  /** Accepts an upload that reached review without a reviewer, where its category allows that. */
  'review.auto': { uploadId: string }
  'review.release': Record<string, never>
  'message.send': { messageId: string }
  /** `sealed`: the encrypted address that a new password was requested for; it may belong to no account. */
  'account.reset': { sealed: string }
  'account.sweep': Record<string, never>
  /** `askedBy`: the user who requested the check; null for the nightly one. */
  'audit.verify': { askedBy: string | null }
}
export type JobKind = keyof JobKinds

export type Jobs = {
  /** Adds a job in the transaction of `db`; the job exists once that transaction commits. */
  enqueue<K extends JobKind>(db: Db, kind: K, data: JobKinds[K]): Promise<void>
  /**
   * Queues a failed job again, in the transaction of `db`; returns false when there is no such failed job.
   */
  retry(db: Db, kind: string, id: string): Promise<boolean>
}

export type JobRunner = Jobs & {
  /** Runs the jobs of one kind, one at a time; a job that throws is retried after growing pauses. */
  work<K extends JobKind>(kind: K, run: (data: JobKinds[K]) => Promise<void>): Promise<void>
  /** Adds a job of this kind by cron expression, once for all servers of the database. */
  repeat<K extends JobKind>(kind: K, cron: string, data: JobKinds[K]): Promise<void>
  stop(): Promise<void>
}

/** `retryDelay` is in seconds. */
const DEFAULT_RETRY = { retryLimit: 5, retryDelay: 2, retryBackoff: true } as const
/** How each kind is retried; of jobs with the same `about`, only one waits or runs at a time. */
const QUEUE_OPTIONS: { [K in JobKind]: Omit<Queue, 'name'> & { about?: (data: JobKinds[K]) => string } } = {
  'upload.check': DEFAULT_RETRY,
  'upload.sweep': DEFAULT_RETRY,
  'file.purge': DEFAULT_RETRY,
  'upload.expire': DEFAULT_RETRY,
  'review.auto': DEFAULT_RETRY,
  'review.release': DEFAULT_RETRY,
  'account.reset': DEFAULT_RETRY,
  'account.sweep': DEFAULT_RETRY,
  'audit.verify': { ...DEFAULT_RETRY, policy: 'exclusive', about: () => 'chain' },
  // For a mail server that is down: the first retry after a minute or two, then twice as long each time, up
  // to six hours. The job ends when the message is a day old, long before the 20th retry.
  'message.send': {
    retryLimit: 20,
    retryDelay: 60,
    retryBackoff: true,
    retryDelayMax: 6 * 60 * 60,
    policy: 'exclusive',
    about: ({ messageId }) => messageId,
  },
}
const KINDS = Object.keys(QUEUE_OPTIONS) as JobKind[]
const isKind = (kind: string): kind is JobKind => Object.hasOwn(QUEUE_OPTIONS, kind)

/** Keeps jobs in the product's own database (schema `pgboss`); LISTEN/NOTIFY starts them at once. */
export async function startJobs(connection: DatabaseConnection, log: Log): Promise<JobRunner> {
  const { host, port, user, password, database, connectionString, ssl } = connection
  const settings = { host, port, user, password, database, connectionString, ssl }
  const known = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
  const boss = new PgBoss({ ...known, max: 3, useListenNotify: true, application_name: 'dosar-jobs' })
  boss.on('error', (error) => log.warn('jobs: error', errorFields(error)))
  await boss.start()
  for (const kind of KINDS) {
    const { about: _about, ...options } = QUEUE_OPTIONS[kind]
    await boss.createQueue(kind, { notify: true, ...options })
  }
  return {
    enqueue: async (db, kind, data) => {
      const singletonKey = QUEUE_OPTIONS[kind].about?.(data)
      await boss.send(kind, data, { db: fromKysely(db), ...(singletonKey && { singletonKey }) })
    },
    retry: async (db, kind, id) => {
      if (!isKind(kind)) return false
      // The declared return type lacks `affected`.
      const result = (await boss.retry(kind, id, { db: fromKysely(db) })) as { affected?: number }
      return result.affected === 1
    },
    work: async (kind, run) => {
      const polling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 }
      const worker = await boss.work<JobKinds[typeof kind]>(kind, polling, async ([job]) => {
        if (!job) return
        // Without this call the worker pauses for the polling interval after each job, also while other jobs
        // wait.
        boss.notifyWorker(worker)
        try {
          await run(job.data)
        } catch (error) {
          log.error('job failed', { kind, job: job.id, ...errorFields(error) })
          throw error
        }
      })
    },
    repeat: (kind, cron, data) => boss.schedule(kind, cron, data),
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  }
}
