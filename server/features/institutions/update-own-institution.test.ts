import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeInstitution, makeUser } from '../../../db/factories.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

const OWN = '{ ownInstitutions { id name code phone version } }'
const UPDATE = `mutation ($id: ID!, $version: Int!, $profile: InstitutionProfileInput!) {
  updateOwnInstitution(id: $id, version: $version, profile: $profile) { id name phone delivery version } }`
const profile = { county: 'Cluj', locality: 'Dej', phone: '0264 123 456', delivery: 'daily' }

let server: TestServer
let own: { id: string; name: string }
let other: { id: string }
let ownUser: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  own = await makeInstitution(server.db, { name: 'Clinica Sfânta Țecla', code: 'TECLA', delivery: 'at_once' })
  other = await makeInstitution(server.db)
  ownUser = await server.signIn(
    (await makeUser(server.db, { role: 'institution', institutionIds: [own.id] })).email,
  )
})

it("an institution's user reads their institution and changes its contact data, and nothing else [3.2]", async () => {
  const { data } = await ownUser.graphql(OWN)
  expect(data.ownInstitutions).toMatchObject([{ id: own.id, name: own.name, version: 1 }])
  const saved = await ownUser.graphql(UPDATE, { id: own.id, version: 1, profile })
  expect(saved.data.updateOwnInstitution).toEqual({
    id: own.id,
    name: own.name,
    phone: '+40264123456',
    delivery: 'daily',
    version: 2,
  })
  const event = await server.db
    .selectFrom('audit_event')
    .select('changes')
    .where('action', '=', 'institution.update')
    .where('subject_id', '=', own.id)
    .executeTakeFirstOrThrow()
  expect(Object.keys(event.changes as object).sort()).toEqual(['delivery', 'locality', 'phone'])

  // The search finds it by its new locality, and still by its name.
  const admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
  const found = await admin.graphql('{ institutions(search: "tecla dej") { nodes { id } } }')
  expect(found.data.institutions.nodes).toEqual([{ id: own.id }])

  const stale = await ownUser.graphql(UPDATE, { id: own.id, version: 1, profile })
  expect(stale.errors[0]?.extensions.code).toBe('CONFLICT')
  for (const forbidden of [{ name: 'Altă clinică' }, { code: 'X' }, { mayUpload: true }]) {
    const { errors } = await ownUser.graphql(UPDATE, {
      id: own.id,
      version: 2,
      profile: { ...profile, ...forbidden },
    })
    expect(errors).toHaveLength(1)
  }
})

it('another institution is not found, and errors name their field [6.4]', async () => {
  const foreign = await ownUser.graphql(UPDATE, { id: other.id, version: 1, profile })
  expect(foreign.errors[0]?.extensions.code).toBe('NOT_FOUND')
  const { errors } = await ownUser.graphql(UPDATE, {
    id: own.id,
    version: 2,
    profile: { ...profile, email: 'nu e adresă', phone: '12' },
  })
  expect(errors[0]?.extensions.fields?.map(({ field }) => field).sort()).toEqual(['email', 'phone'])
})

it.each([
  ['staff', 'admin'],
  ['an institution on a site without the feature', 'institution'],
] as const)('the own profile is forbidden to %s [3.2]', async (_who, role) => {
  const off = JSON.stringify(['patient::files'])
  await server.db
    .insertInto('site_setting')
    .values({ key: 'features', value: off })
    .onConflict((on) => on.column('key').doUpdateSet({ value: off }))
    .execute()
  const client =
    role === 'admin' ? await server.signIn((await makeUser(server.db, { role: 'admin' })).email) : ownUser
  for (const { errors } of [
    await client.graphql(OWN),
    await client.graphql(UPDATE, { id: own.id, version: 2, profile }),
  ]) {
    expect(errors[0]?.extensions.code).toBe('FORBIDDEN')
  }
})
