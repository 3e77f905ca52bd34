import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { makeUser } from '../../../db/factories.ts'
import { connectAs } from '../../../test/databases.ts'
import { startMailServer } from '../../../test/mail.ts'
import { createTestServer } from '../../../test/test-server.ts'
import { JOBS } from '../../jobs.ts'
import { newId } from '../../platform/ids.ts'
import { migrateJobs, startJobs } from '../../platform/jobs.ts'
import { createLog } from '../../platform/log.ts'

async function start() {
  const mail = await startMailServer()
  onTestFinished(mail.stop)
  const server = await createTestServer({ smtpUrl: mail.url, url: 'https://rezultate.clinica.test' })
  await migrateJobs(server.connection)
  const log = createLog('error', () => undefined)
  const jobs = startJobs(connectAs(server.connection, 'staff'), log, JOBS)
  // Creates the queues.
  await jobs.started
  await jobs.stop()
  const admin = await makeUser(server.db, { role: 'admin', name: 'Șefa' })
  await makeUser(server.db, { role: 'admin', status: 'suspended' })
  await makeUser(server.db)
  const look = async () => {
    await server.services.jobs.enqueue(server.db, 'notify-problems', {})
    await server.runJobs()
    return mail.arrived
      .splice(0)
      .map(({ recipients, mail: { subject, text } }) => ({ recipients, subject, text }))
  }
  const verify = (faults: object[]) =>
    server.db
      .insertInto('audit_verification')
      .values({
        id: newId(),
        started_at: new Date(),
        finished_at: new Date(),
        checked: 1,
        faults: JSON.stringify(faults),
      })
      .execute()
  const fail = (name: string) =>
    sql`insert into pgboss.job (name, data, state, completed_on) values (${name}, '{}', 'failed', now())`.execute(
      server.db,
    )
  return { server, admin, look, verify, fail }
}

it('mails active administrators once that the audit log is broken, and again for another kind of fault', async () => {
  const { admin, look, verify } = await start()
  const fault = { kind: 'changed', entryId: '1', position: 1, count: 1 }
  await verify([{ ...fault, kind: 'late' }])
  expect(await look()).toEqual([])
  await verify([fault])
  const [found, ...others] = await look()
  expect(others).toEqual([])
  expect(found).toMatchObject({ recipients: [admin.email], subject: 'Dosar are o problemă – Dosar' })
  expect(found!.text).toContain('jurnalul nu mai este așa cum a fost scris')
  expect(found!.text).toContain('https://rezultate.clinica.test/logs')
  expect(await look()).toEqual([])
  await verify([fault, { ...fault, entryId: '7' }])
  expect(await look()).toEqual([])
  await verify([fault, { ...fault, kind: 'deleted' }])
  expect(await look()).toHaveLength(1)
  // After it was intact, a fault is a new problem.
  await verify([])
  expect(await look()).toEqual([])
  await verify([fault])
  expect(await look()).toHaveLength(1)
})

it('mails them once that jobs have failed, until none of that name is failed any more', async () => {
  const { server, look, fail } = await start()
  await fail('check-upload')
  await fail('check-upload')
  await fail('purge-files')
  const [found] = await look()
  expect(found!.text).toContain('O lucrare de fond nu a reușit')
  expect(found!.text).toContain('https://rezultate.clinica.test/admin?tab=sistem')
  await fail('check-upload')
  expect(await look()).toEqual([])
  await sql`update pgboss.job set state = 'completed'`.execute(server.db)
  expect(await look()).toEqual([])
  await fail('check-upload')
  expect(await look()).toHaveLength(1)
  await fail('purge-files')
  expect(await look()).toHaveLength(1)
})
