import { beforeEach, describe, expect, it } from 'vitest'
import { createTestClient } from '../../../test/client.ts'
import { createPasskey } from '../../../test/passkey.ts'
import { enableSecondFactor } from '../../../test/second-factor.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { createUser, TEST_PASSWORD } from '../../../test/users.ts'
import { upsertSettings } from '../../features/site/site.db.ts'

const EMAIL = 'registratura@clinica.test'
const MINUTE = 60_000

let server: TestServer
let userId: string
let client: TestClient

beforeEach(async () => {
  server = await createTestServer()
  userId = (await createUser(server.db, { email: EMAIL, role: 'staff' })).id
  client = createTestClient(server)
})

/** Makes the last use of every session this long ago. */
const ageUse = (ms: number) =>
  server.db
    .updateTable('session')
    .set({ last_seen_at: new Date(Date.now() - ms) })
    .execute()

const isSignedIn = async (by = client) => (await by.json('/api/auth/session')) !== null

/** Signs in with these additional fields of the form. */
const signIn = (form: Record<string, string> = {}) =>
  client.post('/api/auth/callback/local', { email: EMAIL, password: TEST_PASSWORD, ...form })

async function expectEnd(ms: number): Promise<void> {
  await ageUse(ms - MINUTE)
  expect(await isSignedIn()).toBe(true)
  await ageUse(ms)
  expect(await isSignedIn()).toBe(false)
}

describe('a session that is not used ends', () => {
  it('after twelve hours, for every request, and says why', async () => {
    await signIn()
    const authorization = await client.authorization()
    await expectEnd(12 * 60 * MINUTE)
    expect(await client.json('/api/auth/end')).toEqual({ reason: 'idle' })
    expect(await client.json('/api/token')).toEqual({ expires_at: null, id_token: null })
    expect((await client.postGraphql({ query: '{ me { id } }' }, { authorization })).status).toBe(401)
    const reported = await client.fetch('/api/auth/use', { method: 'POST' })
    expect(await reported.json()).toEqual({ active: false })
    expect((await client.get('/files/01900000-0000-7000-8000-000000000000')).status).toBe(401)
  })

  it('after as many hours as the settings say, at once for open sessions too', async () => {
    await signIn()
    await upsertSettings(server.db, { session_idle_hours: 2 })
    await expectEnd(2 * 60 * MINUTE)
  })

  it('after the default where the stored setting is not valid', async () => {
    await signIn()
    await upsertSettings(server.db, { session_idle_hours: 'nu' })
    await expectEnd(12 * 60 * MINUTE)
  })

  it('after half an hour on a computer that several people use', async () => {
    await signIn({ shared: 'true' })
    await expectEnd(30 * MINUTE)
    expect(await client.json('/api/auth/end')).toEqual({ reason: 'idle' })
  })

  it('after half an hour also where the second factor or a passkey completed such a sign-in', async () => {
    const authenticator = await enableSecondFactor(server, { id: userId })
    await signIn({ shared: 'true' })
    await client.post('/api/auth/callback/second-factor', { code: authenticator.code() })
    await expectEnd(30 * MINUTE)

    const owner = await server.signIn(EMAIL)
    const passkey = createPasskey()
    const { beginPasskey } = await owner.runQuery('mutation { beginPasskey }')
    const add = 'mutation ($r: JSON!) { addPasskey(name: "Telefon", response: $r) { recoveryCodes } }'
    await owner.runQuery(add, { r: passkey.create(beginPasskey) })
    const options = await (await client.fetch('/api/auth/passkey', { method: 'POST' })).json()
    const answer = JSON.stringify(passkey.get(options as { challenge: string }))
    await client.post('/api/auth/callback/passkey', { passkey: answer, shared: 'true' })
    await expectEnd(30 * MINUTE)
  })

  it('is no longer in the list of sessions', async () => {
    await signIn()
    await ageUse(13 * 60 * MINUTE)
    const other = await server.signIn(EMAIL)
    expect((await other.runQuery('{ mySessions { current } }')).mySessions).toEqual([{ current: true }])
  })
})

describe('what counts as use', () => {
  const lastUse = async () =>
    (
      await server.db.selectFrom('session').select('last_seen_at').executeTakeFirstOrThrow()
    ).last_seen_at.getTime()
  const graphql = (extensions: object) => async () =>
    client.postGraphql({ query: '{ me { id } }', extensions })

  it.each<[string, boolean, () => Promise<unknown>]>([
    ['a request of a program', true, graphql({})],
    ['a query of a page, which may be sent without anybody', false, graphql({ reportsUse: true })],
    ['the report of a page', true, () => client.fetch('/api/auth/use', { method: 'POST' })],
    ['a download', true, () => client.get('/files/01900000-0000-7000-8000-000000000000')],
    ['the refresh of the session', false, () => client.json('/api/auth/session')],
    ['the refresh of the token', false, () => client.json('/api/token')],
  ])('%s: %s', async (_name, counts, act) => {
    await signIn()
    await ageUse(10 * MINUTE)
    const before = await lastUse()
    await act()
    expect((await lastUse()) > before).toBe(counts)
  })

  it('is written at most once a minute', async () => {
    await signIn()
    await ageUse(MINUTE / 2)
    const before = await lastUse()
    await graphql({})()
    expect(await lastUse()).toBe(before)
  })
})
