import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeAccountLink } from '../../../db/factories.ts'
import {
  type OpenIdProvider,
  type ProviderPerson,
  startOpenIdProvider,
} from '../../../test/openid-provider.ts'
import { enableSecondFactor } from '../../../test/second-factor.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { lockUser } from '../../../test/user-lock.ts'
import { createUser, TEST_PASSWORD } from '../../../test/users.ts'
import { createVisitor, type Visitor } from '../../../test/visitor.ts'
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

/** Somebody of the provider's house whose address nobody else has. */
function person(over: Partial<ProviderPerson> = {}): ProviderPerson {
  serial += 1
  return { sub: `sub-${serial}`, email: `persoana-${serial}@casa.test`, email_verified: true, ...over }
}

/** Asks for the provider's address. */
const start = async (visitor: Visitor, callbackUrl = '/patients') =>
  (await visitor.post('/api/auth/signin/oidc', { callbackUrl })).url

const open = (visitor: Visitor, { pathname, search }: URL) => visitor.get(pathname + search)

/** The whole way there and back; answers where it leads. */
async function come(visitor: Visitor, somebody: ProviderPerson | null, callbackUrl?: string) {
  const answer = await provider.visit((await start(visitor, callbackUrl)).href, somebody)
  const response = await open(visitor, answer)
  expect(response.status).toBe(302)
  return { answer, response, to: response.headers.get('location') }
}

const readUser = async (visitor: Visitor) => (await (await visitor.get('/api/auth/session')).json())?.user

const REFUSED = `${ORIGIN}/?error=AccessDenied`

describe('the way to the provider', () => {
  it('is offered beside the administrators’ password [7.1]', async () => {
    const response = await createVisitor(server).get('/api/auth/providers')
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

  it('is an address with state, nonce and a PKCE challenge; what answers them is in cookies [7.4] (A17)', async () => {
    const visitor = createVisitor(server)
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

  it('needs the CSRF token, and is nowhere where no provider is configured (A17)', async () => {
    const { url, cookies } = await createVisitor(server).post('/api/auth/signin/oidc', { csrfToken: 'x' })
    expect([url.searchParams.get('error'), cookies]).toEqual(['MissingCSRF', []])

    const without = { ...server.services, config: { ...server.services.config, oidc: null } }
    const visitor = createVisitor({ app: createApp(without) })
    expect(Object.keys(await (await visitor.get('/api/auth/providers')).json())).toEqual(['local'])
    expect((await visitor.post('/api/auth/signin/oidc')).response.status).toBe(404)
    expect((await visitor.get('/api/auth/callback/oidc?code=x&state=y')).status).toBe(404)
  })

  it('where the provider is away the answer says so, and an administrator’s password still works', async () => {
    const oidc = { ...provider.config, issuer: 'http://127.0.0.1:1' }
    const away = { ...server.services, config: { ...server.services.config, oidc } }
    const visitor = createVisitor({ app: createApp(away) })
    expect((await start(visitor)).href).toBe(`${ORIGIN}/?error=Configuration`)
    const { email } = await createUser(server.db, { email: 'parola@casa.test', role: 'admin' })
    await visitor.signIn(email)
    expect((await readUser(visitor)).email).toBe(email)
  })
})

describe('who comes back from the provider', () => {
  it('is in, with a session of ours, on the page that was asked for [7.4] [2.20] [9.5]', async () => {
    const somebody = person()
    const user = await createUser(server.db, { email: somebody.email })
    const visitor = createVisitor(server)
    const { response, to } = await come(visitor, somebody, '/patients?q=ion')
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

  it('is known by the provider’s name for them from then on, whatever the address', async () => {
    const somebody = person()
    const user = await createUser(server.db, { email: somebody.email })
    await come(createVisitor(server), somebody)
    const other = await createUser(server.db, { email: person().email })
    const visitor = createVisitor(server)
    await come(visitor, { ...somebody, email: other.email })
    expect((await readUser(visitor)).id).toBe(user.id)

    // The address now belongs to somebody else there: the account does not.
    const successor = person({ email: somebody.email })
    expect((await come(createVisitor(server), successor)).to).toBe(REFUSED)
  })

  it('is an invited person too, whose invitation is void then', async () => {
    const somebody = person()
    const user = await createUser(server.db, { email: somebody.email, status: 'invited' })
    const token = await makeAccountLink(server.db, { user_id: user.id, purpose: 'invitation' })
    const visitor = createVisitor(server)
    await come(visitor, somebody)
    expect((await readUser(visitor)).id).toBe(user.id)
    const form = { token, password: 'un drum lung spre casă' }
    const { url } = await createVisitor(server).post('/api/auth/callback/link', form)
    expect(url.searchParams.get('code')).toBe('link')
  })

  it('is nobody where the address is unknown, not verified or malformed, or the account is suspended [8.2]', async () => {
    const suspended = person()
    await createUser(server.db, { email: suspended.email, status: 'suspended' })
    const unverified = person({ email_verified: false })
    await createUser(server.db, { email: unverified.email })
    const victim = await createUser(server.db, { email: person().email })
    const before = await server.db.selectFrom('app_user').select('id').execute()
    for (const somebody of [
      person(),
      suspended,
      unverified,
      person({ email: `${victim.email},x@casa.test` }),
      person({ email: victim.email.replace('@', '＠') }),
      person({ email: '' }),
    ]) {
      const visitor = createVisitor(server)
      const { to } = await come(visitor, somebody)
      expect([somebody.email, to]).toEqual([somebody.email, REFUSED])
      expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
      for (const name of CHECKS) expect(visitor.cookies.has(name)).toBe(false)
    }
    expect(await server.db.selectFrom('app_user').select('id').execute()).toHaveLength(before.length)
    const known = await server.db.selectFrom('user_identity').select('user_id').execute()
    expect(known.map(({ user_id }) => user_id)).not.toContain(victim.id)
  })

  it('is asked for the second factor that the account has', async () => {
    const somebody = person()
    const user = await createUser(server.db, { email: somebody.email })
    const app = await enableSecondFactor(server, user)
    const visitor = createVisitor(server)
    const { to } = await come(visitor, somebody)
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

  it('is asked for the second factor that is set up at this very moment', async () => {
    const somebody = person()
    const user = await createUser(server.db, { email: somebody.email })
    await come(createVisitor(server), somebody)
    const visitor = createVisitor(server)
    const answer = await provider.visit((await start(visitor)).href, somebody)
    const locked = await lockUser(server.db, user.id)
    const opened = open(visitor, answer)
    await locked.waiters(1)
    await enableSecondFactor({ ...server, db: locked.db }, user)
    await locked.release()
    const to = (await opened).headers.get('location')
    expect(to).toBe(`${ORIGIN}/?error=CredentialsSignin&code=second-factor`)
    expect(await readUser(visitor)).toBeUndefined()
  })

  it('gave up there: the answer says so and nobody is in [8.2]', async () => {
    const visitor = createVisitor(server)
    const { to } = await come(visitor, null)
    expect(to).toBe(`${ORIGIN}/?error=OAuthCallbackError`)
    expect(await readUser(visitor)).toBeUndefined()
  })
})

describe('an answer of the provider', () => {
  it('is good once, in the browser that asked, for the question that it answers (A17)', async () => {
    const somebody = person()
    await createUser(server.db, { email: somebody.email })
    const visitor = createVisitor(server)
    const first = await start(visitor)
    const firstChecks = CHECKS.map((name) => [name, visitor.cookies.get(name)!] as const)
    const firstAnswer = await provider.visit(first.href, somebody)

    const isRefused = async (browser: Visitor, answer: URL) => {
      const response = await open(browser, answer)
      expect(response.headers.get('location')).toMatch(/\?error=(Configuration|OAuthCallbackError)$/)
      expect(browser.cookies.has(SESSION_COOKIE)).toBe(false)
      for (const name of CHECKS) expect(browser.cookies.has(name)).toBe(false)
    }
    // Planted in a browser that asked nothing, and in one that has asked something else.
    await isRefused(createVisitor(server), firstAnswer)
    const other = createVisitor(server)
    await start(other)
    await isRefused(other, firstAnswer)
    // The cookies of one question with the answer to another.
    const second = await start(visitor)
    const secondAnswer = await provider.visit(second.href, somebody)
    for (const [name, value] of firstChecks) visitor.cookies.set(name, value)
    await isRefused(visitor, secondAnswer)
    // State of the first, nonce and challenge of the second.
    await start(visitor)
    visitor.cookies.set(...firstChecks[1]!)
    await isRefused(visitor, firstAnswer)

    for (const [name, value] of firstChecks) visitor.cookies.set(name, value)
    expect((await open(visitor, firstAnswer)).headers.get('location')).toBe(`${ORIGIN}/patients`)
    const again = createVisitor(server)
    for (const [name, value] of firstChecks) again.cookies.set(name, value)
    await isRefused(again, firstAnswer)
  })

  it('leads to our own origin alone (A13)', async () => {
    const somebody = person()
    await createUser(server.db, { email: somebody.email })
    for (const callbackUrl of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
    ]) {
      const visitor = createVisitor(server)
      const { to } = await come(visitor, somebody, callbackUrl)
      expect([callbackUrl, new URL(to!).href]).toEqual([callbackUrl, `${ORIGIN}/`])
    }
    const visitor = createVisitor(server)
    const answer = await provider.visit((await start(visitor)).href, somebody)
    answer.searchParams.set('callbackUrl', 'https://evil.example/')
    expect((await open(visitor, answer)).headers.get('location')).toBe(`${ORIGIN}/patients`)
  })
})

describe('where the provider is the way in (login_provider)', () => {
  it('passwords and links are for administrators alone, and the others read the same as a wrong one [2.20]', async () => {
    const { db } = server
    const staff = await createUser(db, { email: person().email })
    const admin = await createUser(db, { email: person().email, role: 'admin' })
    const visitor = createVisitor(server)
    const refused = await visitor.signIn(staff.email)
    const wrong = await visitor.signIn(admin.email, 'greșită')
    expect([refused.url.search, refused.cookies]).toEqual([wrong.url.search, wrong.cookies])
    const token = await makeAccountLink(db, { user_id: staff.id, purpose: 'reset' })
    const { url } = await visitor.post('/api/auth/callback/link', { token, password: `${TEST_PASSWORD} nou` })
    expect(url.searchParams.get('code')).toBe('link')
    expect(await readUser(visitor)).toBeUndefined()

    await visitor.signIn(admin.email)
    expect((await readUser(visitor)).id).toBe(admin.id)
    const known = createVisitor(server)
    await come(known, person({ email: staff.email }))
    expect((await readUser(known)).id).toBe(staff.id)
  })
})

describe('where the house has gone back to passwords', () => {
  beforeEach(() => upsertSettings(server.db, { login_provider: 'local' }))
  afterEach(() => upsertSettings(server.db, { login_provider: 'oidc' }))

  it('the provider that is still configured is neither offered nor asked [7.1]', async () => {
    const visitor = createVisitor(server)
    expect(Object.keys(await (await visitor.get('/api/auth/providers')).json())).toEqual(['local'])
    const { url, cookies } = await visitor.post('/api/auth/signin/oidc', { callbackUrl: '/patients' })
    expect(url.href).toBe(REFUSED)
    for (const name of CHECKS) expect(cookies.some((line) => line.startsWith(name))).toBe(false)
    const { response } = await visitor.post('/api/auth/signin/oidc', { json: 'false' })
    expect([response.status, response.headers.get('location')]).toEqual([302, REFUSED])
  })

  it('nobody comes in through it, not even who was on the way there or is known from before', async () => {
    await upsertSettings(server.db, { login_provider: 'oidc' })
    const [known, fresh] = [person(), person()]
    const users = [
      await createUser(server.db, { email: known.email }),
      await createUser(server.db, { email: fresh.email, status: 'invited' }),
    ]
    await come(createVisitor(server), known)
    for (const somebody of [known, fresh]) {
      await upsertSettings(server.db, { login_provider: 'oidc' })
      const visitor = createVisitor(server)
      const answer = await provider.visit((await start(visitor)).href, somebody)
      await upsertSettings(server.db, { login_provider: 'local' })
      expect((await open(visitor, answer)).headers.get('location')).toBe(REFUSED)
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
