import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePatient, makeUser } from '../../../db/factories.ts'
import {
  createTestServer,
  type GraphqlResponse,
  type TestClient,
  type TestServer,
} from '../../../test/test-server.ts'

let server: TestServer
let staff: TestClient
let token: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  staff = await server.signIn((await makeUser(server.db)).email)
  token = ((await (await staff.fetch('/api/token')).json()) as { id_token: string }).id_token
})

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  server.app.request('/graphql', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body,
  })
const ask = (query: string, extra: object = {}) => post(JSON.stringify({ query, ...extra }))
const codeOf = async (response: Response) =>
  ((await response.json()) as Pick<GraphqlResponse, 'errors'>).errors[0]?.extensions.code

describe('the GraphQL door', () => {
  it('answers a signed-in user over POST and JSON [1.3]', async () => {
    const response = await ask('query Eu { me { role } }', {
      operationName: 'Eu',
      variables: {},
      extensions: {},
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ data: { me: { role: 'staff' } } })
  })

  it.each([
    ['none', ''],
    ['not a bearer', 'Basic abc'],
    ['not a token', 'Bearer x.y.z'],
    ['broken percent-encoding', 'Bearer %E0%A4%A'],
    ['another scheme with a good token', () => `Token ${token}`],
    ['two values', () => `Bearer ${token}, Bearer ${token}`],
  ])('refuses an authorization that is %s with 401 and nothing else', async (_what, value) => {
    const authorization = typeof value === 'function' ? value() : value
    const response = await post(JSON.stringify({ query: '{ me { id } }' }), { authorization })
    expect(response.status).toBe(401)
    expect(await codeOf(response)).toBe('UNAUTHENTICATED')
  })

  it('takes no cookie for a token', async () => {
    const response = await server.app.request('/graphql', {
      method: 'POST',
      headers: { cookie: staff.cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ query: '{ me { id } }' }),
    })
    expect(response.status).toBe(401)
  })

  it('answers forbidden with 200 and a code, never with 401', async () => {
    const response = await ask('{ users { nodes { id } } }')
    expect(response.status).toBe(200)
    expect(await codeOf(response)).toBe('FORBIDDEN')
  })

  it('is not there for GET', async () => {
    const response = await server.app.request('/graphql?query={me{id}}', {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.status).toBe(404)
  })

  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'query={me{id}}', 415],
    ['multipart', 'multipart/form-data; boundary=x', '--x--', 415],
    ['text', 'text/plain', '{"query":"{me{id}}"}', 415],
    ['broken JSON', 'application/json', '{"query":', 400],
    ['a batch', 'application/json', '[{"query":"{me{id}}"}]', 400],
    ['no query', 'application/json', '{}', 400],
    ['variables that are a list', 'application/json', '{"query":"{me{id}}","variables":[]}', 400],
    [
      'a body over 256 KiB',
      'application/json',
      JSON.stringify({ query: `{me{id}}${' '.repeat(300_000)}` }),
      413,
    ],
  ])('refuses %s', async (_what, type, body, status) => {
    expect((await post(body, { 'content-type': type })).status).toBe(status)
  })

  it.each([
    ['10,000 aliases', `{ ${Array.from({ length: 10_000 }, (_, n) => `a${n}: me { id }`).join(' ')} }`],
    ['21 root fields', `{ ${Array.from({ length: 21 }, (_, n) => `a${n}: me { id }`).join(' ')} }`],
    ['two mutations', 'mutation { a: revealCnp(patientId: "x") b: revealCnp(patientId: "y") }'],
    [
      'two mutations in a fragment',
      'mutation { ...A } fragment A on Mutation { a: revealCnp(patientId: "x") b: revealCnp(patientId: "y") }',
    ],
    ['fragments in a circle', 'query { me { ...A } } fragment A on Me { ...B } fragment B on Me { ...A }'],
    ['a subscription over POST', 'subscription { uploadChanged { id } }'],
    ['a field that does not exist', '{ me { parola } }'],
  ])('refuses %s before anything runs', async (_what, query) => {
    const response = await ask(query)
    expect(response.status).toBe(400)
    expect(await codeOf(response)).toBe('BAD_USER_INPUT')
  })

  it('refuses a page of pages', async () => {
    expect((await ask('{ patients { nodes { uploads { nodes { id } } } } }')).status).toBe(400)
  })

  it.each([
    [
      'a forged cursor',
      `{ patients(after: "${Buffer.from('["x","y"]').toString('base64url')}") { nodes { id } } }`,
      200,
    ],
  ])('answers %s as bad input, not as a fault', async (_what, query, status) => {
    const response = await ask(query)
    expect(response.status).toBe(status)
    expect(await codeOf(response)).toBe('BAD_USER_INPUT')
  })

  it('keeps in the journal who tried to reach what they may not', async () => {
    const denials = () =>
      server.db
        .selectFrom('audit_event')
        .selectAll()
        .where('action', '=', 'access.denied')
        .orderBy('id')
        .execute()
    const before = (await denials()).length
    await ask('{ cnp_1850101221144: users { nodes { id } } again: users { nodes { id } } }')
    // One row a request, in words of ours: a client's own names would be whatever it likes, for ever.
    expect((await denials()).slice(before)).toMatchObject([
      { outcome: 'denied', changes: { field: { to: 'Query.users' } } },
    ])
  })

  it('refuses a document of 17 KiB, however little of it is more than a comment', async () => {
    const response = await ask(`#${'x'.repeat(17 * 1024)}\n{ me { id } }`)
    expect(response.status).toBe(400)
    expect(await codeOf(response)).toBe('BAD_USER_INPUT')
  })

  it('takes a variable that was not sent for none, whatever objects are born with', async () => {
    const response = await ask('query ($toString: String) { patients(search: $toString) { endCursor } }')
    expect(await response.json()).toEqual({ data: { patients: { endCursor: null } } })
  })

  it('tells no names that were not asked for', async () => {
    const text = await (await ask('{ patient { i } mee { id } }')).text()
    expect(text).not.toMatch(/did you mean/i)
  })

  it('says nothing of a fault but an id, and logs no data', async () => {
    const { id, cnp } = await makePatient(server.db)
    await server.db.schema.alterTable('audit_event').renameTo('audit_away').execute()
    try {
      const response = await ask('query ($id: ID!) { patient(id: $id) { id } }', { variables: { id } })
      const text = await response.text()
      expect(text).toContain('INTERNAL_SERVER_ERROR')
      expect(text).not.toMatch(/select|insert|audit/i)
      const { errors } = JSON.parse(text)
      const line = server.logged.find((entry) => entry.includes(errors[0].extensions.errorId))
      expect(line).toBeDefined()
      expect(server.logged.join('')).not.toContain(cnp)
    } finally {
      await server.db.schema.alterTable('audit_away').renameTo('audit_event').execute()
    }
  })

  it('shows no patient where the journal cannot be written', async () => {
    const { id } = await makePatient(server.db)
    await server.db.schema.alterTable('audit_event').renameTo('audit_away').execute()
    const { data } = await staff.graphql('query ($id: ID!) { patient(id: $id) { name } }', { id })
    await server.db.schema.alterTable('audit_away').renameTo('audit_event').execute()
    expect(data).toBeNull()
  })

  it('refuses a change of role or suspension from the next request on', async () => {
    const user = await makeUser(server.db, { role: 'admin' })
    const client = await server.signIn(user.email)
    const users = () => client.graphql('{ users { nodes { id } } }')
    expect((await users()).errors).toEqual([])
    await server.db.updateTable('app_user').set({ role: 'staff' }).where('id', '=', user.id).execute()
    expect((await users()).errors[0]?.extensions.code).toBe('FORBIDDEN')
    await server.db.updateTable('app_user').set({ status: 'suspended' }).where('id', '=', user.id).execute()
    expect((await users()).status).toBe(401)
  })
})

describe('the journal', () => {
  it('refuses UPDATE, DELETE and TRUNCATE', async () => {
    await staff.graphql('{ patients { nodes { id } } }')
    await expect(server.db.updateTable('audit_event').set({ action: 'x' }).execute()).rejects.toThrow(
      'append-only',
    )
    await expect(server.db.deleteFrom('audit_event').execute()).rejects.toThrow('append-only')
  })

  it('is read whole by an admin, and by staff only where it is their own', async () => {
    const colleague = await server.signIn((await makeUser(server.db)).email)
    await colleague.graphql('{ patients { nodes { id } } }')
    const list = '{ auditEvents(first: 100) { nodes { id actorName action } endCursor } }'
    const admin = await server.signIn(
      (await makeUser(server.db, { role: 'admin', name: 'Administrator Unu' })).email,
    )
    const own = (await colleague.graphql(list)).data.auditEvents.nodes
    const all = (await admin.graphql(list)).data.auditEvents.nodes
    expect(own).toHaveLength(1)
    expect(all.length).toBeGreaterThan(own.length)
  })
})
