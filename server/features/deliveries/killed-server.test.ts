import { sql } from 'kysely'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../db/factories.ts'
import { TEST_SECRET } from '../../../test/databases.ts'
import { ACCEPT_UPLOAD } from '../../../test/documents.ts'
import { startMailServer } from '../../../test/mail.ts'
import { PATIENCE_MS, startMain } from '../../../test/processes/main-process.ts'
import { createTestServer } from '../../../test/test-server.ts'

vi.setConfig({ testTimeout: 180_000 })

const SITE = 'https://rezultate.clinica.test'

/** A server whose job to announce one result has queued one mail, which no process has sent yet. */
async function queueDigest() {
  const server = await createTestServer({ url: SITE, secret: Buffer.from(TEST_SECRET) })
  const { db, services } = server
  const reviewer = await server.signIn(
    (await makeUser(db, { features: ['admin::review-files', 'patient::files'] })).email,
  )
  const { id: institution_id } = await makeInstitution(db)
  const { email } = await makeUser(db, { role: 'institution', institutionIds: [institution_id] })
  const { id: patient_id } = await makePatient(db)
  await makeReferral(db, { patient_id, institution_id })
  const { id, version } = await makeUpload(db, services.storage, { patient_id, institution_id })
  await reviewer.runQuery(ACCEPT_UPLOAD, { id, version })
  await services.jobs.enqueue(db, 'announce-results', {})
  await server.runJobs()
  const readMessage = () =>
    db.selectFrom('message').select(['id', 'state', 'tries']).executeTakeFirstOrThrow()
  return { server, email, readMessage }
}

it('a server process that is killed between the yes of the mail server and our row sends one more mail, with the same Message-ID', async () => {
  const mail = await startMailServer()
  onTestFinished(mail.stop)
  const { server, email, readMessage } = await queueDigest()
  const env = { SMTP_URL: mail.url, PUBLIC_URL: SITE }
  const { id } = await readMessage()

  // Another transaction holds the row, so that the process waits there with the yes in its hands.
  const locker = new pg.Client(server.connection)
  await locker.connect()
  onTestFinished(() => locker.end())
  mail.beforeYes = async () => {
    await locker.query('begin')
    await locker.query('select from message where id = $1 for update', [id])
  }
  const waitsForRow = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database() and application_name = 'dosar'
        and query like 'update "message"%'`.execute(server.db)
    return rows.length
  }
  const first = await startMain(server, env)
  await mail.waitFor(email)
  await expect.poll(waitsForRow, { timeout: PATIENCE_MS }).toBe(1)
  await first.kill()
  await locker.query('rollback')
  expect(await readMessage()).toEqual({ id, state: 'queued', tries: 1 })

  // As the queue does after 15 minutes with a job that has not ended.
  const { numAffectedRows } =
    await sql`update pgboss.job set state = 'retry', start_after = now() where name = 'send-digest' and state = 'active'`.execute(
      server.db,
    )
  expect(numAffectedRows).toBe(1n)
  await startMain(server, env)
  await expect.poll(readMessage, { timeout: PATIENCE_MS }).toEqual({ id, state: 'sent', tries: 2 })
  const unfinished = async () => {
    const { rows } = await sql`select from pgboss.job
      where name in ('send-digest', 'send-message') and state in ('created', 'retry', 'active')`.execute(
      server.db,
    )
    return rows.length
  }
  await expect.poll(unfinished, { timeout: PATIENCE_MS }).toBe(0)
  expect(mail.arrived.map(({ recipients, mail: { messageId } }) => [recipients, messageId])).toEqual(
    Array(2).fill([[email], `<${id}@rezultate.clinica.test>`]),
  )
})
