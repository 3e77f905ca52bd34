import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeAccountLink } from '../../../db/factories.ts'
import { createTestClient, type TestClient } from '../../../test/client.ts'
import { lockUser } from '../../../test/locks/user-lock.ts'
import {
  type OpenIdProvider,
  type ProviderPerson,
  startOpenIdProvider,
} from '../../../test/openid-provider.ts'
import { enableSecondFactor } from '../../../test/second-factor.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createUser, TEST_PASSWORD } from '../../../test/users.ts'
import { createApp } from '../../app.ts'
import { upsertSettings } from '../../features/site/site.db.ts'
import { hashToken } from '../../platform/crypto/keys.ts'
import { SESSION_COOKIE } from './authenticate.ts'

const ORIGIN = 'http://localhost:3000'
const CHECKS = ['__Host-dosar.pkce', '__Host-dosar.state', '__Host-dosar.nonce']

let server: TestServer
let provider: OpenIdProvider
let serial = 0

beforeAll(async () => {
  provider = await startOpenIdProvider(ORIGIN)
  afterAll(() => provider.close())
  server = await createTestServer({ oidc: provider.config }, afterAll)
  await upsertSettings(server.db, { login_provider: 'oidc' })
})

/** Returns a user of the provider with an address of their own. */
function person(over: Partial<ProviderPerson> = {}): ProviderPerson {
  serial += 1
  return { sub: `sub-${serial}`, email: `persoana-${serial}@casa.test`, email_verified: true, ...over }
}

/** Starts the sign-in and returns the provider's address. */
const start = async (visitor: TestClient, callbackUrl = '/patients') =>
  (await visitor.post('/api/auth/signin/oidc', { callbackUrl })).url

const open = (visitor: TestClient, { pathname, search }: URL) => visitor.get(pathname + search)

/** Signs in at the provider and comes back; returns where the response leads. */
async function signInByProvider(visitor: TestClient, member: ProviderPerson | null, callbackUrl?: string) {
  const callback = await provider.visit((await start(visitor, callbackUrl)).href, member)
  const response = await open(visitor, callback)
  expect(response.status).toBe(302)
  return { callback, response, to: response.headers.get('location') }
}

const readUser = async (visitor: TestClient) => (await (await visitor.get('/api/auth/session')).json())?.user

const ACCESS_DENIED = `${ORIGIN}/?error=AccessDenied`

describe('starting the sign-in at the provider', () => {
  it('is offered beside the password of administrators [7.1]', async () => {
    const response = await createTestClient(server).get('/api/auth/providers')
    expect(await response.json()).toEqual({
      local: expect.objectContaining({ id: 'local', type: 'credentials' }),
      oidc: {
        id: 'oidc',
        name: 'Casa',
        type: 'oidc',
        signinUrl: `${ORIGIN}/api/auth/signin/oidc`,
        callbackUrl: `${ORIGIN}/api/auth/callback/oidc`,
      },
    })
  })

  it('redirects with state, nonce and a PKCE challenge, and stores their counterparts in cookies [7.4] (A17)', async () => {
    const visitor = createTestClient(server)
    const { url, response, cookies } = await visitor.post(
      '/api/auth/signin/oidc?redirect_uri=https://evil.example',
      {
        callbackUrl: '/patients',
      },
    )
    expect([response.status, url.origin]).toEqual([200, provider.config.issuer])
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(url.searchParams)
    expect(rest).toEqual({
      response_type: 'code',
      client_id: 'dosar',
      redirect_uri: `${ORIGIN}/api/auth/callback/oidc`,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
    })
    for (const value of [state, nonce, code_challenge]) expect(value?.length).toBeGreaterThan(40)
    for (const name of CHECKS) {
      const line = cookies.find((cookie) => cookie.startsWith(`${name}=`))
      expect(
        line
          ?.replace(/Expires=[^;]*; /, '')
          .split('; ')
          .slice(1)
          .sort(),
      ).toEqual(['HttpOnly', 'Max-Age=900', 'Path=/', 'SameSite=Lax', 'Secure'])
    }
    const jar = [...visitor.cookies.values()].join()
    for (const value of [state, nonce]) expect(jar).not.toContain(value)
  })

  it('needs the CSRF token, and does not exist when no provider is configured (A17)', async () => {
    const { url, cookies } = await createTestClient(server).post('/api/auth/signin/oidc', { csrfToken: 'x' })
    expect([url.searchParams.get('error'), cookies]).toEqual(['MissingCSRF', []])

    const without = { ...server.services, config: { ...server.services.config, oidc: null } }
    const visitor = createTestClient({ app: createApp(without) })
    expect(Object.keys(await (await visitor.get('/api/auth/providers')).json())).toEqual(['local'])
    expect((await visitor.post('/api/auth/signin/oidc')).response.status).toBe(404)
    expect((await visitor.get('/api/auth/callback/oidc?code=x&state=y')).status).toBe(404)
  })

  it('reports an unavailable provider, and administrators can still sign in by password', async () => {
    const oidc = { ...provider.config, issuer: 'http://127.0.0.1:1' }
    const away = { ...server.services, config: { ...server.services.config, oidc } }
    const visitor = createTestClient({ app: createApp(away) })
    expect((await start(visitor)).href).toBe(`${ORIGIN}/?error=Configuration`)
    const { email } = await createUser(server.db, { email: 'parola@casa.test', role: 'admin' })
    await visitor.signIn(email)
    expect((await readUser(visitor)).email).toBe(email)
  })
})

describe('coming back from the provider', () => {
  it('opens a session on the requested page [7.4] [2.20] [9.5]', async () => {
    const member = person()
    const user = await createUser(server.db, { email: member.email })
    const visitor = createTestClient(server)
    const { response, to } = await signInByProvider(visitor, member, '/patients?q=ion')
    expect(to).toBe(`${ORIGIN}/patients?q=ion`)
    const session = response.headers.getSetCookie().find((line) => line.startsWith(SESSION_COOKIE))!
    expect(session.replace(/Expires=[^;]*; /, '')).toMatch(
      /^__Host-dosar\.session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    for (const name of CHECKS) expect([name, visitor.cookies.has(name)]).toEqual([name, false])
    expect((await readUser(visitor)).id).toBe(user.id)
    const row = await server.db
      .selectFrom('session')
      .select(['provider', 'token_hash'])
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ provider: 'oidc', token_hash: hashToken(visitor.cookies.get(SESSION_COOKIE)!) })
    await visitor.post('/api/auth/signout')
    expect(await readUser(visitor)).toBeUndefined()
  })

  it('recognises the user by the provider’s subject afterwards, also with another address', async () => {
    const member = person()
    const user = await createUser(server.db, { email: member.email })
    await signInByProvider(createTestClient(server), member)
    const other = await createUser(server.db, { email: person().email })
    const visitor = createTestClient(server)
    await signInByProvider(visitor, { ...member, email: other.email })
    expect((await readUser(visitor)).id).toBe(user.id)

    // The address now belongs to another person at the provider; the account does not.
    const successor = person({ email: member.email })
    expect((await signInByProvider(createTestClient(server), successor)).to).toBe(ACCESS_DENIED)
  })

  it('signs in an invited user, whose invitation is then void', async () => {
    const member = person()
    const user = await createUser(server.db, { email: member.email, status: 'invited' })
    const token = await makeAccountLink(server.db, { user_id: user.id, purpose: 'invitation' })
    const visitor = createTestClient(server)
    await signInByProvider(visitor, member)
    expect((await readUser(visitor)).id).toBe(user.id)
    const form = { token, password: 'un drum lung spre casă' }
    const { url } = await createTestClient(server).post('/api/auth/callback/link', form)
    expect(url.searchParams.get('code')).toBe('link')
  })

  it('rejects an unknown, unverified or malformed address and a suspended account [8.2]', async () => {
    const suspended = person()
    await createUser(server.db, { email: suspended.email, status: 'suspended' })
    const unverified = person({ email_verified: false })
    await createUser(server.db, { email: unverified.email })
    const victim = await createUser(server.db, { email: person().email })
    const before = await server.db.selectFrom('app_user').select('id').execute()
    for (const member of [
      person(),
      suspended,
      unverified,
      person({ email: `${victim.email},x@casa.test` }),
      person({ email: victim.email.replace('@', '＠') }),
      person({ email: '' }),
    ]) {
      const visitor = createTestClient(server)
      const { to } = await signInByProvider(visitor, member)
      expect([member.email, to]).toEqual([member.email, ACCESS_DENIED])
      expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
      for (const name of CHECKS) expect(visitor.cookies.has(name)).toBe(false)
    }
    expect(await server.db.selectFrom('app_user').select('id').execute()).toHaveLength(before.length)
    const known = await server.db.selectFrom('user_identity').select('user_id').execute()
    expect(known.map(({ user_id }) => user_id)).not.toContain(victim.id)
  })

  it('requires the second factor that the account has', async () => {
    const member = person()
    const user = await createUser(server.db, { email: member.email })
    const app = await enableSecondFactor(server, user)
    const visitor = createTestClient(server)
    const { to } = await signInByProvider(visitor, member)
    expect(to).toBe(`${ORIGIN}/?error=CredentialsSignin&code=second-factor`)
    expect(await readUser(visitor)).toBeUndefined()
    await visitor.post('/api/auth/callback/second-factor', { code: app.code() })
    expect((await readUser(visitor)).id).toBe(user.id)
    const sessions = await server.db
      .selectFrom('session')
      .select('provider')
      .where('user_id', '=', user.id)
      .execute()
    expect(sessions).toEqual([{ provider: 'oidc' }])
  })

  it('requires a second factor that is set up at the same moment', async () => {
    const member = person()
    const user = await createUser(server.db, { email: member.email })
    await signInByProvider(createTestClient(server), member)
    const visitor = createTestClient(server)
    const callback = await provider.visit((await start(visitor)).href, member)
    const locked = await lockUser(server.db, user.id)
    const opened = open(visitor, callback)
    await locked.waiters(1)
    await enableSecondFactor({ ...server, db: locked.db }, user)
    await locked.release()
    const to = (await opened).headers.get('location')
    expect(to).toBe(`${ORIGIN}/?error=CredentialsSignin&code=second-factor`)
    expect(await readUser(visitor)).toBeUndefined()
  })

  it('reports a sign-in that was cancelled at the provider and opens no session [8.2]', async () => {
    const visitor = createTestClient(server)
    const { to } = await signInByProvider(visitor, null)
    expect(to).toBe(`${ORIGIN}/?error=OAuthCallbackError`)
    expect(await readUser(visitor)).toBeUndefined()
  })
})

describe('a response of the provider', () => {
  it('is valid once, in the browser that started, for the request that it belongs to (A17)', async () => {
    const member = person()
    await createUser(server.db, { email: member.email })
    const visitor = createTestClient(server)
    const first = await start(visitor)
    const firstChecks = CHECKS.map((name) => [name, visitor.cookies.get(name)!] as const)
    const firstCallback = await provider.visit(first.href, member)

    const expectRejected = async (browser: TestClient, callback: URL) => {
      const response = await open(browser, callback)
      expect(response.headers.get('location')).toMatch(/\?error=(Configuration|OAuthCallbackError)$/)
      expect(browser.cookies.has(SESSION_COOKIE)).toBe(false)
      for (const name of CHECKS) expect(browser.cookies.has(name)).toBe(false)
    }
    // Sent to a browser that has started no sign-in, and to one that has started another.
    await expectRejected(createTestClient(server), firstCallback)
    const other = createTestClient(server)
    await start(other)
    await expectRejected(other, firstCallback)
    // The cookies of one sign-in with the response to another.
    const second = await start(visitor)
    const secondCallback = await provider.visit(second.href, member)
    for (const [name, value] of firstChecks) visitor.cookies.set(name, value)
    await expectRejected(visitor, secondCallback)
    // State of the first sign-in, nonce and challenge of the second.
    await start(visitor)
    visitor.cookies.set(...firstChecks[1]!)
    await expectRejected(visitor, firstCallback)

    for (const [name, value] of firstChecks) visitor.cookies.set(name, value)
    expect((await open(visitor, firstCallback)).headers.get('location')).toBe(`${ORIGIN}/patients`)
    const again = createTestClient(server)
    for (const [name, value] of firstChecks) again.cookies.set(name, value)
    await expectRejected(again, firstCallback)
  })

  it('redirects to our own origin alone (A13)', async () => {
    const member = person()
    await createUser(server.db, { email: member.email })
    for (const callbackUrl of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
    ]) {
      const visitor = createTestClient(server)
      const { to } = await signInByProvider(visitor, member, callbackUrl)
      expect([callbackUrl, new URL(to!).href]).toEqual([callbackUrl, `${ORIGIN}/`])
    }
    const visitor = createTestClient(server)
    const callback = await provider.visit((await start(visitor)).href, member)
    callback.searchParams.set('callbackUrl', 'https://evil.example/')
    expect((await open(visitor, callback)).headers.get('location')).toBe(`${ORIGIN}/patients`)
  })
})

describe('while login_provider is the OpenID provider', () => {
  it('only administrators may use passwords and links, and others get the error of a wrong password [2.20]', async () => {
    const { db } = server
    const staff = await createUser(db, { email: person().email })
    const admin = await createUser(db, { email: person().email, role: 'admin' })
    const visitor = createTestClient(server)
    const rejected = await visitor.signIn(staff.email)
    const wrong = await visitor.signIn(admin.email, 'greșită')
    expect([rejected.url.search, rejected.cookies]).toEqual([wrong.url.search, wrong.cookies])
    const token = await makeAccountLink(db, { user_id: staff.id, purpose: 'reset' })
    const { url } = await visitor.post('/api/auth/callback/link', { token, password: `${TEST_PASSWORD} nou` })
    expect(url.searchParams.get('code')).toBe('link')
    expect(await readUser(visitor)).toBeUndefined()

    await visitor.signIn(admin.email)
    expect((await readUser(visitor)).id).toBe(admin.id)
    const known = createTestClient(server)
    await signInByProvider(known, person({ email: staff.email }))
    expect((await readUser(known)).id).toBe(staff.id)
  })
})

describe('while login_provider is local again', () => {
  beforeEach(() => upsertSettings(server.db, { login_provider: 'local' }))
  afterEach(() => upsertSettings(server.db, { login_provider: 'oidc' }))

  it('a provider that is still configured is neither offered nor contacted [7.1]', async () => {
    const visitor = createTestClient(server)
    expect(Object.keys(await (await visitor.get('/api/auth/providers')).json())).toEqual(['local'])
    const { url, cookies } = await visitor.post('/api/auth/signin/oidc', { callbackUrl: '/patients' })
    expect(url.href).toBe(ACCESS_DENIED)
    for (const name of CHECKS) expect(cookies.some((line) => line.startsWith(name))).toBe(false)
    const { response } = await visitor.post('/api/auth/signin/oidc', { json: 'false' })
    expect([response.status, response.headers.get('location')]).toEqual([302, ACCESS_DENIED])
  })

  it('no user can sign in through it, not even one on the way back or one who is linked to it', async () => {
    await upsertSettings(server.db, { login_provider: 'oidc' })
    const [known, fresh] = [person(), person()]
    const users = [
      await createUser(server.db, { email: known.email }),
      await createUser(server.db, { email: fresh.email, status: 'invited' }),
    ]
    await signInByProvider(createTestClient(server), known)
    for (const member of [known, fresh]) {
      await upsertSettings(server.db, { login_provider: 'oidc' })
      const visitor = createTestClient(server)
      const callback = await provider.visit((await start(visitor)).href, member)
      await upsertSettings(server.db, { login_provider: 'local' })
      expect((await open(visitor, callback)).headers.get('location')).toBe(ACCESS_DENIED)
      expect(await readUser(visitor)).toBeUndefined()
    }
    const { status } = await server.db
      .selectFrom('app_user')
      .select('status')
      .where('id', '=', users[1]!.id)
      .executeTakeFirstOrThrow()
    expect(status).toBe('invited')
  })
})
