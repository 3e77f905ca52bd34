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
const execute = (query: string, extra: object = {}) => post(JSON.stringify({ query, ...extra }))
const codeOf = async (response: Response) =>
  ((await response.json()) as Pick<GraphqlResponse, 'errors'>).errors[0]?.extensions.code

describe('POST /graphql', () => {
  it('responds to a signed-in user by POST and JSON [1.3]', async () => {
    const response = await execute('query Eu { me { role } }', {
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
  ])('rejects an authorization that is %s with 401 and nothing else', async (_what, value) => {
    const authorization = typeof value === 'function' ? value() : value
    const response = await post(JSON.stringify({ query: '{ me { id } }' }), { authorization })
    expect(response.status).toBe(401)
    expect(await codeOf(response)).toBe('UNAUTHENTICATED')
  })

  it('does not accept a cookie as a token', async () => {
    const response = await server.app.request('/graphql', {
      method: 'POST',
      headers: { cookie: staff.cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ query: '{ me { id } }' }),
    })
    expect(response.status).toBe(401)
  })

  it('responds to denied access with 200 and a code, never with 401', async () => {
    const response = await execute('{ users { nodes { id } } }')
    expect(response.status).toBe(200)
    expect(await codeOf(response)).toBe('FORBIDDEN')
  })

  it('does not exist for GET', async () => {
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
  ])('rejects %s', async (_what, type, body, status) => {
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
    [
      'fragments that include each other',
      'query { me { ...A } } fragment A on Me { ...B } fragment B on Me { ...A }',
    ],
    ['a subscription over POST', 'subscription { uploadChanged { id } }'],
    ['a field that does not exist', '{ me { parola } }'],
  ])('rejects %s before any field is resolved', async (_what, query) => {
    const response = await execute(query)
    expect(response.status).toBe(400)
    expect(await codeOf(response)).toBe('BAD_USER_INPUT')
  })

  it('rejects a page of pages', async () => {
    expect((await execute('{ patients { nodes { uploads { nodes { id } } } } }')).status).toBe(400)
  })

  it.each([
    [
      'a forged cursor',
      `{ patients(after: "${Buffer.from('["x","y"]').toString('base64url')}") { nodes { id } } }`,
      200,
    ],
  ])('responds to %s as bad input, not as an unexpected error', async (_what, query, status) => {
    const response = await execute(query)
    expect(response.status).toBe(status)
    expect(await codeOf(response)).toBe('BAD_USER_INPUT')
  })

  it('records in the audit log who tried to read what they may not', async () => {
    const denials = () =>
      server.db
        .selectFrom('audit_event')
        .selectAll()
        .where('action', '=', 'access.denied')
        .orderBy('id')
        .execute()
    await server.services.denials.flush()
    const before = (await denials()).length
    await execute('{ cnp_1850101221144: users { nodes { id } } again: users { nodes { id } } }')
    await server.services.denials.flush()
    // One row, with the product's own names: a client's field names could be any text and would
    // stay forever.
    expect((await denials()).slice(before)).toMatchObject([
      { outcome: 'denied', changes: { field: { to: 'Query.users' } } },
    ])
  })

  it('rejects a document of 17 KiB, even if most of it is a comment', async () => {
    const response = await execute(`#${'x'.repeat(17 * 1024)}\n{ me { id } }`)
    expect(response.status).toBe(400)
    expect(await codeOf(response)).toBe('BAD_USER_INPUT')
  })

  it('treats a variable that was not sent as missing, also with the name of a property of every object', async () => {
    const response = await execute('query ($toString: String) { patients(search: $toString) { endCursor } }')
    expect(await response.json()).toEqual({ data: { patients: { endCursor: null } } })
  })

  it('suggests no names of the schema', async () => {
    const text = await (await execute('{ patient { i } mee { id } }')).text()
    expect(text).not.toMatch(/did you mean/i)
  })

  it('reports an unexpected error by an id alone, and logs no data', async () => {
    const { id, cnp } = await makePatient(server.db)
    await server.db.schema.alterTable('audit_event').renameTo('audit_away').execute()
    try {
      const response = await execute('query ($id: ID!) { patient(id: $id) { id } }', { variables: { id } })
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

  it('returns no patient when the audit log cannot be written', async () => {
    const { id } = await makePatient(server.db)
    await server.db.schema.alterTable('audit_event').renameTo('audit_away').execute()
    const { data } = await staff.graphql('query ($id: ID!) { patient(id: $id) { name } }', { id })
    await server.db.schema.alterTable('audit_away').renameTo('audit_event').execute()
    expect(data).toBeNull()
  })

  it('applies a change of role or a suspension from the next request on', async () => {
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

describe('the audit log', () => {
  it('rejects UPDATE, DELETE and TRUNCATE', async () => {
    await staff.graphql('{ patients { nodes { id } } }')
    await expect(server.db.updateTable('audit_event').set({ action: 'x' }).execute()).rejects.toThrow(
      'append-only',
    )
    await expect(server.db.deleteFrom('audit_event').execute()).rejects.toThrow('append-only')
  })

  it('is readable in full by an administrator, and by staff only for their own entries', async () => {
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
