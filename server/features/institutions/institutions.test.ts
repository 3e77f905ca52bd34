import sharp from 'sharp'
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
    [{ logo: '/site-images/necunoscuta' }, 'logo'],
    [{ email: 'x' }, 'email'],
  ])('are rejected with %j at the field %s', async (over, field) => {
    const { errors } = await admin.graphql(CREATE, { institution: { ...clinic, ...over } })
    expect(errors[0]?.extensions.fields?.[0]?.field).toBe(field)
  })

  it.each([{ kind: 'bank' }, { delivery: 'sometimes' }, { accent: '#4d7c0f' }])(
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

describe('the logo of an institution', () => {
  const SAVE = `mutation ($id: ID!, $version: Int!, $institution: InstitutionInput!) {
    updateInstitution(id: $id, version: $version, institution: $institution) { version logo accent } }`
  const sendLogo = async (client = admin) => {
    const picture = await sharp({ create: { width: 60, height: 20, channels: 3, background: 'green' } })
      .png()
      .toBuffer()
    const response = await server.app.request('/api/site-images/institution_logo', {
      method: 'POST',
      body: new Uint8Array(picture),
      headers: { authorization: await client.authorization('files') },
    })
    return { status: response.status, address: response.ok ? (await response.json()).address : null }
  }
  const shown = async (address: string) => (await server.app.request(address)).status

  it('is redrawn, stays as long as the institution shows it, and is of one institution', async () => {
    const [one, other] = [await makeInstitution(server.db), await makeInstitution(server.db)]
    let version = 1
    const save = async (logo: string | null, over: object = {}) => {
      const { data, errors } = await admin.graphql(SAVE, {
        id: one.id,
        version,
        institution: { ...clinic, code: one.code, accent: 'sky', logo, ...over },
      })
      version = data?.updateInstitution.version ?? version
      return data?.updateInstitution ?? errors[0]?.extensions.fields
    }
    const first = (await sendLogo()).address!
    expect(await save(first)).toMatchObject({ logo: first, accent: 'sky' })
    // Another picture removes what nothing has shown for a day.
    await server.db
      .updateTable('site_image')
      .set({ created_at: new Date(0) })
      .execute()
    const second = (await sendLogo()).address!
    expect(await shown(first)).toBe(200)
    const { errors } = await admin.graphql(SAVE, {
      id: other.id,
      version: 1,
      institution: { ...clinic, code: other.code, logo: first },
    })
    expect(errors[0]?.extensions.fields?.[0]?.field).toBe('logo')
    expect(await save(second)).toMatchObject({ logo: second })
    expect([await shown(first), await shown(second)]).toEqual([404, 200])
    expect(await save(null)).toMatchObject({ logo: null })
    expect(await shown(second)).toBe(404)
  })

  it('is sent by administrators alone', async () => {
    expect((await sendLogo(staff)).status).toBe(403)
  })
})

it('the last use of an account is for staff: of its sessions, else the sign-in', async () => {
  const { db } = server
  const institution = await makeInstitution(db)
  const signedIn = new Date('2026-01-02T03:04:05Z')
  const user = await makeUser(db, {
    role: 'institution',
    institutionIds: [institution.id],
    features: ['profile::institution'],
    last_sign_in_at: signedIn,
  })
  const READ_USE = 'query ($id: ID!) { institution(id: $id) { users { lastUsedAt } } }'
  const read = async (client: TestClient) =>
    (await client.runQuery(READ_USE, { id: institution.id })).institution.users[0].lastUsedAt
  expect(await read(staff)).toBe(signedIn.toISOString())
  const client = await server.signIn(user.email)
  const used = new Date(Date.now() - 60_000)
  await db.updateTable('session').set({ last_seen_at: used }).where('user_id', '=', user.id).execute()
  await db.updateTable('app_user').set({ last_sign_in_at: signedIn }).where('id', '=', user.id).execute()
  expect(await read(staff)).toBe(used.toISOString())
  expect(await read(client)).toBeNull()
})
