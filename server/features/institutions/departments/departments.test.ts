import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../../db/factories.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { newId } from '../../../platform/ids.ts'

const CREATE = `mutation ($institutionId: ID!, $name: String!, $doctors: [String!]!) {
  createDepartment(institutionId: $institutionId, name: $name, doctors: $doctors) { id name version } }`
const UPDATE = `mutation ($id: ID!, $version: Int!, $name: String!, $doctors: [String!]!) {
  updateDepartment(id: $id, version: $version, name: $name, doctors: $doctors) { id name version } }`
const REMOVE = 'mutation ($id: ID!, $version: Int!) { removeDepartment(id: $id, version: $version) }'
const CHOOSE = `mutation ($institutionId: ID!, $departmentId: ID) {
  chooseDepartment(institutionId: $institutionId, departmentId: $departmentId) { institutionId departmentId } }`
const MEMBERSHIPS = `{ memberships { institutionId institutionName departmentId departments { id name }
  doctors { name departmentId } } }`
const INBOX = `query ($departmentId: ID, $ownDepartments: Boolean) {
  inbox(departmentId: $departmentId, ownDepartments: $ownDepartments) { nodes { title } } }`

let server: TestServer
let a: { id: string; name: string }
let b: { id: string }
let clerk: TestClient
let admin: TestClient
let registrar: TestClient
let stranger: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db, services } = server
  a = await makeInstitution(db, { short_name: null })
  b = await makeInstitution(db)
  const signIn = async (over: Parameters<typeof makeUser>[1]) =>
    server.signIn((await makeUser(db, over)).email)
  clerk = await signIn({ role: 'institution', institutionIds: [a.id] })
  stranger = await signIn({ role: 'institution', institutionIds: [b.id] })
  admin = await signIn({ role: 'admin' })
  registrar = await signIn({})
  const patient = await makePatient(db)
  for (const { id } of [a, b]) await makeReferral(db, { patient_id: patient.id, institution_id: id })
  for (const [title, referring_doctor, institution_id] of [
    ['inimă', 'Dr. Cord', a.id],
    ['creier', 'Dr. Neuron', a.id],
    ['fără secție', 'Dr. Nou', a.id],
    ['fără medic', null, a.id],
    ['al altora', 'Dr. Cord', b.id],
  ] as const)
    await makeUpload(db, services.storage, {
      title,
      referring_doctor,
      institution_id,
      patient_id: patient.id,
      state: 'released',
    })
})

const codeOf = async (client: TestClient, query: string, variables: Record<string, unknown>) =>
  (await client.graphql(query, variables)).errors.map(({ extensions }) => extensions.code)
const titles = async (client: TestClient, variables: Record<string, unknown>): Promise<string[]> =>
  (await client.runQuery(INBOX, variables)).inbox.nodes.map(({ title }: { title: string }) => title).sort()

it('an institution names its departments and their doctors; each person chooses their own, which narrows the inbox', async () => {
  const cardio = (
    await clerk.runQuery(CREATE, { institutionId: a.id, name: ' Cardiologie ', doctors: ['Dr. Cord'] })
  ).createDepartment
  const neuro = (
    await admin.runQuery(CREATE, { institutionId: a.id, name: 'Neurologie', doctors: ['Dr. Neuron'] })
  ).createDepartment
  expect(cardio).toMatchObject({ name: 'Cardiologie', version: 1 })

  // What belongs to no department is in each, so that nobody overlooks it.
  expect(await titles(clerk, { departmentId: cardio.id })).toEqual(['fără medic', 'fără secție', 'inimă'])
  expect(await titles(clerk, { departmentId: neuro.id })).toEqual(['creier', 'fără medic', 'fără secție'])
  expect(await titles(clerk, { ownDepartments: true })).toHaveLength(4)
  await clerk.runQuery(CHOOSE, { institutionId: a.id, departmentId: neuro.id })
  expect(await titles(clerk, { ownDepartments: true })).toEqual(['creier', 'fără medic', 'fără secție'])
  expect(await titles(clerk, { ownDepartments: false })).toHaveLength(4)
  expect((await clerk.runQuery('{ inboxCounts { open } }')).inboxCounts).toEqual({ open: 3 })
  expect((await clerk.runQuery(MEMBERSHIPS)).memberships).toEqual([
    {
      institutionId: a.id,
      institutionName: a.name,
      departmentId: neuro.id,
      departments: [
        { id: cardio.id, name: 'Cardiologie' },
        { id: neuro.id, name: 'Neurologie' },
      ],
      doctors: [
        { name: 'Dr. Cord', departmentId: cardio.id },
        { name: 'Dr. Neuron', departmentId: neuro.id },
        { name: 'Dr. Nou', departmentId: null },
      ],
    },
  ])

  // A doctor is in one department.
  const changed = { id: cardio.id, version: 1, name: 'Inimă și creier', doctors: ['Dr. Cord', 'Dr. Neuron'] }
  await clerk.runQuery(UPDATE, changed)
  expect(await codeOf(clerk, UPDATE, changed)).toEqual(['CONFLICT'])
  expect(await titles(clerk, { departmentId: neuro.id })).toEqual(['fără medic', 'fără secție'])

  // Another institution reads nothing of it, and its own doctor of the same name is in no department.
  expect(await titles(stranger, { departmentId: neuro.id })).toEqual([])
  expect((await stranger.runQuery(MEMBERSHIPS)).memberships[0].doctors).toEqual([
    { name: 'Dr. Cord', departmentId: null },
  ])
  expect(await codeOf(stranger, UPDATE, { ...changed, version: 2 })).toEqual(['NOT_FOUND'])
  expect(await codeOf(stranger, REMOVE, { id: neuro.id, version: 1 })).toEqual(['NOT_FOUND'])
  expect(await codeOf(stranger, CHOOSE, { institutionId: b.id, departmentId: neuro.id })).toEqual([
    'NOT_FOUND',
  ])
  expect(await codeOf(stranger, CHOOSE, { institutionId: a.id })).toEqual(['NOT_FOUND'])

  // Without the department its people see everything again.
  expect(await clerk.runQuery(REMOVE, { id: neuro.id, version: 1 })).toEqual({ removeDepartment: neuro.id })
  expect(await titles(clerk, { ownDepartments: true })).toHaveLength(4)
  const { memberships } = await clerk.runQuery(MEMBERSHIPS)
  expect(memberships).toMatchObject([{ departmentId: null }])
})

it('refuses a name that the institution has, an unknown doctor, an empty name, and those who may not', async () => {
  const input = { institutionId: b.id, name: 'Interne', doctors: [] }
  await stranger.runQuery(CREATE, input)
  const refused = async (over: object) => {
    const [error] = (await stranger.graphql(CREATE, { ...input, ...over })).errors
    return [error?.extensions.code, error?.extensions.fields?.[0]?.field]
  }
  expect(await refused({ name: 'interne' })).toEqual(['BAD_USER_INPUT', 'name'])
  expect(await refused({ name: ' ' })).toEqual(['BAD_USER_INPUT', 'name'])
  expect(await refused({ name: 'x'.repeat(61) })).toEqual(['BAD_USER_INPUT', 'name'])
  expect(await refused({ name: 'Altele', doctors: ['Dr. Nimeni'] })).toEqual(['BAD_USER_INPUT', 'doctors'])
  expect(await codeOf(clerk, CREATE, input)).toEqual(['NOT_FOUND'])
  expect(await codeOf(registrar, CREATE, input)).toEqual(['FORBIDDEN'])
  expect(await codeOf(admin, CREATE, { ...input, institutionId: newId() })).toEqual(['NOT_FOUND'])
  const read = 'query ($id: ID!) { institution(id: $id) { departments { name } doctors { name } } }'
  expect((await admin.runQuery(read, { id: b.id })).institution.departments).toEqual([{ name: 'Interne' }])
  expect((await registrar.runQuery(read, { id: b.id })).institution).toEqual({ departments: [], doctors: [] })
})

it('colleagues who change departments at once get an answer that says what to do, never an error of the server', async () => {
  const add = async (name: string, doctors: string[] = []) =>
    (await admin.runQuery(CREATE, { institutionId: a.id, name, doctors })).createDepartment.id as string
  const remove = (id: string) => clerk.graphql(REMOVE, { id, version: 1 })
  const codes = async (...requests: ReturnType<TestClient['graphql']>[]) =>
    (await Promise.all(requests)).map(({ errors }) => errors[0]?.extensions.code ?? 'ok').sort()
  for (let round = 0; round < 5; round += 1) {
    const [one, two] = [await add('Unu', ['Dr. Cord']), await add('Doi', ['Dr. Neuron'])]
    const input = { version: 1, name: 'Trei', doctors: [] }
    expect(
      await codes(clerk.graphql(UPDATE, { ...input, id: one }), admin.graphql(UPDATE, { ...input, id: two })),
    ).toEqual(['BAD_USER_INPUT', 'ok'])
    await server.db.deleteFrom('department').execute()

    // Each takes the doctor of the other.
    const [first, second] = [await add('Unu', ['Dr. Cord']), await add('Doi', ['Dr. Neuron'])]
    expect(
      await codes(
        clerk.graphql(UPDATE, { id: first, version: 1, name: 'Unu', doctors: ['Dr. Neuron'] }),
        admin.graphql(UPDATE, { id: second, version: 1, name: 'Doi', doctors: ['Dr. Cord'] }),
      ),
    ).toEqual(['ok', 'ok'])
    await server.db.deleteFrom('department').execute()

    const chosen = await add('Unu')
    const [choosing, removing] = [
      clerk.graphql(CHOOSE, { institutionId: a.id, departmentId: chosen }),
      remove(chosen),
    ]
    expect((await removing).errors).toEqual([])
    expect(['ok', 'NOT_FOUND']).toContain((await codes(choosing))[0])
    expect((await clerk.runQuery(MEMBERSHIPS)).memberships).toMatchObject([{ departmentId: null }])
  }
})
