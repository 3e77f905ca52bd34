import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import WebSocket from 'ws'
import { makeAccountLink } from '../../../db/factories.ts'
import { createTestClient, type TestClient } from '../../../test/client.ts'
import { createAuthenticator, enableSecondFactor } from '../../../test/second-factor.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { tusRequests } from '../../../test/tus.ts'
import { createUser, TEST_PASSWORD } from '../../../test/users.ts'
import { createSystemContext } from '../../context.ts'
import { deleteExpiredSignIns } from '../../features/accounts/sign-in/delete-expired-sign-ins.ts'
import { upsertSettings } from '../../features/site/site.db.ts'
import { hashToken } from '../../platform/crypto/keys.ts'
import { newId } from '../../platform/ids.ts'
import { schema } from '../../schema.ts'
import { attachRealtime } from '../realtime/realtime.ts'
import { SESSION_COOKIE } from './authenticate.ts'

const PENDING = '__Host-dosar.pending'
const ORIGIN = 'http://localhost:3000'

let server: TestServer
let serial = 0

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  await upsertSettings(server.db, { second_factor_required: ['institution'], name: 'Laborator Nord' })
})

// Fixed at the start of a code's 30 seconds, so that no code expires during a test.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 })
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

async function createGuarded() {
  serial += 1
  const user = await createUser(server.db, { email: `cu-factor-${serial}@clinica.test` })
  return { ...user, app: await enableSecondFactor(server, user) }
}

/** Creates a user whose role requires a second factor and who has none yet. */
function createRequired() {
  serial += 1
  return createUser(server.db, { email: `fara-factor-${serial}@clinica.test`, role: 'institution' })
}

/** Signs in with the right password. */
async function begin(email: string, password = TEST_PASSWORD) {
  const visitor = createTestClient(server)
  const response = await visitor.signIn(email, password)
  return { visitor, ...response }
}

const prove = (visitor: TestClient, code: string, form: Record<string, string> = {}) =>
  visitor.post('/api/auth/callback/second-factor', { code, ...form })

const codeOf = ({ url }: { url: URL }) => url.searchParams.get('code')

const isIn = async (visitor: TestClient) => (await (await visitor.get('/api/auth/session')).json()) !== null

const readPendingState = async (visitor: TestClient) => (await visitor.get('/api/auth/second-factor')).json()

const readUser = (id: string) =>
  server.db.selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const createLink = (userId: string) => makeAccountLink(server.db, { user_id: userId, purpose: 'reset' })

describe('after the right password', () => {
  it('opens no session yet: there is a token of five minutes, and the code is due [7.4] [8.2]', async () => {
    const { email } = await createGuarded()
    const { visitor, response, url, cookies } = await begin(email)
    expect(response.status).toBe(200)
    expect(url.href).toBe(`${ORIGIN}/?error=CredentialsSignin&code=second-factor`)
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(
      /^__Host-dosar\.pending=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(await isIn(visitor)).toBe(false)
    const due = await visitor.get('/api/auth/second-factor')
    expect([due.headers.get('cache-control'), due.headers.getSetCookie()]).toEqual(['no-store', []])
    expect(await due.json()).toEqual({ state: 'verify', hasAuthenticator: true, hasPasskey: false })
  })

  it('redirects a browser without scripts to the page with the same code [7.4]', async () => {
    const { email } = await createGuarded()
    const visitor = createTestClient(server)
    const form = { email, password: TEST_PASSWORD, json: 'false' }
    const { response } = await visitor.post('/api/auth/callback/local', form)
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      `${ORIGIN}/?error=CredentialsSignin&code=second-factor`,
    ])
    expect(visitor.cookies.has(PENDING)).toBe(true)
  })

  it('the code opens the session, leads to the requested page, and consumes the token [7.4]', async () => {
    const { id, email, app } = await createGuarded()
    const { visitor } = await begin(email)
    const pending = visitor.cookies.get(PENDING)!
    const { url, cookies } = await prove(visitor, app.code(), { callbackUrl: '/patients' })
    expect(url.href).toBe(`${ORIGIN}/patients`)
    expect(cookies.find((line) => line.startsWith(PENDING))).toMatch(/=; Max-Age=0; Path=\//)
    expect(visitor.cookies.get(SESSION_COOKIE)).not.toBe(pending)
    expect((await (await visitor.get('/api/auth/session')).json()).user.id).toBe(id)

    const copy = createTestClient(server)
    copy.cookies.set(PENDING, pending)
    expect(await readPendingState(copy)).toEqual({ state: 'none' })
    expect(codeOf(await prove(copy, app.code(1)))).toBe('second-factor-expired')
  })

  it('a wrong code changes nothing; without the token the sign-in has expired [8.2]', async () => {
    const { email, app } = await createGuarded()
    const { visitor } = await begin(email)
    for (const code of ['', '000000', 'nu-e-cod', app.code(7), `${app.code()}0`]) {
      expect([code, codeOf(await prove(visitor, code))]).toEqual([code, 'second-factor-wrong'])
    }
    expect(await isIn(visitor)).toBe(false)
    expect(await readPendingState(visitor)).toEqual({
      state: 'verify',
      hasAuthenticator: true,
      hasPasskey: false,
    })

    const other = createTestClient(server)
    const late = await prove(other, app.code())
    expect([late.url.searchParams.get('error'), codeOf(late)]).toEqual([
      'CredentialsSignin',
      'second-factor-expired',
    ])
    expect(await readPendingState(other)).toEqual({ state: 'none' })
  })

  it('the password is due again after five minutes (A05)', async () => {
    const { email, app } = await createGuarded()
    const { visitor } = await begin(email)
    pass(299)
    expect(await readPendingState(visitor)).toEqual({
      state: 'verify',
      hasAuthenticator: true,
      hasPasskey: false,
    })
    pass(2)
    expect(await readPendingState(visitor)).toEqual({ state: 'none' })
    const { url, cookies } = await prove(visitor, app.code())
    expect(url.searchParams.get('code')).toBe('second-factor-expired')
    expect(cookies.some((line) => line.startsWith(`${PENDING}=; Max-Age=0`))).toBe(true)
    expect(await isIn(visitor)).toBe(false)
  })

  it('a suspension and a new password end the pending sign-in too (A10)', async () => {
    const { db } = server
    const suspended = await createGuarded()
    const first = await begin(suspended.email)
    await db.updateTable('app_user').set({ status: 'suspended' }).where('id', '=', suspended.id).execute()
    expect(codeOf(await prove(first.visitor, suspended.app.code()))).toBe('second-factor-expired')

    const reset = await createGuarded()
    const second = await begin(reset.email)
    const form = { token: await createLink(reset.id), password: 'un drum lung spre casă' }
    await createTestClient(server).post('/api/auth/callback/link', form)
    expect(codeOf(await prove(second.visitor, reset.app.code()))).toBe('second-factor-expired')
  })

  it('the code needs the CSRF token (A12)', async () => {
    const { email, app } = await createGuarded()
    const { visitor } = await begin(email)
    const { url } = await prove(visitor, app.code(), { csrfToken: 'x' })
    expect(url.searchParams.get('error')).toBe('MissingCSRF')
    expect(await isIn(visitor)).toBe(false)
    expect(codeOf(await prove(visitor, app.code()))).toBeNull()
  })
})

describe('a pending sign-in is abandoned', () => {
  const isPending = async (token: string) => {
    const copy = createTestClient(server)
    copy.cookies.set(PENDING, token)
    return (await readPendingState(copy)).state !== 'none'
  }

  it('by signing out, which needs the CSRF token (A12)', async () => {
    const { email } = await createGuarded()
    const { visitor } = await begin(email)
    const token = visitor.cookies.get(PENDING)!
    await visitor.post('/api/auth/signout', { csrfToken: 'x' })
    expect([visitor.cookies.get(PENDING), await isPending(token)]).toEqual([token, true])
    const { url, cookies } = await visitor.post('/api/auth/signout', { callbackUrl: '/signout' })
    expect(url.pathname).toBe('/signout')
    expect(cookies.find((line) => line.startsWith(PENDING))).toMatch(/=; Max-Age=0; Path=\//)
    expect([visitor.cookies.has(PENDING), await isPending(token)]).toEqual([false, false])
    const again = await visitor.post('/api/auth/signout')
    expect(again.cookies.filter((line) => line.startsWith(PENDING))).toEqual([])
  })

  it('by another sign-in, complete or begun', async () => {
    const { email } = await createGuarded()
    serial += 1
    const plain = await createUser(server.db, { email: `fara-factor-${serial}@clinica.test` })
    const { visitor } = await begin(email)
    const first = visitor.cookies.get(PENDING)!
    await visitor.signIn(email)
    const second = visitor.cookies.get(PENDING)!
    expect([await isPending(first), await isPending(second)]).toEqual([false, true])
    await visitor.signIn(plain.email)
    expect(await isIn(visitor)).toBe(true)
    expect([visitor.cookies.has(PENDING), await isPending(second)]).toEqual([false, false])
  })
})

describe('the token of a pending sign-in', () => {
  it('is not accepted as session cookie, as bearer, at the websocket or for uploads (A05)', async () => {
    const { email } = await createGuarded()
    const { visitor } = await begin(email)
    const token = visitor.cookies.get(PENDING)!
    const jar = [...visitor.cookies].map((pair) => pair.join('=')).join('; ')
    const attacker = createTestClient(server)
    attacker.cookies.set(SESSION_COOKIE, token)
    expect(await isIn(attacker)).toBe(false)
    expect(await (await attacker.get('/api/token')).json()).toEqual({ expires_at: null, id_token: null })

    const graphql = await server.app.request('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', cookie: jar },
      body: '{"query":"{ me { id } }"}',
    })
    expect(graphql.status).toBe(401)
    for (const headers of [
      { cookie: jar },
      { cookie: `${SESSION_COOKIE}=${token}` },
      { authorization: `Bearer ${token}` },
    ]) {
      const withThem = async (path: string, init: RequestInit = {}) =>
        server.app.request(path, { ...init, headers: { ...(init.headers as object), ...headers } })
      const upload = await tusRequests(withThem).create({ 'upload-length': '3' })
      expect([upload.status, (await withThem(`/files/${newId()}`)).status]).toEqual([401, 401])
    }

    const http = serve({ fetch: server.app.fetch, port: 0 }) as Server
    const realtime = attachRealtime(http, server.services, schema)
    if (!http.listening) await once(http, 'listening')
    onTestFinished(async () => {
      await realtime.stop()
      http.close()
    })
    const { port } = http.address() as AddressInfo
    const socket = new WebSocket(`ws://localhost:${port}/graphql`, 'graphql-transport-ws', {
      headers: { cookie: jar },
    })
    onTestFinished(() => socket.terminate())
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }))
    expect((await once(socket, 'close'))[0]).toBe(4401)
  })

  it('is stored as a hash, and deleted once it has expired', async () => {
    const { id, email } = await createGuarded()
    const { visitor } = await begin(email)
    const read = () => server.db.selectFrom('pending_sign_in').selectAll().where('user_id', '=', id).execute()
    const token = visitor.cookies.get(PENDING)!
    expect((await read()).map(({ token_hash }) => token_hash)).toEqual([hashToken(token)])
    expect(server.logged.join('')).not.toContain(token)
    const _facts = { id: newId(), ip: null, userAgent: null, origin: 'job' as const }
    const sweep = () => deleteExpiredSignIns(createSystemContext(server.services))
    await sweep()
    expect(await read()).toHaveLength(1)
    pass(301)
    await sweep()
    expect(await read()).toHaveLength(0)
  })
})

describe('a code', () => {
  it('is accepted together with the password, for programs that send all at once [7.4]', async () => {
    const { email, app } = await createGuarded()
    const visitor = createTestClient(server)
    const form = { email, password: TEST_PASSWORD }
    const wrong = await visitor.post('/api/auth/callback/local', { ...form, code: '000000' })
    expect([wrong.url.searchParams.get('error'), codeOf(wrong)]).toEqual(['CredentialsSignin', 'credentials'])
    expect(wrong.cookies).toEqual([])
    const right = await visitor.post('/api/auth/callback/local', { ...form, code: app.code() })
    expect(right.url.href).toBe(`${ORIGIN}/`)
    expect(await isIn(visitor)).toBe(true)
  })

  it('is valid once, and after it no earlier one is (5.6)', async () => {
    const { email, app } = await createGuarded()
    const proveAnew = async (code: string) => codeOf(await prove((await begin(email)).visitor, code))
    expect(await proveAnew(app.code(-1))).toBeNull()
    expect(await proveAnew(app.code(-1))).toBe('second-factor-wrong')
    expect(await proveAnew(app.code(1))).toBeNull()
    expect(await proveAnew(app.code())).toBe('second-factor-wrong')
    expect(await proveAnew(app.code(1))).toBe('second-factor-wrong')
    pass(30)
    expect(await proveAnew(app.code(1))).toBeNull()
  })

  it('may be half a minute off, not a whole one, and may contain a space (5.6)', async () => {
    for (const [steps, code] of [
      [-2, 'second-factor-wrong'],
      [-1, null],
      [0, null],
      [1, null],
      [2, 'second-factor-wrong'],
    ] as const) {
      const { email, app } = await createGuarded()
      const { visitor } = await begin(email)
      const typed = app.code(steps).replace(/^(\d{3})/, '$1 ')
      expect([steps, codeOf(await prove(visitor, typed))]).toEqual([steps, code])
    }
  })

  it('opens one session for 20 simultaneous uses (5.6)', async () => {
    const { id, email, app } = await createGuarded()
    const { visitor } = await begin(email)
    const other = await begin(email)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const one = createTestClient(server)
        one.cookies.set(PENDING, (n % 2 ? visitor : other.visitor).cookies.get(PENDING)!)
        return prove(one, app.code())
      }),
    )
    expect(responses.filter((response) => codeOf(response) === null)).toHaveLength(1)
    const sessions = await server.db.selectFrom('session').select('id').where('user_id', '=', id).execute()
    expect(sessions).toHaveLength(1)
  })

  it('may be guessed five times, then ever more slowly, however often the password is sent (A01)', async () => {
    const { email, app } = await createGuarded()
    const { visitor } = await begin(email)
    for (let attempts = 0; attempts < 5; attempts += 1) await prove(visitor, '000000')
    expect(codeOf(await prove(visitor, app.code()))).toBe('second-factor-wrong')
    const again = await begin(email)
    expect(codeOf(await prove(again.visitor, app.code()))).toBe('second-factor-wrong')
    pass(1)
    expect(codeOf(await prove(again.visitor, '000000'))).toBe('second-factor-wrong')
    pass(1)
    expect(codeOf(await prove(again.visitor, app.code()))).toBe('second-factor-wrong')
    pass(1)
    expect(codeOf(await prove(again.visitor, app.code()))).toBeNull()
  })
})

describe('while the role requires a second factor', () => {
  it('shows the new secret to the holder of the token alone; its first code sets it up and signs in [7.4]', async () => {
    const { id, email } = await createRequired()
    const former = await server.signIn(email)
    const { visitor, url } = await begin(email)
    expect(url.searchParams.get('code')).toBe('second-factor-setup')
    expect(await isIn(visitor)).toBe(false)
    const due = await readPendingState(visitor)
    expect(due).toEqual({
      state: 'setup',
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.any(String),
    })
    const uri = new URL(due.uri)
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      `/Laborator Nord:${email}`,
    ])
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Laborator Nord',
      secret: due.secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(await readPendingState(visitor)).toEqual(due)
    expect((await readUser(id)).totp_secret).toBeNull()

    const app = createAuthenticator(due.secret)
    expect(codeOf(await prove(visitor, app.code(5)))).toBe('second-factor-wrong')
    expect(codeOf(await prove(visitor, app.code()))).toBeNull()
    expect(await isIn(visitor)).toBe(true)
    const { totp_secret } = await readUser(id)
    expect(totp_secret?.toString('latin1')).not.toContain(due.secret)
    expect(await (await former.fetch('/api/auth/session')).json()).toBeNull()
    const actions = await server.db
      .selectFrom('audit_event')
      .select(['action', 'outcome'])
      .where((eb) => eb.or([eb('actor_id', '=', id), eb('subject_id', '=', id)]))
      .orderBy('id')
      .execute()
    expect(actions).toEqual([
      { action: 'session.sign-in-failed', outcome: 'failed' },
      { action: 'session.sign-in', outcome: 'ok' },
      { action: 'second-factor.enable', outcome: 'ok' },
    ])

    const next = await begin(email)
    expect(codeOf(next)).toBe('second-factor')
    expect(codeOf(await prove(next.visitor, app.code()))).toBe('second-factor-wrong')
    expect(codeOf(await prove(next.visitor, app.code(1)))).toBeNull()
  })

  it('the first of two browsers sets it up', async () => {
    const { email } = await createRequired()
    const [one, two] = [await begin(email), await begin(email)]
    const apps = await Promise.all(
      [one, two].map(async ({ visitor }) => createAuthenticator((await readPendingState(visitor)).secret)),
    )
    expect(apps[0]!.secret).not.toBe(apps[1]!.secret)
    const responses = await Promise.all([
      prove(one.visitor, apps[0]!.code()),
      prove(two.visitor, apps[1]!.code()),
    ])
    expect(responses.map(codeOf).sort()).toEqual([null, 'second-factor-expired'])
  })

  it('returns the recovery codes then, right after the sign-in only (5.6)', async () => {
    const { email } = await createRequired()
    const { visitor } = await begin(email)
    const app = createAuthenticator((await readPendingState(visitor)).secret)
    await prove(visitor, app.code())
    const query = async () => {
      const { id_token } = (await (await visitor.get('/api/token')).json()) as { id_token: string }
      const response = await server.app.request('/graphql', {
        method: 'POST',
        headers: { authorization: `Bearer ${id_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'mutation { newRecoveryCodes }' }),
      })
      return (await response.json()) as {
        data: { newRecoveryCodes: string[] } | null
        errors?: { extensions: { code: string } }[]
      }
    }
    const codes = (await query()).data!.newRecoveryCodes
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
    await server.db
      .updateTable('session')
      .set({ proved_at: new Date(Date.now() - 5 * 60_000) })
      .execute()
    expect((await query()).errors?.[0]?.extensions.code).toBe('FRESH_PROOF_REQUIRED')

    const next = await begin(email)
    expect(codeOf(await prove(next.visitor, codes[0]!))).toBeNull()
    expect(codeOf(await prove((await begin(email)).visitor, codes[0]!))).toBe('second-factor-wrong')
    const typed = ` ${codes[1]!.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}`
    expect(codeOf(await prove((await begin(email)).visitor, typed))).toBeNull()

    const racers = await Promise.all(Array.from({ length: 5 }, () => begin(email)))
    const raced = await Promise.all(racers.map((racer) => prove(racer.visitor, codes[2]!)))
    expect(raced.filter((response) => codeOf(response) === null)).toHaveLength(1)

    const other = await createGuarded()
    expect(codeOf(await prove((await begin(other.email)).visitor, codes[3]!))).toBe('second-factor-wrong')
  })
})

describe('a one-time link', () => {
  const follow = async (token: string, password: string) => {
    const visitor = createTestClient(server)
    return { visitor, ...(await visitor.post('/api/auth/callback/link', { token, password })) }
  }

  it('sets the password, but never removes the second factor (5.6)', async () => {
    const { id, email, app } = await createGuarded()
    const before = (await readUser(id)).totp_secret
    const { visitor, url } = await follow(await createLink(id), 'vară roz')
    expect(url.href).toBe(`${ORIGIN}/?error=CredentialsSignin&code=second-factor`)
    expect([await isIn(visitor), await readPendingState(visitor)]).toEqual([
      false,
      { state: 'verify', hasAuthenticator: true, hasPasskey: false },
    ])
    expect((await readUser(id)).totp_secret).toEqual(before)
    expect(codeOf(await prove(visitor, app.code()))).toBeNull()
    expect(codeOf(await begin(email, 'vară roz'))).toBe('second-factor')
    const mails = await server.db.selectFrom('message').select('kind').where('about_id', '=', id).execute()
    expect(mails).toEqual([{ kind: 'password-changed' }])
  })

  it('leads a user who must have a second factor to its set-up; the password has 15 characters (5.7)', async () => {
    const { id } = await createRequired()
    const token = await createLink(id)
    expect(codeOf(await follow(token, 'vară roz'))).toBe('password-short')
    const { visitor, url } = await follow(token, 'un drum lung spre casă')
    expect(url.searchParams.get('code')).toBe('second-factor-setup')
    const app = createAuthenticator((await readPendingState(visitor)).secret)
    expect(codeOf(await prove(visitor, app.code()))).toBeNull()
    expect(await isIn(visitor)).toBe(true)
  })
})
