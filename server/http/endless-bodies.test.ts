import { expect, it, onTestFinished } from 'vitest'
import { makeUpload, makeUser } from '../../db/factories.ts'
import { createTestClient } from '../../test/client.ts'
import { sendRaw } from '../../test/processes/raw-request.ts'
import { beginPatch, listen } from '../../test/real-http.ts'
import { createTestServer } from '../../test/test-server.ts'
import { tusRequests } from '../../test/tus.ts'

const LONG_TIME_MS = 600_000

const JSON_TYPE = 'Content-Type: application/json\r\n'
const FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded\r\n'
const LENGTH = 'Content-Length: 99\r\n\r\n{'
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'
const head = (route: string) => `${route} HTTP/1.1\r\nHost: localhost:3000\r\n`

const ENDLESS: [string, string][] = [
  ['password reset', head('POST /api/password-reset') + JSON_TYPE + LENGTH],
  ['password reset, in chunks', head('POST /api/password-reset') + JSON_TYPE + CHUNKED],
  ['sign-in', head('POST /api/auth/callback/local') + FORM_TYPE + LENGTH],
  ['sign-out', head('POST /api/auth/signout') + FORM_TYPE + CHUNKED],
  ['GraphQL', head('POST /graphql') + JSON_TYPE + LENGTH],
  ['a page', head('POST /patients') + LENGTH],
  ['a GET with a body', head('GET /healthz') + LENGTH],
  ['a GET of a file with a body', head(`GET /files/${'0'.repeat(32)}`) + LENGTH],
  ['a file without a session', head('POST /files') + LENGTH],
]

it.each(ENDLESS)('closes a request whose body never ends: %s', async (_what, sent) => {
  const server = await createTestServer()
  const { url, close } = await listen(server.app, 50)
  onTestFinished(close)
  const { text } = await sendRaw(url, sent)
  expect(await text).toMatch(/^HTTP\/1\.1 (200|40\d) /)
  expect(server.logged.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([])
})

it('responds with 408 when the route waits for the body; the bytes of a file may take longer', async () => {
  const server = await createTestServer()
  const user = await makeUser(server.db)
  const client = await server.signIn(user.email)
  const { url, close } = await listen(server.app, 50)
  onTestFinished(close)
  const bytes = Buffer.alloc(2_000, 'a')
  const upload = await makeUpload(server.db, server.services.storage, {
    state: 'receiving',
    created_by: user.id,
    files: [],
  })
  const path = await tusRequests(createTestClient(url, client).fetch).begin(upload.id, bytes)
  const patch = await beginPatch(new URL(path, url).href, client.cookie, {
    offset: 0,
    length: bytes.length,
    sent: bytes.subarray(0, 1_000),
  })
  const later = await sendRaw(url, head('POST /api/password-reset') + JSON_TYPE + LENGTH)
  expect(await later.text).toMatch(/^HTTP\/1\.1 408 /)
  patch.finish(bytes.subarray(1_000))
  expect(await patch.status).toBe(204)
})

it.each(ENDLESS)(
  'does not report a client that disconnects within a body as a server error: %s',
  async (_what, sent) => {
    const server = await createTestServer()
    const { url, close } = await listen(server.app, LONG_TIME_MS)
    onTestFinished(close)
    for (const end of ['destroy', 'resetAndDestroy'] as const) {
      const { socket, text } = await sendRaw(url, sent)
      // The server has read the first bytes when it responds to the next request.
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
      socket[end]()
      await text
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
    }
    await close()
    expect(server.logged.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([])
  },
)

it('rejects two Host headers', async () => {
  const server = await createTestServer()
  const { url, close } = await listen(server.app)
  onTestFinished(close)
  const { text } = await sendRaw(
    url,
    `${head('GET /healthz')}Host: evil.example\r\nConnection: close\r\n\r\n`,
  )
  expect(await text).toMatch(/^HTTP\/1\.1 400 /)
})
