import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { makeUser } from '../db/factories.ts'
import { createApp } from '../server/app.ts'
import type { Config } from '../server/config.ts'
import { createSystemContext } from '../server/context.ts'
import { insertSession, selectUserByEmail } from '../server/features/accounts/accounts.db.ts'
import { upsertSettings } from '../server/features/site/site.db.ts'
import { SESSION_COOKIE } from '../server/http/auth/authenticate.ts'
import type { Env } from '../server/http/types.ts'
import { type JobName, runJob } from '../server/jobs.ts'
import { hashToken, newToken } from '../server/platform/crypto/keys.ts'
import { type Db, openDatabase } from '../server/platform/database/database.ts'
import {
  type GuestDatabases,
  openGuestDatabases,
  openRecipientDatabases,
  type RecipientDatabases,
} from '../server/platform/database/guest-database.ts'
import { newId } from '../server/platform/ids.ts'
import type { Jobs } from '../server/platform/jobs.ts'
import { createLog } from '../server/platform/log.ts'
import type { Services } from '../server/services.ts'
import { createTestClient, type TestClient } from './client.ts'
import { connectAs, type TestConnection } from './databases.ts'
import { openServices } from './open-services.ts'

export type OpenServer = {
  services: Services
  app: Hono<Env>
  /** As the owner of the schema, for what tests prepare and look up; the server itself connects by its roles. */
  db: Db
  connection: TestConnection
  /** The lines that the server has logged. */
  logged: string[]
  /** Opens a session for the account with this address. */
  signIn(email: string): Promise<TestClient>
  /** Makes an account and opens a session for it. */
  signInAs(user?: Parameters<typeof makeUser>[1]): Promise<TestClient & { id: string; email: string }>
  /**
   * Runs the jobs that transactions have enqueued so far, in order, as the job runner would. Thumbnails are drawn only with
   * `draws`: each takes a process, and few tests look at one.
   */
  runJobs(options?: { draws?: boolean }): Promise<void>
  /** Loses the jobs that wait, as far as a server that is killed does. */
  dropJobs(): void
  /** Ends the server; the database stays. */
  stop(): Promise<void>
}

/** The databases that a server works with, each by its role. */
export type OpenDatabases = { staff: Db; guests: GuestDatabases; recipients: RecipientDatabases }

export const openDatabases = (connection: TestConnection): OpenDatabases => ({
  // Few connections, since the servers of several tests run on one PostgreSQL.
  staff: openDatabase({ ...connectAs(connection, 'staff'), max: 6 }, () => undefined),
  guests: openGuestDatabases({ ...connectAs(connection, 'guest'), max: 3 }, () => undefined),
  recipients: openRecipientDatabases({ ...connectAs(connection, 'recipient'), max: 2 }, () => undefined),
})

/**
 * Opens the whole product on this migrated database, with a new data folder that is deleted at `stop`. `open` opens the
 * databases of the server.
 */
export async function openServer(
  connection: TestConnection,
  overrides: Partial<Config> = {},
  open: (connection: TestConnection) => OpenDatabases = openDatabases,
): Promise<OpenServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dosar-data-'))
  const logged: string[] = []
  const log = createLog('debug', (line) => logged.push(line))
  const db = openDatabase({ ...connection, max: 4 }, () => undefined)
  const queue = createJobQueue()
  const { staff, guests, recipients } = open(connection)
  const opened = { db: staff, guests, recipients, log, jobs: queue }
  const { services, stop } = await openServices(connectAs(connection, 'staff'), dataDir, opened, overrides)
  // Verdicts release at once, except in the tests of their undo.
  await upsertSettings(db, { undo_seconds: 0 })
  const app = createApp(services)
  const signIn = async (email: string) => {
    const user = await selectUserByEmail(db, email)
    if (!user) throw new Error(`no account ${email}`)
    const token = newToken()
    await insertSession(db, {
      id: newId(),
      token_hash: hashToken(token),
      user_id: user.id,
      expires_at: new Date(Date.now() + 3_600_000),
      ip: null,
      user_agent: null,
    })
    return createTestClient({ app }, { cookies: [[SESSION_COOKIE, token]] })
  }
  return {
    services,
    app,
    db,
    connection,
    logged,
    stop: async () => {
      await stop()
      await Promise.all([db.destroy(), staff.destroy(), guests.destroy(), recipients.destroy()])
      await rm(dataDir, { recursive: true, force: true })
    },
    runJobs: async ({ draws = false } = {}) => {
      for (let job = queue.take(); job; job = queue.take()) {
        if (job.name === 'draw-thumbnails' && !draws) continue
        await runJob(createSystemContext(services), job.name, job.payload)
      }
    },
    dropJobs: () => {
      while (queue.take());
    },
    signIn,
    signInAs: async (user) => {
      const { id, email } = await makeUser(db, user)
      return { ...(await signIn(email)), id, email }
    },
  }
}

type QueuedJob = { name: JobName; payload: unknown }

/** Keeps jobs in the order in which they were enqueued; the test decides when they run. */
function createJobQueue(): Jobs & { take(): QueuedJob | undefined } {
  const queued: QueuedJob[] = []
  return {
    enqueue: async (_db, name, payload) => {
      queued.push({ name, payload })
    },
    // A job that fails here fails the test.
    retry: async () => false,
    take: () => queued.shift(),
  }
}
