import { fromKysely, PgBoss, type Queue } from 'pg-boss'
import type { DatabaseConnection, Db } from './database/database.ts'
import { errorFields, type Log } from './log.ts'

/** The kinds of work done outside a request, and what each one is told. */
export type JobKinds = {
  'upload.check': { uploadId: string }
  'upload.sweep': Record<string, never>
  'file.purge': Record<string, never>
  'upload.expire': Record<string, never>
  /** It has come to review: accepted without a person where its category allows that. */
  'review.auto': { uploadId: string }
  'review.release': Record<string, never>
  'message.send': { messageId: string }
  /** Who asked for a new password, sealed: addresses that nobody has an account with come here too. */
  'account.reset': { sealed: string }
  'account.sweep': Record<string, never>
  /** Who asked for it; null: the night. */
  'audit.verify': { askedBy: string | null }
}
export type JobKind = keyof JobKinds

export type Jobs = {
  /** Puts a job into the transaction that `db` is: it exists when that commits, and not otherwise. */
  enqueue<K extends JobKind>(db: Db, kind: K, data: JobKinds[K]): Promise<void>
  /** Puts a job that was given up down once more, in the transaction that `db` is; false where there is none. */
  retry(db: Db, kind: string, id: string): Promise<boolean>
}

export type JobRunner = Jobs & {
  /** Works off one kind, one job at a time; a job that throws is tried again with growing pauses. */
  work<K extends JobKind>(kind: K, run: (data: JobKinds[K]) => Promise<void>): Promise<void>
  /** Repeats a kind by cron expression, once for all servers of the database. */
  repeat<K extends JobKind>(kind: K, cron: string, data: JobKinds[K]): Promise<void>
  stop(): Promise<void>
}

/** Seconds and counts. */
const DEFAULT_RETRY = { retryLimit: 5, retryDelay: 2, retryBackoff: true } as const
/** How each kind is tried again, and what it is `about`: of one thing only one job waits or runs at a time. */
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
  // A mail server that is away: after a minute or two, twice as long each time, every six hours in the end. The job ends
  // when the message is a day old, long before this many tries.
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

/** Jobs in the product's own database (schema `pgboss`), picked up at once through LISTEN/NOTIFY. */
export async function startJobs(connection: DatabaseConnection, log: Log): Promise<JobRunner> {
  const { host, port, user, password, database, connectionString, ssl } = connection
  const settings = { host, port, user, password, database, connectionString, ssl }
  const known = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
  const boss = new PgBoss({ ...known, max: 3, useListenNotify: true, application_name: 'dosar-jobs' })
  boss.on('error', (error) => log.warn('jobs: error', errorFields(error)))
  await boss.start()
  for (const kind of KINDS) {
    const { about: _about, ...conduct } = QUEUE_OPTIONS[kind]
    await boss.createQueue(kind, { notify: true, ...conduct })
  }
  return {
    enqueue: async (db, kind, data) => {
      const singletonKey = QUEUE_OPTIONS[kind].about?.(data)
      await boss.send(kind, data, { db: fromKysely(db), ...(singletonKey && { singletonKey }) })
    },
    retry: async (db, kind, id) => {
      if (!isKind(kind)) return false
      // Its type says nothing of what it answers.
      const response = (await boss.retry(kind, id, { db: fromKysely(db) })) as { affected?: number }
      return response.affected === 1
    },
    work: async (kind, run) => {
      const often = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 }
      const worker = await boss.work<JobKinds[typeof kind]>(kind, often, async ([job]) => {
        if (!job) return
        // It would rest after each job, however many wait.
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
