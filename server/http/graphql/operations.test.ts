import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../db/factories.ts'
import { collectOperations } from '../../../scripts/collect-operations.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { schema } from '../../schema.ts'
import type { Env } from '../types.ts'
import { graphqlRoutes } from './graphql.ts'
import { prepareDocument } from './graphql-documents.ts'
import { readOperations } from './operations.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
/** Has more fields than a document of another client may have. */
const WIDE = `query Lat { ${Array.from({ length: 15 }, (_, n) => `a${n}: me { id role }`).join(' ')} }`
const ME = 'query Eu {\n  me {\n    role\n  }\n}'

let server: TestServer
let token: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const staff = await server.signIn((await makeUser(server.db)).email)
  token = ((await (await staff.fetch('/api/token')).json()) as { id_token: string }).id_token
})

const own = new Map([ME, WIDE].map((text) => [sha256(text), text]))
function execute(body: object, operations: ReadonlyMap<string, string> = own) {
  const app = new Hono<Env>()
  app.use(async (c, next) => {
    c.set('requestOrigin', { id: 'x', ip: null, userAgent: null, origin: 'web' })
    await next()
  })
  app.route('/graphql', graphqlRoutes(server.services, schema, operations))
  return app.request('/graphql', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}
const byHash = (sha256Hash: string, version = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
})

describe("the product's own documents", () => {
  it('run by their hash alone [7.8]', async () => {
    const response = await execute({ operationName: 'Eu', variables: {}, ...byHash(sha256(ME)) })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ data: { me: { role: 'staff' } } })
  })

  it('run by their hash when there is a text as well, which is not read [7.8]', async () => {
    const response = await execute({ query: '{ invalid', ...byHash(sha256(ME)) })
    expect([response.status, await response.json()]).toEqual([200, { data: { me: { role: 'staff' } } }])
  })

  it('have no limits, by hash or by text; all other documents have', async () => {
    const codes = [execute(byHash(sha256(WIDE))), execute({ query: WIDE }), execute({ query: `${WIDE} ` })]
    expect((await Promise.all(codes)).map(({ status }) => status)).toEqual([200, 200, 400])
  })

  it('are the only ones with a hash: no client can add one', async () => {
    const foreign = '{ me { id } }'
    expect((await execute({ query: foreign, ...byHash(sha256(foreign)) })).status).toBe(200)
    const response = await execute(byHash(sha256(foreign)))
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    })
  })

  it('are unknown when the front end is not built', async () => {
    const { errors } = (await (await execute(byHash(sha256(ME)), new Map())).json()) as { errors: unknown[] }
    expect(errors).toEqual([
      { message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } },
    ])
  })

  it.each([
    ['another version', byHash(sha256(ME), 2)],
    ['a hash that is no text', { extensions: { persistedQuery: { version: 1, sha256Hash: 5 } } }],
    ['a hash that is too long', byHash('a'.repeat(65))],
    ['neither query nor hash', { extensions: {} }],
  ])('are not found by %s, which is rejected', async (_what, body) => {
    expect((await execute(body)).status).toBe(400)
  })

  it('are collected at the build, each valid against the schema', async () => {
    const operations = Object.entries(await collectOperations())
    expect(operations.length).toBeGreaterThan(20)
    for (const [hash, text] of operations) {
      expect(hash).toBe(sha256(text))
      expect(prepareDocument(schema, text, { production: true, own: true })).toHaveProperty(
        'kind',
        'Document',
      )
    }
    const names = operations.map(([, text]) => /^(?:query|mutation) (\w+)/.exec(text)?.[1])
    expect(names).toContain('PatientPage')
    expect(names).not.toContain(undefined)
    expect(new Set(names).size).toBe(names.length)
  })

  it('are all where the build looks for them; a subscription goes over the websocket', async () => {
    for await (const file of glob('web/**/*.{ts,tsx}')) {
      const text = file.endsWith('.queries.ts') ? '' : await readFile(file, 'utf8')
      expect({ file, found: /graphql\(\s*`\s*(query|mutation)\b/.test(text) }).toEqual({ file, found: false })
    }
  })

  it('are none when the build has left no list', () => {
    expect(readOperations('/nonexistent/.operations.json').size).toBe(0)
  })
})

describe('the schema', () => {
  it.each(['{ __schema { types { name } } }', '{ __type(name: "Patient") { name } }'])(
    'is not shown in production, even to a signed-in user: %s',
    async (query) => {
      const { services } = server
      server.services.config = { ...services.config, production: true }
      const response = await execute({ query })
      server.services.config = { ...services.config, production: false }
      expect(response.status).toBe(400)
      expect(await response.text()).not.toContain('"data"')
      expect((await execute({ query })).status).toBe(200)
    },
  )
})
