import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../../db/factories.ts'
import { createIntegration } from '../../../../test/integrations/send-documents.ts'
import { countLockWaits } from '../../../../test/locks/lock-waits.ts'
import { createTestServer, type TestServer } from '../../../../test/test-server.ts'
import { tusRequests } from '../../../../test/tus.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({}, afterAll)
})

it('who submits what a program has sent stays its author, also if a colleague begins a file at that moment', async () => {
  const { db, services } = server
  const clinic = await makeInstitution(db)
  const patient = await makePatient(db)
  await makeReferral(db, { patient_id: patient.id, institution_id: clinic.id })
  const lis = await createIntegration(server)
  const radu = await makeUser(db, { name: 'Radu', features: ['patient::files', 'admin::review-files'] })
  const reviewer = await server.signIn(radu.email)
  const colleague = await server.signIn((await makeUser(db, { name: 'Coleg' })).email)
  const u = await makeUpload(db, services.storage, {
    patient_id: patient.id,
    institution_id: clinic.id,
    state: 'rejected',
    files: [{ bytes: Buffer.from('x'), content_text: `CNP ${patient.cnp}` }],
  })
  await db
    .updateTable('upload')
    .set({ created_by: null, integration_id: lis.id })
    .where('id', '=', u.id)
    .execute()

  let submitting: Promise<unknown> | undefined
  let beginning: Promise<unknown> | undefined
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('upload').select('id').where('id', '=', u.id).forUpdate().execute()
    submitting = reviewer.graphql('mutation ($id: ID!) { submitUpload(id: $id) { state isOwn version } }', {
      id: u.id,
    })
    await expect.poll(() => countLockWaits(db)).toBe(1)
    beginning = tusRequests(colleague.fetch)
      .begin(u.id, Buffer.from('alt fisier'), 'a.txt')
      .catch((e) => String(e))
    await expect.poll(() => countLockWaits(db)).toBe(2)
  })
  await submitting
  expect(await beginning).toContain('CONFLICT')
  const row = await db.selectFrom('upload').selectAll().where('id', '=', u.id).executeTakeFirstOrThrow()
  const accepted = await reviewer.graphql(
    'mutation ($id: ID!, $version: Int!) { acceptUpload(id: $id, version: $version, reason: "compared-original", comment: "cu originalul", openedFileIds: []) { state } }',
    { id: u.id, version: row.version },
  )
  expect(accepted.errors[0]?.extensions.code).toBe('FORBIDDEN')
  expect(row.created_by).toBe(radu.id)
})
