import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeUser } from '../../../db/factories.ts'
import { collectOperations } from '../../../scripts/collect-operations.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createApp } from '../../app.ts'
import { createSystemContext } from '../../context.ts'
import { ensureOwnApiKey, ownApiKey } from '../../features/site/own-api-key.ts'
import { openBuiltFrontEnd } from '../pages/front-end.ts'
import { createDocuments } from './graphql-documents.ts'
import type { Operations } from './operations.ts'

const SITE = '{ publicSite { name } }'

let server: TestServer
let operations: Operations
let accountLink: string
let pageKey: string
let issue: (name: string) => Promise<string>

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  await ensureOwnApiKey(createSystemContext(server.services), server.services.config.secret)
  pageKey = ownApiKey(server.services.config.secret)
  operations = new Map(Object.entries(await collectOperations()))
  accountLink = [...operations.values()].find((text) => text.startsWith('query AccountLink'))!
  const admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
  issue = async (name) =>
    (await admin.runQuery('mutation ($name: String!) { createApiKey(name: $name) { key } }', { name }))
      .createApiKey.key
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

/** A server process with this build of the pages. */
function startServer(documents: Operations = operations) {
  const app = createApp(server.services, { ...openBuiltFrontEnd('/nonexistent'), operations: documents })
  return (key: string, body: object, address = '203.0.113.9') =>
    app.request(
      '/graphql',
      {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
      { incoming: { socket: { remoteAddress: address }, headersDistinct: {} } },
    )
}

const link = () => ({ query: accountLink, variables: { token: 'x' } })
const readCode = async (response: Response) => {
  const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] }
  return errors?.[0]?.extensions.code ?? null
}
const countRows = async () => (await server.db.selectFrom('audit_event').select('id').execute()).length

describe('the key that every page has', () => {
  it("opens the pages' own documents, by text and by hash", async () => {
    const send = startServer()
    const sha256Hash = createHash('sha256').update(accountLink).digest('hex')
    const byHash = { extensions: { persistedQuery: { version: 1, sha256Hash } }, variables: { token: 'x' } }
    for (const body of [link(), byHash, { ...link(), ...byHash }]) {
      const response = await send(pageKey, body)
      expect([response.status, await response.json()]).toEqual([200, { data: { accountLink: null } }])
    }
  })

  it.each([
    ['an open field', SITE],
    ['a closed field', '{ me { id } }'],
    ['a mutation', 'mutation { saveCategories(input: "[]") }'],
    ['what is no document', '{'],
    ['introspection', '{ __schema { types { name } } }'],
  ])('opens no other document: %s', async (_what, query) => {
    const before = await countRows()
    const response = await startServer()(pageKey, { query })
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        errors: [
          { message: expect.stringContaining('Cheia paginilor publice'), extensions: { code: 'FORBIDDEN' } },
        ],
      },
    ])
    // Nothing ran, so nothing is recorded.
    await server.services.denials.flush()
    expect(await countRows()).toBe(before)
  })

  it('opens no other document beside the hash of an unknown one, nor a changed one', async () => {
    const send = startServer()
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } }
    expect((await send(pageKey, { query: SITE, extensions })).status).toBe(400)
    expect((await send(pageKey, { ...link(), query: `${accountLink} ` })).status).toBe(400)
    expect(await readCode(await send(pageKey, { extensions }))).toBe('PERSISTED_QUERY_NOT_FOUND')
  })

  it('opens documents of at most two root fields in development, where the pages have no list', async () => {
    const send = startServer(new Map())
    expect((await send(pageKey, link())).status).toBe(200)
    expect(
      (await send(pageKey, { query: '{ publicSite { name } again: publicSite { name } }' })).status,
    ).toBe(200)
    const three = '{ a: publicSite { name } b: publicSite { name } c: publicSite { name } }'
    const response = await send(pageKey, { query: three })
    expect([response.status, await readCode(response)]).toEqual([400, 'BAD_USER_INPUT'])
  })

  it('is limited to 300 requests a minute of a network, with 429 and Retry-After', async () => {
    const send = startServer()
    for (let n = 0; n < 300; n += 1) expect((await send(pageKey, link())).status).toBe(200)
    const refused = await send(pageKey, link())
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      429,
      '1',
      { errors: [{ message: expect.any(String), extensions: { code: 'TOO_MANY' } }] },
    ])
    // Another network and a key of a program are not affected.
    expect((await send(pageKey, link(), '203.0.113.10')).status).toBe(200)
    expect((await send(await issue('Alt program'), { query: SITE })).status).toBe(200)
    pass(1)
    for (let n = 0; n < 5; n += 1) expect((await send(pageKey, link())).status).toBe(200)
    expect((await send(pageKey, link())).status).toBe(429)
  })

  it('is limited by the /64 network for IPv6', async () => {
    const send = startServer()
    for (let n = 0; n < 300; n += 1) await send(pageKey, link(), `2001:db8:0:1::${n}`)
    expect((await send(pageKey, link(), '2001:db8:0:1:ffff::1')).status).toBe(429)
    expect((await send(pageKey, link(), '2001:db8:0:2::1')).status).toBe(200)
  })
})

describe('an issued key', () => {
  it('opens any document of at most two root fields', async () => {
    const send = startServer()
    const key = await issue('Două câmpuri')
    const two = await send(key, { query: '{ publicSite { name } accountLink(token: "x") { name } }' })
    expect([two.status, await readCode(two)]).toEqual([200, null])
    const three = '{ a: publicSite { name } b: publicSite { name } c: publicSite { name } }'
    expect((await send(key, { query: three })).status).toBe(400)
    const hidden =
      '{ ...A ... { c: publicSite { name } } } fragment A on Query { a: publicSite { name } b: publicSite { name } }'
    expect((await send(key, { query: hidden })).status).toBe(400)
  })

  it('does not get a document that a user was allowed to send', async () => {
    const documents = createDocuments((await import('../../schema.ts')).schema, false, new Map())
    const three = '{ a: publicSite { name } b: publicSite { name } c: publicSite { name } }'
    expect(documents.findByText(three, null)).toHaveProperty('run')
    expect(documents.findByText(three, null, true)).toHaveProperty('errors')
  })

  it('is limited to 300 requests a minute, each key by itself and from any network', async () => {
    const send = startServer()
    const [key, other] = [await issue('Primul'), await issue('Al doilea')]
    for (let n = 0; n < 300; n += 1) await send(key, { query: SITE }, `203.0.113.${n % 200}`)
    const refused = await send(key, { query: SITE }, '203.0.113.250')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await send(other, { query: SITE })).status).toBe(200)
  })
})
