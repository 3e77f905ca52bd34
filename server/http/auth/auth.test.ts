import { createHook } from 'node:async_hooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestClient } from '../../../test/client.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createUser, TEST_PASSWORD } from '../../../test/users.ts'
import { createApp } from '../../app.ts'
import { hashToken } from '../../platform/crypto/keys.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { DEVICE_COOKIE } from './auth-cookies.ts'
import { SESSION_COOKIE } from './authenticate.ts'

const ORIGIN = 'http://localhost:3000'
const EMAIL = 'registratura@clinica.test'

async function createServerWithUser() {
  const server = await createTestServer()
  const user = await createUser(server.db, { email: EMAIL, features: ['patient::share'] })
  return { server, user, visitor: createTestClient(server) }
}

const readSession = async (visitor: { get(path: string): Promise<Response> }) =>
  (await visitor.get('/api/auth/session')).json()

const listActions = async ({ db }: TestServer) =>
  db.selectFrom('audit_event').select(['action', 'outcome', 'actor_id', 'subject_id']).orderBy('id').execute()

const countSessions = async ({ db }: TestServer) =>
  (await db.selectFrom('session').select('id').where('revoked_at', 'is', null).execute()).length

describe('reading sign-in state', () => {
  it('lists the sign-in methods [7.1]', async () => {
    const { visitor } = await createServerWithUser()
    const response = await visitor.get('/api/auth/providers')
    expect(await response.json()).toEqual({
      local: {
        id: 'local',
        name: 'Dosar',
        type: 'credentials',
        signinUrl: `${ORIGIN}/api/auth/signin/local`,
        callbackUrl: `${ORIGIN}/api/auth/callback/local`,
      },
    })
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it('returns a CSRF token that stays the same in one browser [7.2]', async () => {
    const { visitor } = await createServerWithUser()
    const first = (await (await visitor.get('/api/auth/csrf')).json()) as { csrfToken: string }
    expect(first.csrfToken).toMatch(/^[0-9a-f]{64}$/)
    expect(await (await visitor.get('/api/auth/csrf')).json()).toEqual(first)
  })

  it('returns an empty session and sets no cookie without a session [7.3]', async () => {
    const { visitor } = await createServerWithUser()
    const response = await visitor.get('/api/auth/session?callbackUrl=%2Fpatients')
    expect(response.status).toBe(200)
    expect(await response.json()).toBeNull()
    expect(response.headers.getSetCookie()).toEqual([])
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('redirects a browser from the sign-in address to the page, with the error and the callback address [2.20]', async () => {
    const { visitor } = await createServerWithUser()
    const response = await visitor.get(
      '/api/auth/signin?error=SessionRequired&callbackUrl=%2Fpatients%3Fq%3Dion',
    )
    expect(response.status).toBe(302)
    const url = new URL(response.headers.get('location')!, ORIGIN)
    expect(url.pathname).toBe('/')
    expect(url.searchParams.get('error')).toBe('SessionRequired')
    expect(url.searchParams.get('callbackUrl')).toBe(`${ORIGIN}/patients?q=ion`)
  })

  it('offers no other provider and no other action', async () => {
    const { server, visitor } = await createServerWithUser()
    for (const path of [
      'callback/credentials',
      'callback/google',
      'callback/localx',
      'callback/xsecond-factor',
      'callback/links',
      'signin/github',
      'signin',
      'session',
      'webauthn-options',
    ]) {
      const { response } = await visitor.post(`/api/auth/${path}`, { email: EMAIL, password: TEST_PASSWORD })
      expect([path, response.status]).toEqual([path, 404])
    }
    for (const path of [
      '',
      '/error?error=x',
      '/callback/local',
      '/providersx',
      '/xsession',
      '/csrfs',
      '/verify-request',
      '/..%2fcsrf',
      '//csrf',
    ]) {
      const response = await visitor.get(`/api/auth${path}`)
      expect([path, response.status]).toEqual([path, 404])
      expect(response.headers.get('content-type')).toContain('application/json')
    }
    expect(await countSessions(server)).toBe(0)
  })
})

describe('signing in', () => {
  it('returns { url } as JSON for the form field json [7.4]', async () => {
    const { visitor } = await createServerWithUser()
    const { response } = await visitor.post('/api/auth/callback/local', {
      email: EMAIL,
      password: TEST_PASSWORD,
      callbackUrl: '/patients?q=ion',
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ url: `${ORIGIN}/patients?q=ion` })
  })

  it('returns { url } as JSON for the header X-Auth-Return-Redirect, and redirects without either [7.4]', async () => {
    const { visitor } = await createServerWithUser()
    const form = { email: EMAIL, password: TEST_PASSWORD, callbackUrl: '/patients', json: 'false' }
    const json = await visitor.post('/api/auth/callback/local', form, { 'x-auth-return-redirect': '1' })
    expect(await json.response.json()).toEqual({ url: `${ORIGIN}/patients` })
    const redirect = await visitor.post('/api/auth/callback/local', form)
    expect(redirect.response.status).toBe(302)
    expect(redirect.response.headers.get('location')).toBe(`${ORIGIN}/patients`)
  })

  it('returns { url } of the sign-in page from signin/local [7.4]', async () => {
    const { visitor } = await createServerWithUser()
    for (const [callbackUrl, path] of [
      ['/patients?q=ion', '/patients?q=ion'],
      ['https://evil.example/', '/'],
    ] as const) {
      const { url } = await visitor.post('/api/auth/signin/local', { callbackUrl })
      expect([url.origin, url.pathname, url.searchParams.get('callbackUrl')]).toEqual([ORIGIN, '/', path])
    }
  })

  it('opens a session with user, role, features and expiry [7.3] [3.1]', async () => {
    const { user, visitor } = await createServerWithUser()
    await visitor.signIn(' Registratura@Clinica.test ')
    const session = await readSession(visitor)
    expect(session).toEqual({
      user: {
        id: user.id,
        name: `Persoana ${EMAIL}`,
        email: EMAIL,
        role: 'staff',
        features: ['patient::share'],
        institutions: [],
      },
      expires: expect.any(String),
    })
    const left = new Date(session.expires).getTime() - Date.now()
    expect(left).toBeGreaterThan(604_700_000)
    expect(left).toBeLessThanOrEqual(604_800_000)
  })

  it('stores the session in a host-bound, secure cookie of 7 days that scripts cannot read [9.5]', async () => {
    const { server, visitor } = await createServerWithUser()
    const csrf = (await visitor.get('/api/auth/csrf')).headers.getSetCookie()
    const { cookies } = await visitor.signIn(EMAIL)
    const all = [...csrf, ...cookies.filter((line) => !line.startsWith(DEVICE_COOKIE))]
    const attributes = all.map((line) => {
      const [pair, ...rest] = line.split('; ')
      return { name: pair!.split('=')[0]!, flags: rest.filter((flag) => !flag.startsWith('Expires')).sort() }
    })
    const names = new Set(attributes.map(({ name }) => name))
    expect(names).toEqual(new Set(['__Host-dosar.callback-url', '__Host-dosar.csrf', SESSION_COOKIE]))
    for (const { flags } of attributes) {
      expect(flags).toEqual(['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax', 'Secure'])
    }
    expect(all.join('').length).toBeLessThan(4096)
    const token = visitor.cookies.get(SESSION_COOKIE)!
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const row = await server.db.selectFrom('session').selectAll().executeTakeFirstOrThrow()
    expect(row.token_hash).toEqual(hashToken(token))
    expect(JSON.stringify(row)).not.toContain(token)
  })

  it('keeps the same cookie while the session is read again and again [4.4]', async () => {
    const { visitor } = await createServerWithUser()
    await visitor.signIn(EMAIL)
    const token = visitor.cookies.get(SESSION_COOKIE)
    for (let i = 0; i < 3; i += 1) {
      const response = await visitor.get('/api/auth/session')
      expect((await response.json()).user.email).toBe(EMAIL)
      expect(response.headers.getSetCookie()).toEqual([])
    }
    expect(visitor.cookies.get(SESSION_COOKIE)).toBe(token)
  })

  it('records the sign-in and the failed attempts in the audit log', async () => {
    const { server, user, visitor } = await createServerWithUser()
    await visitor.signIn(EMAIL, 'altceva')
    await visitor.signIn('nimeni@clinica.test', 'altceva')
    await visitor.signIn(EMAIL)
    const { id: session } = await server.db.selectFrom('session').select('id').executeTakeFirstOrThrow()
    expect(await listActions(server)).toEqual([
      { action: 'session.sign-in-failed', outcome: 'failed', actor_id: null, subject_id: user.id },
      { action: 'session.sign-in-failed', outcome: 'failed', actor_id: null, subject_id: null },
      { action: 'session.sign-in', outcome: 'ok', actor_id: user.id, subject_id: session },
    ])
    const { last_sign_in_at } = await server.db.selectFrom('app_user').selectAll().executeTakeFirstOrThrow()
    expect(last_sign_in_at).not.toBeNull()
    expect(server.logged.join('')).not.toContain(TEST_PASSWORD)
    expect(server.logged.join('')).not.toContain(visitor.cookies.get(SESSION_COOKIE)!)
  })
})

describe('rejected sign-ins', () => {
  const unnamed = ['nimeni@clinica.test', 'nu-e-o-adresa', ''] as const

  it('return error=CredentialsSignin in the url, the same for every wrong input [8.2] [7.4]', async () => {
    const { server, visitor } = await createServerWithUser()
    await createUser(server.db, { email: 'suspendat@clinica.test', status: 'suspended' })
    await createUser(server.db, { email: 'invitat@clinica.test', status: 'invited' })
    const attempts: [string, string][] = [
      [EMAIL, 'parola greșită, dar lungă'],
      [EMAIL, ''],
      ['suspendat@clinica.test', TEST_PASSWORD],
      ['invitat@clinica.test', TEST_PASSWORD],
      ['invitat@clinica.test', ''],
      ...unnamed.map((email): [string, string] => [email, TEST_PASSWORD]),
    ]
    const responses = new Set<string>()
    for (const [email, password] of attempts) {
      const { response, url } = await visitor.signIn(email, password)
      expect(url.searchParams.get('error')).toBe('CredentialsSignin')
      responses.add(JSON.stringify([response.status, [...response.headers], await response.text()]))
    }
    expect(responses.size).toBe(1)
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
    expect(await countSessions(server)).toBe(0)
  })

  it('hash once for a missing or suspended account, as for a wrong password', async () => {
    const { server, visitor } = await createServerWithUser()
    await createUser(server.db, { email: 'suspendat@clinica.test', status: 'suspended' })
    let hashes = 0
    // The hash takes nearly all the time of a response, so equal counts mean equal times.
    const counter = createHook({
      init: (_id, type) => {
        if (type === 'ARGON2REQUEST') hashes += 1
      },
    }).enable()
    onTestFinished(() => void counter.disable())
    for (const email of [EMAIL, 'suspendat@clinica.test', ...unnamed]) {
      hashes = 0
      await visitor.signIn(email, 'greșită')
      expect([email, hashes]).toEqual([email, 1])
    }
  })

  it('return error=MissingCSRF for a missing, wrong or foreign CSRF token, and open no session', async () => {
    const { server, visitor } = await createServerWithUser()
    const other = createTestClient(server)
    const { csrfToken: foreign } = (await (await other.get('/api/auth/csrf')).json()) as { csrfToken: string }
    for (const csrfToken of ['', 'x', foreign]) {
      const form = { email: EMAIL, password: TEST_PASSWORD, csrfToken }
      for (const path of ['/api/auth/callback/local', '/api/auth/callback/link']) {
        const { response, url, cookies } = await visitor.post(path, form)
        expect([path, response.status, url.searchParams.get('error')]).toEqual([path, 200, 'MissingCSRF'])
        expect(cookies).toEqual([])
      }
    }
    expect(await countSessions(server)).toBe(0)
  })

  it('accept only a form of limited size', async () => {
    const { server, visitor } = await createServerWithUser()
    const { csrfToken } = (await (await visitor.get('/api/auth/csrf')).json()) as { csrfToken: string }
    const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ')
    const fields = { csrfToken, email: EMAIL, password: TEST_PASSWORD }
    const multipart = new FormData()
    for (const [name, value] of Object.entries(fields)) multipart.set(name, value)
    const bodies: [string | null, BodyInit][] = [
      ['application/json', JSON.stringify(fields)],
      ['text/plain', new URLSearchParams(fields).toString()],
      ['application/octet-stream', new URLSearchParams(fields).toString()],
      [null, multipart],
      ['application/json', '{'],
    ]
    for (const [type, body] of bodies) {
      const headers = new Headers({ cookie, 'x-auth-return-redirect': '1' })
      if (type) headers.set('content-type', type)
      const response = await server.app.request('/api/auth/callback/local', { method: 'POST', headers, body })
      expect([type, ((await response.json()) as { url: string }).url]).toEqual([
        type,
        expect.stringContaining('MissingCSRF'),
      ])
    }
    const { response } = await visitor.signIn(EMAIL, 'x'.repeat(20_000))
    expect(response.status).toBe(413)
    expect(await countSessions(server)).toBe(0)
  })
})

describe('session fixation', () => {
  it('never reuses a planted cookie: a sign-in always creates a new token', async () => {
    const { server, visitor } = await createServerWithUser()
    const planted = 'A'.repeat(43)
    visitor.cookies.set(SESSION_COOKIE, planted)
    visitor.cookies.set(`${SESSION_COOKIE}.0`, 'B'.repeat(43))
    expect(await readSession(visitor)).toBeNull()
    await visitor.signIn(EMAIL)
    expect(visitor.cookies.get(SESSION_COOKIE)).not.toBe(planted)
    expect((await readSession(visitor)).user.email).toBe(EMAIL)
    const attacker = createTestClient(server)
    attacker.cookies.set(SESSION_COOKIE, planted)
    expect(await readSession(attacker)).toBeNull()
  })

  it('ends the previous session of the browser', async () => {
    const { server, visitor } = await createServerWithUser()
    await createUser(server.db, { email: 'altul@clinica.test' })
    await visitor.signIn('altul@clinica.test')
    const attacker = createTestClient(server)
    attacker.cookies.set(SESSION_COOKIE, visitor.cookies.get(SESSION_COOKIE)!)
    expect((await readSession(attacker)).user.email).toBe('altul@clinica.test')
    await visitor.signIn(EMAIL)
    expect((await readSession(visitor)).user.email).toBe(EMAIL)
    expect(await readSession(attacker)).toBeNull()
    expect(await countSessions(server)).toBe(1)
  })
})

describe('signing out', () => {
  it('ends the session for every copy of its cookie and token, and returns { url } [7.5]', async () => {
    const { server, user, visitor } = await createServerWithUser()
    await visitor.signIn(EMAIL)
    const copy = createTestClient(server)
    copy.cookies.set(SESSION_COOKIE, visitor.cookies.get(SESSION_COOKIE)!)
    const { id_token } = (await (await visitor.get('/api/token')).json()) as { id_token: string }

    const { response, cookies } = await visitor.post('/api/auth/signout', { callbackUrl: '/signout' })
    expect(await response.json()).toEqual({ url: `${ORIGIN}/signout` })
    expect(cookies.find((line) => line.startsWith(SESSION_COOKIE))).toMatch(
      /^__Host-dosar\.session=; Max-Age=0; Path=\//,
    )

    expect(await readSession(visitor)).toBeNull()
    expect(await readSession(copy)).toBeNull()
    expect(await (await copy.get('/api/token')).json()).toEqual({ expires_at: null, id_token: null })
    const graphql = await server.app.request('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${id_token}`, 'content-type': 'application/json' },
      body: '{"query":"{ __typename }"}',
    })
    expect(graphql.status).toBe(401)
    expect((await listActions(server)).at(-1)).toMatchObject({
      action: 'session.sign-out',
      actor_id: user.id,
    })
  })

  it('with a missing or wrong CSRF token returns error=MissingCSRF and keeps the session [7.5] [8.1]', async () => {
    const { server, visitor } = await createServerWithUser()
    await visitor.signIn(EMAIL)
    for (const csrfToken of ['', 'x']) {
      for (const [json, status] of [
        ['true', 200],
        ['false', 302],
      ] as const) {
        const { response, url, cookies } = await visitor.post('/api/auth/signout', { csrfToken, json })
        expect([response.status, url.href]).toEqual([status, `${ORIGIN}/?error=MissingCSRF`])
        expect(cookies).toEqual([])
      }
    }
    const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ')
    const bare = await server.app.request(`${ORIGIN}/api/auth/signout`, {
      method: 'POST',
      headers: { cookie },
    })
    expect(bare.headers.get('location')).toBe(`${ORIGIN}/?error=MissingCSRF`)
    expect((await readSession(visitor)).user.email).toBe(EMAIL)
  })

  it('succeeds without a session', async () => {
    const { server, visitor } = await createServerWithUser()
    const { response } = await visitor.post('/api/auth/signout', { callbackUrl: '/signout' })
    expect(await response.json()).toEqual({ url: `${ORIGIN}/signout` })
    expect(await listActions(server)).toEqual([])
  })
})

describe('permissions at the next request', () => {
  it('a suspended account is signed out at once', async () => {
    const { server, user, visitor } = await createServerWithUser()
    await visitor.signIn(EMAIL)
    await server.db.updateTable('app_user').set({ status: 'suspended' }).where('id', '=', user.id).execute()
    expect(await readSession(visitor)).toBeNull()
    expect(await (await visitor.get('/api/token')).json()).toEqual({ expires_at: null, id_token: null })
    await visitor.signIn(EMAIL)
    expect(await readSession(visitor)).toBeNull()
  })

  it('a changed role and changed features apply', async () => {
    const { server, user, visitor } = await createServerWithUser()
    await visitor.signIn(EMAIL)
    await server.db
      .updateTable('app_user')
      .set({ role: 'institution', features: [] })
      .where('id', '=', user.id)
      .execute()
    const { user: seen } = await readSession(visitor)
    expect([seen.role, seen.features]).toEqual([
      'institution',
      ['patient::news', 'patient::files', 'profile::institution'],
    ])
  })

  it('an expired session does not count', async () => {
    const { server, visitor } = await createServerWithUser()
    await visitor.signIn(EMAIL)
    await server.db
      .updateTable('session')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute()
    expect(await readSession(visitor)).toBeNull()
  })
})

describe('the redirect of a response', () => {
  const foreign = [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\\/evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https://evil.example',
    'http://localhost:3000@evil.example/',
    'http://localhost:3000.evil.example/',
    'http://localhost:30001/',
    'http://localhost',
    'https://localhost:3000/',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:http://localhost:3000/x',
    '/\t/evil.example',
    '/\n/evil.example',
    '\u0000//evil.example',
    ' //evil.example',
    '/x\r\nLocation: https://evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    'http://localhost:3000//evil.example',
    'evil.example',
    '/patients\\x',
    '/pati\tents',
    '%2f%2fevil.example',
    `/${'x'.repeat(10_000)}`,
    '\ud800',
    '',
  ]

  it('redirects only to the own origin with any callbackUrl, at sign-in, at sign-out and from the cookie', async () => {
    const { visitor } = await createServerWithUser()
    for (const callbackUrl of foreign) {
      for (const json of ['true', 'false']) {
        const signedIn = await visitor.post('/api/auth/callback/local', {
          email: EMAIL,
          password: TEST_PASSWORD,
          callbackUrl,
          json,
        })
        expect([callbackUrl, signedIn.url.href]).toEqual([callbackUrl, `${ORIGIN}/`])
        const signedOut = await visitor.post('/api/auth/signout', { callbackUrl, json })
        expect([callbackUrl, signedOut.url.href]).toEqual([callbackUrl, `${ORIGIN}/`])
      }
      const query = await visitor.get(
        `/api/auth/signin?callbackUrl=${encodeURIComponent(callbackUrl.toWellFormed())}`,
      )
      expect(query.status).toBe(302)
      const { origin, searchParams } = new URL(query.headers.get('location')!, ORIGIN)
      expect([origin, searchParams.get('callbackUrl')]).toEqual([ORIGIN, `${ORIGIN}/`])
      visitor.cookies.set('__Host-dosar.callback-url', encodeURIComponent(callbackUrl.toWellFormed()))
      const fromCookie = await visitor.post('/api/auth/signout')
      expect([callbackUrl, new URL(fromCookie.url, ORIGIN).href]).toEqual([callbackUrl, `${ORIGIN}/`])
    }
  })

  it('leads to the requested page on our own origin', async () => {
    const { visitor } = await createServerWithUser()
    const own = [
      '/patients',
      '/uploads?state=in_review&q=%C8%99',
      '/x#y',
      `${ORIGIN}/logs`,
      '/%2f%2fevil.example',
    ]
    for (const callbackUrl of own) {
      const { url } = await visitor.post('/api/auth/signout', { callbackUrl })
      expect(url.href).toBe(new URL(callbackUrl, ORIGIN).href)
    }
  })

  it('uses the configured address, not that of Host or X-Forwarded-Host', async () => {
    const { server } = await createServerWithUser()
    const visitor = createTestClient(server, { origin: 'http://evil.example' })
    const { response } = await visitor.post(
      '/api/auth/callback/local',
      { email: EMAIL, password: TEST_PASSWORD, callbackUrl: '/patients' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    )
    expect(await response.json()).toEqual({ url: `${ORIGIN}/patients` })
    expect(JSON.stringify(await (await visitor.get('/api/auth/providers')).json())).not.toContain('evil')
  })
})

describe('unexpected errors', () => {
  it('a session that cannot be read is an error, not a signed-out user', async () => {
    const { server, visitor } = await createServerWithUser()
    await visitor.signIn(EMAIL)
    await server.db.schema.alterTable('session').renameTo('session_away').execute()
    for (const path of ['/api/auth/session', '/api/token']) {
      const response = await visitor.get(path)
      expect([path, response.status, response.headers.getSetCookie()]).toEqual([path, 500, []])
      expect(await response.json()).toMatchObject({ code: 'INTERNAL_SERVER_ERROR' })
    }
    expect((await visitor.signIn(EMAIL)).response.status).toBe(500)
    expect((await visitor.post('/api/auth/signout')).response.status).toBe(500)
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(true)
  })

  it('a pending sign-in that cannot be read is an error, not a missing one (A16)', async () => {
    const { server, visitor } = await createServerWithUser()
    visitor.cookies.set('__Host-dosar.pending', 'A'.repeat(43))
    await server.db.schema.alterTable('pending_sign_in').renameTo('pending_away').execute()
    expect((await visitor.get('/api/auth/second-factor')).status).toBe(500)
    const { response } = await visitor.post('/api/auth/callback/second-factor', { code: '000000' })
    expect([response.status, response.headers.getSetCookie()]).toEqual([500, []])
  })

  it('no sign-in succeeds while failures cannot be counted (A16)', async () => {
    const { server, visitor } = await createServerWithUser()
    await server.db.schema.alterTable('sign_in_throttle').renameTo('throttle_away').execute()
    expect((await visitor.signIn(EMAIL)).response.status).toBe(500)
    expect(await countSessions(server)).toBe(0)
  })

  it('an unavailable database is reported as unavailable', async () => {
    const { server } = await createServerWithUser()
    const db = openDatabase({ host: '127.0.0.1', port: 1 }, () => undefined)
    const visitor = createTestClient({ app: createApp({ ...server.services, db }) })
    visitor.cookies.set(SESSION_COOKIE, 'A'.repeat(43))
    for (const response of [
      await visitor.get('/api/auth/session'),
      await visitor.get('/api/token'),
      (await visitor.signIn(EMAIL)).response,
    ]) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    }
    await db.destroy()
  })
})
