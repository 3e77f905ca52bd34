import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../db/factories.ts'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
let reviewer: TestClient
let clinic: { id: string }
let ana: TestClient

const MERGE = `mutation ($survivorId: ID!, $survivorVersion: Int!, $mergedId: ID!, $mergedVersion: Int!) {
  mergePatients(survivorId: $survivorId, survivorVersion: $survivorVersion, mergedId: $mergedId, mergedVersion: $mergedVersion) { id merges { id } } }`
const UNDO =
  'mutation ($id: ID!) { undoMerge(id: $id) { uploadsToCheck referralsToCheck { institutionName } } }'
const READ = 'query ($id: ID!) { upload(id: $id) { id patient { id name } } }'

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  reviewer = await server.signIn(
    (await makeUser(server.db, { features: ['patient::files', 'admin::review-files'] })).email,
  )
  clinic = await makeInstitution(server.db)
  ana = await server.signIn(
    (await makeUser(server.db, { role: 'institution', institutionIds: [clinic.id] })).email,
  )
})

async function two() {
  const make = (given_names: string) =>
    makePatient(server.db, { surname: 'Popa', given_names, cnp: null, birth_date: '1980-01-01' })
  const [m, s] = [await make('Maria'), await make('Sanda')]
  for (const { id } of [m, s]) await makeReferral(server.db, { patient_id: id, institution_id: clinic.id })
  const u = await makeUpload(server.db, server.services.storage, {
    patient_id: m.id,
    institution_id: clinic.id,
    state: 'released',
    released_at: new Date(Date.now() - 3_600_000),
  })
  return { m, s, u }
}
const row = (id: string) =>
  server.db.selectFrom('patient').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
async function merge(m: string, s: string) {
  const { mergePatients } = await reviewer.runQuery(MERGE, {
    survivorId: s,
    mergedId: m,
    survivorVersion: (await row(s)).version,
    mergedVersion: (await row(m)).version,
  })
  return mergePatients.merges[0].id as string
}

it('a recall of while two patients were merged names its own patient after the undo', async () => {
  const { m, s, u } = await two()
  await ana.runQuery(READ, { id: u.id })
  const id = await merge(m.id, s.id)
  await reviewer.runQuery('mutation ($id: ID!) { withdrawUpload(id: $id) { id } }', { id: u.id })
  await reviewer.runQuery(UNDO, { id })
  expect(
    (
      await server.db
        .selectFrom('upload')
        .select('patient_id')
        .where('id', '=', u.id)
        .executeTakeFirstOrThrow()
    ).patient_id,
  ).toBe(m.id)
  const { recalls } = await ana.runQuery('{ recalls { uploadId patientName } }')
  expect(recalls).toEqual([{ uploadId: u.id, patientName: 'Popa Maria' }])
})

it('a question of while two patients were merged stays with its result after the undo', async () => {
  const { m, s, u } = await two()
  const id = await merge(m.id, s.id)
  const { askQuestion } = await ana.runQuery(
    'mutation ($id: ID!) { askQuestion(uploadId: $id, text: "Ce este?") { id } }',
    { id: u.id },
  )
  await reviewer.runQuery(UNDO, { id })
  const of = (c: TestClient) =>
    c.runQuery('query ($id: ID!) { questions(uploadId: $id) { id upload { id } messages { text } } }', {
      id: u.id,
    })
  expect((await of(ana)).questions.map((q: { id: string }) => q.id)).toEqual([askQuestion.id])
})

it('access that a CNP has granted while two patients were merged is of the patient of that CNP after the undo', async () => {
  const cnp = makeCnp({ sex: 'female', birthDate: '1980-01-01', county: 12, serial: 501 })
  const make = (given_names: string, own: string | null) =>
    makePatient(server.db, { surname: 'Popa', given_names, cnp: own, birth_date: '1980-01-01' })
  const [m, s] = [await make('Maria', cnp), await make('Sanda', null)]
  const [asking, chosen] = [await makeInstitution(server.db), await makeInstitution(server.db)]
  const asker = await server.signIn(
    (await makeUser(server.db, { role: 'institution', institutionIds: [asking.id] })).email,
  )
  const id = await merge(m.id, s.id)
  const request = { surname: 'Popa', givenNames: 'Maria', birthDate: '1980-01-01', purpose: 'Control', cnp }
  await asker.runQuery('mutation ($request: AccessRequestInput!) { requestAccess(request: $request) }', {
    request: { ...request, institutionId: asking.id },
  })
  const OWN = '{ ownAccessRequests { nodes { id patientId } } patients { nodes { id } } }'
  const [sent] = (await asker.runQuery(OWN)).ownAccessRequests.nodes
  await reviewer.runQuery(
    'mutation ($id: ID!, $patientId: ID!) { acceptAccessRequest(id: $id, patientId: $patientId) { id } }',
    { id: sent.id, patientId: s.id },
  )
  await reviewer.runQuery(
    'mutation ($referral: ReferralInput!) { createReferral(referral: $referral) { id } }',
    {
      referral: { patientId: s.id, institutionId: chosen.id },
    },
  )
  expect((await asker.runQuery(OWN)).patients.nodes).toEqual([{ id: s.id }])

  const { undoMerge } = await reviewer.runQuery(UNDO, { id })
  expect(await asker.runQuery(OWN)).toEqual({
    ownAccessRequests: { nodes: [{ id: sent.id, patientId: m.id }] },
    patients: { nodes: [{ id: m.id }] },
  })
  // Whose the other one is, only a person can say.
  expect(undoMerge.referralsToCheck).toEqual([{ institutionName: chosen.name }])
})

it('access that a CNP has granted in a chain of merges ends with the patient of that CNP', async () => {
  const cnp = makeCnp({ sex: 'female', birthDate: '1980-01-01', county: 12, serial: 503 })
  const make = (given_names: string, own: string | null) =>
    makePatient(server.db, { surname: 'Popa', given_names, cnp: own, birth_date: '1980-01-01' })
  const [s, m, n] = [await make('Sanda', null), await make('Maria', cnp), await make('Nina', null)]
  const asking = await makeInstitution(server.db)
  const asker = await server.signIn(
    (await makeUser(server.db, { role: 'institution', institutionIds: [asking.id] })).email,
  )
  const [first, second] = [await merge(m.id, n.id), await merge(n.id, s.id)]
  const request = { surname: 'Popa', givenNames: 'Maria', birthDate: '1980-01-01', purpose: 'Control', cnp }
  const ask = async () => {
    await asker.runQuery('mutation ($request: AccessRequestInput!) { requestAccess(request: $request) }', {
      request: { ...request, institutionId: asking.id },
    })
    return (await asker.runQuery('{ ownAccessRequests { nodes { id } } }')).ownAccessRequests.nodes[0].id
  }
  const accept = (id: string, patientId: string) =>
    reviewer.graphql(
      'mutation ($id: ID!, $patientId: ID!) { acceptAccessRequest(id: $id, patientId: $patientId) { id } }',
      { id, patientId },
    )
  expect((await accept(await ask(), s.id)).errors).toEqual([])
  await reviewer.runQuery(UNDO, { id: second })
  await reviewer.runQuery(UNDO, { id: first })
  expect((await asker.runQuery('{ patients { nodes { id } } }')).patients.nodes).toEqual([{ id: m.id }])

  // A page from before the undo still offers the survivor.
  const later = await ask()
  expect((await accept(later, s.id)).errors[0]?.extensions.code).toBe('CONFLICT')
  expect((await accept(later, m.id)).errors).toEqual([])
  expect((await asker.runQuery('{ patients { nodes { id } } }')).patients.nodes).toEqual([{ id: m.id }])
})

it('a patient who was chosen for a group of a batch while two were merged is chosen again', async () => {
  const { m, s } = await two()
  const id = await merge(m.id, s.id)
  const author = await makeUser(server.db)
  const batchId = crypto.randomUUID()
  await server.db.insertInto('batch').values({ id: batchId, name: 'Luni', created_by: author.id }).execute()
  const group = await makeUpload(server.db, server.services.storage, {
    state: 'receiving',
    patient_id: null,
    batch_id: batchId,
  })
  await server.db
    .insertInto('batch_choice')
    .values({ upload_id: group.id, patient_id: s.id, file_ids: [] })
    .execute()
  await reviewer.runQuery(UNDO, { id })
  expect(await server.db.selectFrom('batch_choice').selectAll().execute()).toEqual([])
})

it('access that the own CNP of the survivor has granted meanwhile stays, and nobody has to check it', async () => {
  const cnp = makeCnp({ sex: 'female', birthDate: '1980-01-01', county: 12, serial: 502 })
  const make = (given_names: string, own: string | null) =>
    makePatient(server.db, { surname: 'Popa', given_names, cnp: own, birth_date: '1980-01-01' })
  const [m, s] = [await make('Maria', null), await make('Sanda', cnp)]
  const id = await merge(m.id, s.id)
  const institution = await makeInstitution(server.db)
  const asker = await server.signIn(
    (await makeUser(server.db, { role: 'institution', institutionIds: [institution.id] })).email,
  )
  const request = { surname: 'Popa', givenNames: 'Sanda', birthDate: '1980-01-01', purpose: 'Control', cnp }
  await asker.runQuery('mutation ($request: AccessRequestInput!) { requestAccess(request: $request) }', {
    request: { ...request, institutionId: institution.id },
  })
  const [sent] = (await asker.runQuery('{ ownAccessRequests { nodes { id } } }')).ownAccessRequests.nodes
  await reviewer.runQuery(
    'mutation ($id: ID!, $patientId: ID!) { acceptAccessRequest(id: $id, patientId: $patientId) { id } }',
    { id: sent.id, patientId: s.id },
  )
  expect((await reviewer.runQuery(UNDO, { id })).undoMerge.referralsToCheck).toEqual([])
  expect((await asker.runQuery('{ patients { nodes { id } } }')).patients.nodes).toEqual([{ id: s.id }])
})

describe('an incident', () => {
  const INCIDENTS = `query ($id: ID!) { upload(id: $id) { incidents { isWrongInstitution formerPatient { id } patient { id } } } }`
  const MOVE = `mutation ($id: ID!, $version: Int!, $patientId: ID!) {
    moveReleasedUpload(id: $id, version: $version, patientId: $patientId, reason: "Alt nume") { id } }`
  const CORRECT = `mutation ($id: ID!, $version: Int!) {
    correctUpload(id: $id, version: $version, upload: { title: "Ecografie" }, reason: "Alt spital") { state } }`
  const change = async (mutation: string, id: string, variables: object = {}) => {
    const { version } = await server.db
      .selectFrom('upload')
      .select('version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await reviewer.runQuery(mutation, { id, version, ...variables })
  }
  const incidentsOf = async (id: string) => (await reviewer.runQuery(INCIDENTS, { id })).upload.incidents

  it('of while two patients were merged names the patient whose the result was, after the undo', async () => {
    const { m, s, u } = await two()
    const third = await makePatient(server.db)
    await ana.runQuery(READ, { id: u.id })
    const id = await merge(m.id, s.id)
    await change(MOVE, u.id, { patientId: third.id })
    const named = (former: string) => [
      { isWrongInstitution: false, formerPatient: { id: former }, patient: { id: third.id } },
    ]
    expect(await incidentsOf(u.id)).toEqual(named(s.id))
    await reviewer.runQuery(UNDO, { id })
    expect(await incidentsOf(u.id)).toEqual(named(m.id))
  })

  it('of the wrong institution is of the patient to whom the undo returns the result', async () => {
    const { m, s, u } = await two()
    await ana.runQuery(READ, { id: u.id })
    const id = await merge(m.id, s.id)
    await change(CORRECT, u.id)
    await reviewer.runQuery(UNDO, { id })
    expect(await incidentsOf(u.id)).toEqual([
      { isWrongInstitution: true, formerPatient: { id: m.id }, patient: { id: m.id } },
    ])
  })

  it('from before the merge, and of the own results of the survivor, stays as it is', async () => {
    const { m, s, u } = await two()
    const third = await makePatient(server.db)
    const own = await makeUpload(server.db, server.services.storage, {
      patient_id: s.id,
      institution_id: clinic.id,
      state: 'released',
      released_at: new Date(Date.now() - 3_600_000),
    })
    for (const each of [u, own]) await ana.runQuery(READ, { id: each.id })
    await change(MOVE, u.id, { patientId: third.id })
    const id = await merge(m.id, s.id)
    await change(MOVE, own.id, { patientId: third.id })
    await reviewer.runQuery(UNDO, { id })
    const [before, since] = [(await incidentsOf(u.id))[0], (await incidentsOf(own.id))[0]]
    expect([before.formerPatient.id, since.formerPatient.id]).toEqual([m.id, s.id])
  })
})
