import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { makeUser } from '../../../db/factories.ts'
import { AUDIT_EXPORT_PATH } from '../../../shared/csv/csv-exports.ts'
import { createDatabase } from '../../../test/databases.ts'
import { openServer } from '../../../test/open-server.ts'
import { createTestServer, type TestClient } from '../../../test/test-server.ts'
import { type Db, openDatabase } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'

const MINUTE_MS = 60_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

const readDenials = async ({ db }: { db: Db }) =>
  (
    await db
      .selectFrom('audit_event')
      .where('action', '=', 'access.denied')
      .select(['actor_name', 'outcome', 'changes'])
      .orderBy('id')
      .execute()
  ).map(({ actor_name, outcome, changes }) => [actor_name, outcome, changes])

const row = (name: string, field: string, times?: number) => [
  name,
  'denied',
  { field: { to: field }, ...(times && { times: { to: times } }) },
]

async function setUp() {
  const server = await createTestServer()
  const signIn = async (name: string) => server.signIn((await makeUser(server.db, { name })).email)
  return { server, signIn }
}

const tryUsers = async (client: TestClient) =>
  expect((await client.graphql('{ users { nodes { id } } }')).errors[0]?.extensions.code).toBe('FORBIDDEN')
const tryKeys = (client: TestClient) => client.graphql('{ apiKeys { id } }')

it('the first denied access is in the audit log at once, further ones of the minute in one row with their number', async () => {
  const { server, signIn } = await setUp()
  const [ana, ion] = [await signIn('Ana'), await signIn('Ion')]
  await tryUsers(ana)
  expect(await readDenials(server)).toEqual([row('Ana', 'Query.users')])
  for (let n = 0; n < 20; n += 1) await tryUsers(ana)
  await tryKeys(ana)
  await tryUsers(ion)
  const atOnce = [row('Ana', 'Query.users'), row('Ion', 'Query.users')]
  expect(await readDenials(server)).toEqual(atOnce)

  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  const folded = [...atOnce, row('Ana', 'Query.users, Query.apiKeys', 21)]
  await expect.poll(() => readDenials(server)).toEqual(folded)

  // The minute that begins has its row already.
  await tryUsers(ana)
  await tryUsers(ana)
  expect(await readDenials(server)).toEqual(folded)
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  await expect.poll(() => readDenials(server)).toEqual([...folded, row('Ana', 'Query.users', 2)])

  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS)
  await tryUsers(ana)
  expect((await readDenials(server)).at(-1)).toEqual(row('Ana', 'Query.users'))
})

it('an API key has its own row for each network', async () => {
  const { server } = await setUp()
  const admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
  const { createApiKey } = await admin.runQuery('mutation { createApiKey(name: "Site") { key } }')
  const send = (address: string) =>
    server.app.request(
      '/graphql',
      {
        method: 'POST',
        headers: { 'x-api-key': createApiKey.key, 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ me { id } }' }),
      },
      { incoming: { socket: { remoteAddress: address }, headersDistinct: {} } },
    )
  for (const address of ['2001:db8::1', '2001:db8::2', '203.0.113.9', '203.0.113.9']) await send(address)
  expect(await readDenials(server)).toEqual([row('Site', 'Query.me'), row('Site', 'Query.me')])
})

it('what was folded is written when the server stops', async () => {
  const { connection, drop } = await createDatabase()
  onTestFinished(drop)
  const server = await openServer(connection)
  const ana = await server.signIn((await makeUser(server.db, { name: 'Ana' })).email)
  for (let n = 0; n < 5; n += 1) await tryUsers(ana)
  await server.stop()
  const db = openDatabase(connection, () => undefined)
  expect(await readDenials({ db })).toEqual([row('Ana', 'Query.users'), row('Ana', 'Query.users', 4)])
  await db.destroy()
})

it('a request that ends after the stop is written at once, since no minute would end', async () => {
  const { server, signIn } = await setUp()
  const ana = await signIn('Ana')
  await tryUsers(ana)
  await server.services.denials.stop()
  await tryUsers(ana)
  expect(await readDenials(server)).toEqual([row('Ana', 'Query.users'), row('Ana', 'Query.users')])
})

it('what could not be written is written a minute later, with its number', async () => {
  const { server, signIn } = await setUp()
  const ana = await signIn('Ana')
  for (let n = 0; n < 3; n += 1) await tryUsers(ana)
  await server.db.schema.alterTable('audit_event').renameTo('audit_away').execute()
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  await expect.poll(() => server.logged.join('')).toContain('folded records not written')
  await server.db.schema.alterTable('audit_away').renameTo('audit_event').execute()
  await tryUsers(ana)
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  await expect
    .poll(() => readDenials(server))
    .toEqual([row('Ana', 'Query.users'), row('Ana', 'Query.users', 3)])
})

it('a denied access that cannot be recorded at once is not answered', async () => {
  const { server, signIn } = await setUp()
  const ana = await signIn('Ana')
  await server.db.schema.alterTable('audit_event').renameTo('audit_away').execute()
  const response = await ana.postGraphql({ query: '{ users { nodes { id } } }' })
  expect(response.status).toBe(500)
  await server.db.schema.alterTable('audit_away').renameTo('audit_event').execute()
  await tryUsers(ana)
  expect(await readDenials(server)).toEqual([row('Ana', 'Query.users')])
})

it('denied files, archives, exports, images and transfers are recorded and folded in the same way', async () => {
  const { server, signIn } = await setUp()
  const [files, exporter] = [await signIn('Ana'), await signIn('Ion')]
  const asFiles = { authorization: await files.authorization('files') }
  const requests: [string, string, Record<string, string>?][] = [
    ['GET', `/files/${newId()}`],
    ['GET', `/files/${newId()}/preview`],
    ['GET', `/files/zip/${newId()}`],
    ['HEAD', `/files/${newId().replaceAll('-', '')}`, { 'tus-resumable': '1.0.0' }],
    ['POST', '/api/site-images/logo'],
  ]
  for (const [method, path, headers] of requests) {
    const response = await server.app.request(path, { method, headers: { ...asFiles, ...headers } })
    expect([path, response.status]).toEqual([path, path.startsWith('/api') ? 403 : 404])
  }
  const denied = await server.app.request(AUDIT_EXPORT_PATH, {
    headers: { authorization: await exporter.authorization('export') },
  })
  expect(denied.status).toBe(403)
  const atOnce = [row('Ana', 'file'), row('Ion', 'export the audit log')]
  expect(await readDenials(server)).toEqual(atOnce)
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  await expect
    .poll(() => readDenials(server))
    .toEqual([...atOnce, row('Ana', 'file, upload, transfer, upload an image of the site', 4)])
})
