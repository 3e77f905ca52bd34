import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../db/factories.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({}, afterAll)
})

it('who has sent a result does not withdraw it after its release, also once it was moved to another patient', async () => {
  const { db, services } = server
  const clinic = await makeInstitution(db, { may_upload: true })
  const sender = await makeUser(db, { role: 'institution', institutionIds: [clinic.id] })
  const ana = await server.signIn(sender.email)
  const reviewer = await server.signIn(
    (await makeUser(db, { features: ['patient::files', 'admin::review-files'] })).email,
  )
  const [p1, p2] = [await makePatient(db, { surname: 'Unu' }), await makePatient(db, { surname: 'Doi' })]
  for (const { id } of [p1, p2]) await makeReferral(db, { patient_id: id, institution_id: clinic.id })
  const u = await makeUpload(db, services.storage, {
    patient_id: p1.id,
    institution_id: clinic.id,
    sender_institution_id: clinic.id,
    source: 'institution',
    created_by: sender.id,
    state: 'released',
    released_at: new Date(Date.now() - 3_600_000),
    files: [{ bytes: Buffer.from('x') }],
  })
  const withdraw = () =>
    ana.graphql('mutation ($id: ID!) { withdrawSentUpload(id: $id) { state } }', { id: u.id })
  expect((await withdraw()).errors[0]?.extensions.code).toBe('FORBIDDEN')
  await ana.runQuery('query ($id: ID!) { upload(id: $id) { id } }', { id: u.id })
  const { upload } = await reviewer.runQuery('query ($id: ID!) { upload(id: $id) { version } }', { id: u.id })
  await reviewer.runQuery(
    'mutation ($id: ID!, $version: Int!, $p: ID!, $i: ID) { moveReleasedUpload(id: $id, version: $version, patientId: $p, institutionId: $i, reason: "alt nume") { id } }',
    { id: u.id, version: upload.version, p: p2.id, i: clinic.id },
  )
  const answer = await withdraw()
  expect(answer.errors[0]?.extensions.code).toBe('FORBIDDEN')
})
