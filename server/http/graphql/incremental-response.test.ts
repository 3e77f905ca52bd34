import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePatient, makeUser } from '../../../db/factories.ts'
import { errorOf } from '../../../shared/errors.ts'
import { listen, type RealServer } from '../../../test/real-http.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { acceptsMultipart } from './incremental-response.ts'

const APOLLO = 'multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json;q=0.9'

let server: TestServer
let real: RealServer
let token: string
let patientId: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const staff = await server.signIn((await makeUser(server.db, { features: ['patient::files'] })).email)
  token = ((await (await staff.fetch('/api/token')).json()) as { id_token: string }).id_token
  patientId = (await makePatient(server.db)).id
  real = await listen(server.app)
  afterAll(real.close)
})

const QUERY = `query ($id: ID!) {
  patient(id: $id) { id ... @defer(label: "results") { uploads { nodes { id } } } }
}`

async function open(query: string, variables: object, accept = APOLLO, bearer = token) {
  const call = request(`${real.url}/graphql`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', accept },
  })
  call.end(JSON.stringify({ query, variables }))
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  response.setEncoding('utf8')
  let text = ''
  response.on('data', (chunk: string) => {
    text += chunk
  })
  // When the test disconnects, reading its own side fails too.
  response.on('error', () => undefined)
  const ended = new Promise((resolve) => response.once('close', resolve))
  return { call, response, ended, read: () => text, parts: () => parseParts(text) }
}

/**
 * Returns the parts between the boundaries, as a client reads them: a part counts once the boundary after it
 * has arrived.
 */
const parseParts = (text: string) =>
  text
    .split('\r\n---')
    .slice(1, -1)
    .map((part) => JSON.parse(part.slice(part.indexOf('\r\n\r\n'))))

/** Blocks all reads of uploads until the returned function is called. */
async function holdUploads(): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const done = server.db.transaction().execute(async (tx) => {
    await sql`lock table upload in access exclusive mode`.execute(tx)
    locked.resolve()
    await release.promise
  })
  await locked.promise
  return async () => {
    release.resolve()
    await done
  }
}

describe('an incremental response', () => {
  it('sends the first result before the deferred ones [7.8]', async () => {
    const letGo = await holdUploads()
    const response = await open(QUERY, { id: patientId })
    expect(response.response.statusCode).toBe(200)
    expect(response.response.headers['content-type']).toBe(
      'multipart/mixed; boundary="-"; deferSpec=20220824',
    )
    expect(response.response.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    expect(response.response.headers['content-encoding']).toBeUndefined()
    await expect.poll(() => response.parts()).toHaveLength(1)
    expect(response.parts()).toEqual([{ data: { patient: { id: patientId } }, hasNext: true }])
    await letGo()
    await response.ended
    const later = response.parts().slice(1)
    expect(later.flatMap(({ incremental = [] }) => incremental)).toEqual([
      { data: { uploads: { nodes: [] } }, path: ['patient'], label: 'results' },
    ])
    expect(later.at(-1).hasNext).toBe(false)
    expect(response.read()).toMatch(/\r\n-----\r\n$/)
  })

  it('is one JSON response for a client that does not accept multipart [7.8]', async () => {
    for (const accept of [
      'application/json',
      '*/*',
      'multipart/mixed',
      'multipart/mixed;deferSpec=20230101',
    ]) {
      const response = await open(QUERY, { id: patientId }, accept)
      await response.ended
      expect(response.response.headers['content-type']).toContain('application/json')
      expect(JSON.parse(response.read())).toEqual({
        data: { patient: { id: patientId, uploads: { nodes: [] } } },
      })
    }
  })

  it('is one JSON response when nothing is deferred', async () => {
    const off = await open(QUERY.replace('label: "results"', 'if: false'), { id: patientId })
    await off.ended
    expect(JSON.parse(off.read()).data.patient).toEqual({ id: patientId, uploads: { nodes: [] } })
    const missing = await open(QUERY, { id: 'x' })
    await missing.ended
    expect(JSON.parse(missing.read())).toMatchObject({
      data: null,
      errors: [{ extensions: { code: 'NOT_FOUND' } }],
    })
  })

  it('has a part for each deferred fragment, under the response name of its field, and reads the field once', async () => {
    const query = `query ($id: ID!) {
      me { email }
      who: patient(id: $id) { ... @defer(label: "a") { number } ...Results @defer }
    }
    fragment Results on Patient { uploads { nodes { id } } can { ... @defer { edit } } }`
    const count = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int from audit_event where action = 'patient.read'`.execute(server.db)
      return rows[0]!.count
    }
    const before = await count()
    const response = await open(query, { id: patientId })
    await response.ended
    expect(response.parts()).toEqual([
      { data: { me: { email: expect.any(String) }, who: { __typename: 'Patient' } }, hasNext: true },
      { incremental: [{ data: { number: expect.any(Number) }, path: ['who'], label: 'a' }], hasNext: true },
      // A nested @defer has no effect within a part.
      {
        incremental: [{ data: { uploads: { nodes: [] }, can: { edit: true } }, path: ['who'] }],
        hasNext: false,
      },
    ])
    expect(await count()).toBe(before + 1)
  })

  it.each([
    ['is excluded by @include', '@include(if: $on) @defer', { on: false }, { id: expect.any(String) }],
    ['is excluded by a default value', '@defer @include(if: $off)', {}, { id: expect.any(String) }],
    ['is skipped', '@skip(if: $on) @defer', { on: true }, { id: expect.any(String) }],
    ['has @defer(if: false)', '@defer(if: $off)', {}, { id: expect.any(String), number: expect.any(Number) }],
  ])('is one JSON response when the fragment %s', async (_how, directives, variables, expected) => {
    const query = `query ($id: ID!, $on: Boolean = true, $off: Boolean = false) {
      patient(id: $id) { id ... ${directives} { number } } me @include(if: $on) { id } again: me @skip(if: $off) { id }
    }`
    const response = await open(query, { id: patientId, ...variables })
    await response.ended
    expect(response.response.headers['content-type']).toContain('application/json')
    expect(JSON.parse(response.read()).data.patient).toEqual(expected)
  })

  it.each([
    [
      'null for a required variable',
      '($id: ID!, $if: Boolean) { patient(id: $id) { ... @defer(if: $if) { id } } }',
    ],
    [
      'a root field with @include',
      '($id: ID!, $if: Boolean = true) { patient(id: $id) @include(if: $if) { ...@defer { id } } }',
    ],
    ['more than five parts', `($id: ID!) { patient(id: $id) { ${'... @defer { id } '.repeat(6)} } }`],
  ])('is one JSON response when there is %s', async (_what, query) => {
    const response = await open(`query ${query}`, {
      id: patientId,
      ...(query.includes('$if)') && { if: null }),
    })
    await response.ended
    expect(response.response.headers['content-type']).toContain('application/json')
    expect(response.response.statusCode).toBe(200)
    expect(server.logged.filter((line) => line.includes('http: unexpected error'))).toEqual([])
  })

  it('has in each part all fields of that part, also if another part skips them', async () => {
    const query = `query ($id: ID!, $on: Boolean!, $off: Boolean!) {
      a: patient(id: $id) { id ...Number @include(if: $on) @defer }
      b: patient(id: $id) { id ...Number @include(if: $off) ... @defer { ...Number } }
    }
    fragment Number on Patient { number }`
    const response = await open(query, { id: patientId, on: true, off: false })
    await response.ended
    expect(response.parts().flatMap(({ incremental = [] }) => incremental)).toEqual([
      { data: { number: expect.any(Number) }, path: ['a'] },
      { data: { number: expect.any(Number) }, path: ['b'] },
    ])
  })

  it('takes no longer to create for the maximal number of deferred fragments', async () => {
    const query = `{ me { ${Array.from({ length: 240 }, () => '...Me @defer').join(' ')} } } fragment Me on Me { id }`
    const response = await open(query, {})
    await response.ended
    expect(JSON.parse(response.read())).toEqual({ data: { me: { id: expect.any(String) } } })
  })

  it('is one JSON response when the deferred fragment is of a list, or deeper', async () => {
    const query =
      '{ patients { nodes { id ... @defer { number } } } own: me { ...Me } } fragment Me on Me { id }'
    const response = await open(query, {})
    await response.ended
    const { data } = JSON.parse(response.read())
    expect(data.patients.nodes).toContainEqual({ id: patientId, number: expect.any(Number) })
  })

  it('is one JSON response with the errors when its variables are invalid', async () => {
    const response = await open(QUERY, {})
    await response.ended
    expect(JSON.parse(response.read()).errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
  })

  it('reports denied access in a later part with the same message, and records it in the audit log [6.4]', async () => {
    const other = await server.signIn((await makeUser(server.db, { features: [] })).email)
    const { id_token } = (await (await other.fetch('/api/token')).json()) as { id_token: string }
    const response = await open(QUERY, { id: patientId }, APOLLO, id_token)
    await response.ended
    const later = response.parts().flatMap(({ incremental = [] }) => incremental)
    expect(later).toMatchObject([
      {
        data: null,
        errors: [
          {
            message: errorOf('FORBIDDEN').message,
            path: ['patient', 'uploads'],
            extensions: { code: 'FORBIDDEN' },
          },
        ],
      },
    ])
    const row = await server.db
      .selectFrom('audit_event')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ action: 'access.denied', changes: { field: { to: 'Patient.uploads' } } })
  })

  it('reports an unexpected error in a later part by an id alone', async () => {
    await server.db.schema.alterTable('upload').renameTo('upload_away').execute()
    try {
      const response = await open(QUERY, { id: patientId })
      await response.ended
      const [{ errors }] = response.parts().flatMap(({ incremental = [] }) => incremental)
      expect(errors[0].extensions.code).toBe('INTERNAL_SERVER_ERROR')
      expect(response.read()).not.toMatch(/select|relation/i)
      expect(server.logged.some((line) => line.includes(errors[0].extensions.errorId))).toBe(true)
    } finally {
      await server.db.schema.alterTable('upload_away').renameTo('upload').execute()
    }
  })

  it('is not used for a mutation, which runs once and responds at once', async () => {
    const query = 'mutation ($id: ID!) { ... @defer { revealCnp(patientId: $id) } }'
    const response = await open(query, { id: patientId })
    await response.ended
    expect(response.response.headers['content-type']).toContain('application/json')
    expect(JSON.parse(response.read()).data.revealCnp).toMatch(/^\d{13}$/)
  })

  it('stops when the client disconnects, without harm to other requests [7.8]', async () => {
    const letGo = await holdUploads()
    const response = await open(QUERY, { id: patientId })
    await expect.poll(() => response.parts()).toHaveLength(1)
    response.call.destroy()
    await response.ended
    await letGo()
    const next = await open(QUERY, { id: patientId })
    await next.ended
    expect(next.parts().length).toBeGreaterThan(1)
    expect(server.logged.filter((line) => /http: unexpected error|broken off/.test(line))).toEqual([])
  })

  it.each([
    [APOLLO, true],
    ['application/json, multipart/mixed; deferSpec="20220824"', true],
    ['multipart/mixed;boundary=x;deferSpec=20220824;q=0.9', true],
    ['multipart/mixed', false],
    ['multipart/mixed;incrementalSpec=v0.2', false],
    ['application/json;deferSpec=20220824', false],
    [undefined, false],
  ])('depends on the Accept header: %s', (accept, expected) => {
    expect(acceptsMultipart(accept)).toBe(expected)
  })
})
