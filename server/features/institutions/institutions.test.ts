import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitution, makeUser } from '../../../db/factories.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { newId } from '../../platform/ids.ts'

const LIST = `query ($search: String, $first: Int, $after: String) {
  institutions(search: $search, first: $first, after: $after) { nodes { id name } endCursor } }`
const READ = 'query ($id: ID!) { institution(id: $id) { id name version users { email } can { edit } } }'
const CREATE = `mutation ($institution: InstitutionInput!) {
  createInstitution(institution: $institution) { id name code cui phone version } }`
const UPDATE = `mutation ($id: ID!, $version: Int!, $institution: InstitutionInput!) {
  updateInstitution(id: $id, version: $version, institution: $institution) { id name version } }`

const clinic = {
  name: 'Clinica Sfânta Țecla',
  kind: 'clinic',
  code: 'tecla-1',
  delivery: 'daily',
  mayUpload: false,
}

let server: TestServer
let admin: TestClient
let staff: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
  staff = await server.signIn((await makeUser(server.db)).email)
})

describe('institutions', () => {
  it('are created by an administrator, with normalised values', async () => {
    const { data, errors } = await admin.graphql(CREATE, {
      institution: { ...clinic, cui: 'RO 18547290', phone: '0264 123 456', locality: 'Cluj-Napoca' },
    })
    expect(errors).toEqual([])
    expect(data.createInstitution).toMatchObject({
      code: 'TECLA-1',
      cui: '18547290',
      phone: '+40264123456',
      version: 1,
    })
  })

  it('are found without diacritics, by any word of name, code or locality', async () => {
    for (const search of ['tecla', 'SFANTA', 'cluj tecla', 'tecla-1']) {
      const { data } = await staff.graphql(LIST, { search })
      expect(data.institutions.nodes.map(({ name }: { name: string }) => name)).toEqual([clinic.name])
    }
    expect((await staff.graphql(LIST, { search: '100%' })).data.institutions.nodes).toEqual([])
  })

  it.each([
    [{ code: 'tecla-1' }, 'code'],
    [{ code: 'ș' }, 'code'],
    [{ cui: '18547291' }, 'cui'],
    [{ name: '' }, 'name'],
    [{ color: 'red' }, 'color'],
    [{ email: 'x' }, 'email'],
  ])('are rejected with %j at the field %s', async (over, field) => {
    const { errors } = await admin.graphql(CREATE, { institution: { ...clinic, ...over } })
    expect(errors[0]?.extensions.fields?.[0]?.field).toBe(field)
  })

  it.each([{ kind: 'bank' }, { delivery: 'sometimes' }])(
    'are rejected with %j, which the schema does not have',
    async (over) => {
      const { errors } = await admin.graphql(CREATE, { institution: { ...clinic, code: 'V-0', ...over } })
      expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    },
  )

  it('are changed only with the current version', async () => {
    const { id } = await makeInstitution(server.db)
    const change = (name: string) =>
      admin.graphql(UPDATE, { id, version: 1, institution: { ...clinic, code: 'V-1', name } })
    expect((await change('Nou')).data.updateInstitution).toMatchObject({ name: 'Nou', version: 2 })
    expect((await change('Pierdut')).errors[0]?.extensions.code).toBe('CONFLICT')
  })

  it('are read but not changed by staff [6.4]', async () => {
    const { id } = await makeInstitution(server.db)
    expect((await staff.graphql(READ, { id })).data.institution).toMatchObject({ id, can: { edit: false } })
    for (const response of [
      await staff.graphql(CREATE, { institution: clinic }),
      await staff.graphql(UPDATE, { id, version: 1, institution: clinic }),
    ]) {
      expect(response.errors[0]?.extensions.code).toBe('FORBIDDEN')
    }
  })

  it('are shown to their own users only; any other institution looks like an unknown one [6.4]', async () => {
    const [own, other] = [await makeInstitution(server.db), await makeInstitution(server.db)]
    const user = await makeUser(server.db, { role: 'institution', institutionIds: [own.id] })
    const client = await server.signIn(user.email)
    expect((await client.graphql(READ, { id: own.id })).data.institution.users).toEqual([
      { email: user.email },
    ])
    const [foreign, unknown] = [
      await client.graphql(READ, { id: other.id }),
      await client.graphql(READ, { id: newId() }),
    ]
    expect(foreign).toEqual(unknown)
    expect((await client.graphql(LIST)).errors[0]?.extensions.code).toBe('FORBIDDEN')
  })

  it('are listed page by page in the order of names, each once', async () => {
    const seen: string[] = []
    let after: string | null = null
    do {
      const { data } = await staff.graphql(LIST, { first: 2, after })
      seen.push(...data.institutions.nodes.map(({ id }: { id: string }) => id))
      after = data.institutions.endCursor
    } while (after)
    const stored = await server.db
      .selectFrom('institution')
      .select('id')
      .orderBy('name_key')
      .orderBy('id')
      .execute()
    expect(seen).toEqual(stored.map(({ id }) => id))
  })
})
