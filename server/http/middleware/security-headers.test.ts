import { expect, it } from 'vitest'
import { createTestClient } from '../../../test/client.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createUser } from '../../../test/users.ts'

const headersFor = (socket: string) => ({
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' blob: data:; " +
    `font-src 'self'; connect-src 'self' ${socket}; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; ` +
    "form-action 'self'; object-src 'none'; require-trusted-types-for 'script'; trusted-types default dompurify",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
})

const pick = (response: Response, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, response.headers.get(name)]))

/** Returns one response of each kind, with the expected status of that kind. */
async function collectResponses(server: TestServer): Promise<[string, number, Response][]> {
  await createUser(server.db, { email: 'registratura@clinica.test' })
  const origin = server.services.config.url
  const visitor = createTestClient(server, { origin })
  const get = (path: string) => server.app.request(`${origin}${path}`)
  return [
    ['JSON', 200, await get('/api/token')],
    ['a call of Auth.js', 200, await get('/api/auth/csrf')],
    ['a redirect', 302, await get('/api/auth/signin')],
    [
      'a redirect after an error',
      302,
      (await visitor.post('/api/auth/signout', { csrfToken: 'x', json: 'no' })).response,
    ],
    ['a sign-in', 200, (await visitor.signIn('registratura@clinica.test')).response],
    ['an unknown call', 404, await get('/api/altceva')],
    ['an unknown file', 404, await get('/altceva.js')],
    ['a trailing slash', 308, await get('/patients/')],
    ['not signed in', 401, await server.app.request(`${origin}/graphql`, { method: 'POST' })],
    [
      'from elsewhere',
      403,
      await server.app.request(`${origin}/graphql`, {
        method: 'POST',
        headers: { origin: 'https://evil.example' },
      }),
    ],
  ]
}

it('every kind of response has exactly these headers, and over plain HTTP no HSTS', async () => {
  const server = await createTestServer()
  const expected = headersFor('ws://localhost:3000')
  for (const [name, status, response] of await collectResponses(server)) {
    expect([name, response.status]).toEqual([name, status])
    expect({ name, ...pick(response, Object.keys(expected)) }).toEqual({ name, ...expected })
    expect(response.headers.has('strict-transport-security')).toBe(false)
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
  }
})

it('responses over HTTPS require HTTPS for a year and allow the secure websocket', async () => {
  const server = await createTestServer({ url: 'https://dosar.example' })
  const expected = {
    ...headersFor('wss://dosar.example'),
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  }
  for (const [name, , response] of await collectResponses(server)) {
    expect({ name, ...pick(response, Object.keys(expected)) }).toEqual({ name, ...expected })
  }
})

it('error responses have the headers too', async () => {
  const server = await createTestServer()
  await server.db.schema.dropTable('session').cascade().execute()
  const response = await server.app.request('/api/token', { headers: { cookie: '__Host-dosar.session=x' } })
  expect(response.status).toBe(500)
  const expected = headersFor('ws://localhost:3000')
  expect(pick(response, Object.keys(expected))).toEqual(expected)
})
