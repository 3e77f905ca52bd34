import { describe, expect, it } from 'vitest'
import { createTestClient } from '../../../test/client.ts'
import { createTestServer } from '../../../test/test-server.ts'
import { createUser, TEST_PASSWORD } from '../../../test/users.ts'
import { expectedOrigin, isSameOrigin } from './same-origin.ts'

const OWN = 'http://localhost:3000'
const ORIGINS = [
  undefined,
  OWN,
  'https://evil.example',
  'null',
  'http://localhost:3001',
  'http://evil.localhost:3000',
]
const SITES = [undefined, 'same-origin', 'same-site', 'cross-site', 'none']

const isAllowed = (origin: string | undefined, site: string | undefined) =>
  (origin === undefined || origin === OWN) && (site === undefined || site === 'same-origin')

const fromPage = (origin: string | undefined, site: string | undefined) => ({
  ...(origin === undefined ? {} : { origin }),
  ...(site === undefined ? {} : { 'sec-fetch-site': site }),
})

describe('a request that changes something', () => {
  it('is accepted only from our own pages and from programs: sign-in from 6 origins × 5 kinds of site', async () => {
    const server = await createTestServer()
    await createUser(server.db, { email: 'registratura@clinica.test' })
    const visitor = createTestClient(server)
    const countSignIns = async () => (await server.db.selectFrom('session').select('id').execute()).length
    for (const origin of ORIGINS) {
      for (const site of SITES) {
        const before = await countSignIns()
        const form = { email: 'registratura@clinica.test', password: TEST_PASSWORD }
        const { response } = await visitor.post('/api/auth/callback/local', form, fromPage(origin, site))
        const allowed = isAllowed(origin, site)
        expect([origin, site, response.status]).toEqual([origin, site, allowed ? 200 : 403])
        expect((await countSignIns()) - before).toBe(allowed ? 1 : 0)
        if (!allowed) expect(await response.json()).toMatchObject({ code: 'FORBIDDEN' })
      }
    }
  })

  it('is rejected from other sites on every route, with every method and kind of body', async () => {
    const server = await createTestServer()
    await createUser(server.db, { email: 'sefa@clinica.test', role: 'admin' })
    const client = await server.signIn('sefa@clinica.test')
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      'application/offset+octet-stream',
      null,
    ]
    const routes: [string, string][] = [
      ['POST', '/graphql'],
      ['POST', '/api/auth/signout'],
      ['POST', '/api/auth/callback/local'],
      ['POST', '/files'],
      ['PATCH', `/files/${'0'.repeat(32)}`],
      ['DELETE', `/files/${'0'.repeat(32)}`],
      ['PUT', '/patients'],
      ['POST', '/'],
    ]
    for (const [method, path] of routes) {
      for (const type of types) {
        for (const origin of ORIGINS) {
          for (const site of SITES.filter((value) => !isAllowed(origin, value))) {
            const headers = new Headers({ ...fromPage(origin, site), cookie: client.cookie })
            if (type) headers.set('content-type', type)
            const response = await server.app.request(path, { method, headers, body: 'x' })
            expect([method, path, type, origin, site, response.status]).toEqual([
              method,
              path,
              type,
              origin,
              site,
              403,
            ])
          }
        }
      }
    }
    const live = await server.db.selectFrom('session').select('id').where('revoked_at', 'is', null).execute()
    expect(live).toHaveLength(1)
    expect(await server.db.selectFrom('audit_event').select('id').execute()).toEqual([])
  })

  it('may be a read from a link of another site', async () => {
    const server = await createTestServer()
    for (const method of ['GET', 'HEAD']) {
      const headers = fromPage('https://evil.example', 'cross-site')
      expect((await server.app.request('/healthz', { method, headers })).status).toBe(200)
    }
  })
})

describe('the host', () => {
  const over = { production: true, url: 'https://dosar.example' }

  it('is the configured one in production; loopback names and the health check may use another', async () => {
    const { app } = await createTestServer(over)
    const status = async (url: string) => (await app.request(url)).status
    expect(await status('http://dosar.example/api/token')).toBe(200)
    // As a proxy that ends TLS passes it on, with the port that the client sent.
    expect(await status('http://dosar.example:443/api/token')).toBe(200)
    expect(await status('http://localhost:3000/api/token')).toBe(200)
    expect(await status('http://127.0.0.1:3000/api/token')).toBe(200)
    expect(await status('http://10.0.0.7:3000/healthz')).toBe(200)
    for (const host of [
      'evil.example',
      'dosar.example.evil.example',
      '10.0.0.7:3000',
      'dosar.example:8443',
    ]) {
      expect([host, await status(`http://${host}/api/token`)]).toEqual([host, 421])
    }
  })

  it('is not checked outside production, nor without a public address', async () => {
    const development = await createTestServer()
    expect((await development.app.request('http://10.0.0.7:3000/api/token')).status).toBe(200)
    const noAddress = await createTestServer({ production: true })
    expect((await noAddress.app.request('http://10.0.0.7:3000/api/token')).status).toBe(200)
  })
})

describe('isSameOrigin', () => {
  const config = { url: 'https://dosar.example' }

  it('accepts the configured address and loopback names, and no name that merely resolves to this machine', () => {
    const cases: [string, string | undefined, boolean][] = [
      ['https://dosar.example', 'dosar.example', true],
      ['https://dosar.example', undefined, true],
      ['https://dosar.example', 'evil.example', true],
      ['http://localhost:3000', 'localhost:3000', true],
      ['http://127.0.0.1:3000', '127.0.0.1:3000', true],
      ['http://[::1]:3000', '[::1]:3000', true],
      ['http://localhost:3000', 'localhost:3001', false],
      ['http://localhost:3000', '127.0.0.1:3000', false],
      ['http://localhost:3000', undefined, false],
      ['http://dosar.example', 'dosar.example', false],
      ['https://dosar.example:8443', 'dosar.example:8443', false],
      ['https://dosar.example.', 'dosar.example.', false],
      ['https://DOSAR.example', 'dosar.example', false],
      ['https://dosar.example/', 'dosar.example', false],
      ['https://x@dosar.example', 'dosar.example', false],
      ['http://rebind.example:3000', 'rebind.example:3000', false],
      ['http://192.168.1.5:3000', '192.168.1.5:3000', false],
      ['http://evil.localhost:3000', 'evil.localhost:3000', false],
      ['file://localhost', 'localhost', false],
      ['null', 'null', false],
      ['', '', false],
    ]
    for (const [origin, host, own] of cases) {
      expect([origin, host, isSameOrigin(config, origin, host)]).toEqual([origin, host, own])
    }
  })

  it('decides the origin of links in a response, for any Host', () => {
    expect(expectedOrigin(config, 'http://dosar.example/x')).toBe('https://dosar.example')
    expect(expectedOrigin(config, 'http://evil.example/x')).toBe('https://dosar.example')
    expect(expectedOrigin(config, 'http://localhost:3000/x')).toBe('http://localhost:3000')
  })
})
