import { describe, expect, it } from 'vitest'
import { makeAccountLink } from '../../../../db/factories.ts'
import { createTestClient } from '../../../../test/client.ts'
import { createTestServer, type TestServer } from '../../../../test/test-server.ts'
import { createUser } from '../../../../test/users.ts'
import { SESSION_COOKIE } from '../../../http/auth/authenticate.ts'
import { newToken } from '../../../platform/crypto/keys.ts'

const EMAIL = 'nou@clinica.test'
const PASSWORD = 'un drum lung spre casă'

async function createInvited(server: TestServer, status: 'invited' | 'active' | 'suspended' = 'invited') {
  const user = await createUser(server.db, { email: EMAIL, status })
  return { ...user, token: await createLink(server, user.id) }
}

const createLink = (server: TestServer, userId: string, ttlMs = 3_600_000) =>
  makeAccountLink(server.db, {
    user_id: userId,
    purpose: 'invitation',
    expires_at: new Date(Date.now() + ttlMs),
  })

const followLink = (server: TestServer, token: string, password = PASSWORD) =>
  createTestClient(server).post('/api/auth/callback/link', { token, password })

const readSession = async (visitor: ReturnType<typeof createTestClient>) =>
  (await visitor.get('/api/auth/session')).json()

const isInvited = async ({ db }: TestServer) =>
  (await db.selectFrom('app_user').select('status').executeTakeFirstOrThrow()).status === 'invited'

describe('a one-time link', () => {
  it('sets the password, activates the account and signs its user in', async () => {
    const server = await createTestServer()
    const { id, token } = await createInvited(server)
    const visitor = createTestClient(server)
    const form = { token, password: PASSWORD, callbackUrl: '/uploads' }
    const { url } = await visitor.post('/api/auth/callback/link', form)
    expect(url.pathname + url.search).toBe('/uploads')
    expect((await readSession(visitor)).user.id).toBe(id)

    const later = createTestClient(server)
    await later.signIn(EMAIL, PASSWORD)
    expect((await readSession(later)).user.id).toBe(id)
    const actions = await server.db
      .selectFrom('audit_event')
      .select(['action', 'actor_id'])
      .orderBy('id')
      .execute()
    expect(actions).toEqual([
      { action: 'session.sign-in', actor_id: id },
      { action: 'account.set-password', actor_id: id },
      { action: 'session.sign-in', actor_id: id },
    ])
    expect(server.logged.join('')).not.toContain(token)
  })

  it('works once; used, expired, unknown, altered, replaced and suspended links get identical responses', async () => {
    const server = await createTestServer()
    const { id, token } = await createInvited(server)
    const older = await createLink(server, id)
    const expired = await createLink(server, id, -1)
    await followLink(server, token)
    const suspended = await createUser(server.db, { email: 'suspendat@clinica.test', status: 'suspended' })
    const ofSuspended = await createLink(server, suspended.id)
    const fresh = await createLink(server, id)
    const changed = fresh.toUpperCase() === fresh ? fresh.toLowerCase() : fresh.toUpperCase()

    const responses = new Set<string>()
    for (const link of [token, older, expired, ofSuspended, newToken(), changed, '', 'x'.repeat(5_000)]) {
      const { response, url } = await followLink(server, link)
      expect([url.searchParams.get('error'), url.searchParams.get('code')]).toEqual([
        'CredentialsSignin',
        'link',
      ])
      responses.add(JSON.stringify([response.status, [...response.headers], await response.text()]))
    }
    expect(responses.size).toBe(1)
    expect((await followLink(server, fresh)).url.search).toBe('')
  })

  it('signs in exactly one of 20 concurrent requests', async () => {
    const server = await createTestServer()
    const { token } = await createInvited(server)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => followLink(server, token, `${PASSWORD} numărul ${n}`)),
    )
    const winners = responses.filter(({ url }) => !url.searchParams.has('error'))
    expect(winners).toHaveLength(1)
    const rejectedResponses = responses.filter(({ url }) => url.searchParams.get('code') === 'link')
    expect(rejectedResponses).toHaveLength(19)
    expect(await server.db.selectFrom('session').select('id').execute()).toHaveLength(1)
    const won = responses.indexOf(winners[0]!)
    const visitor = createTestClient(server)
    await visitor.signIn(EMAIL, `${PASSWORD} numărul ${won}`)
    expect((await readSession(visitor)).user.email).toBe(EMAIL)
  })

  it('ends all other sessions of the account and invalidates the old password', async () => {
    const server = await createTestServer()
    const { token } = await createInvited(server, 'active')
    const before = createTestClient(server)
    await before.signIn(EMAIL)
    expect((await readSession(before)).user.email).toBe(EMAIL)
    await followLink(server, token)
    expect(await readSession(before)).toBeNull()
    await before.signIn(EMAIL)
    expect(before.cookies.has(SESSION_COOKIE) && (await readSession(before))).toBeFalsy()
  })

  it('stays usable after a rejected password and reports the violated rule', async () => {
    const server = await createTestServer()
    const { token } = await createInvited(server)
    const rejected: [string, string][] = [
      ['', 'password-short'],
      ['paisprezece ch', 'password-short'],
      ['x'.repeat(201), 'password-long'],
      ['parolaparolaparola', 'password-common'],
      ['Persoana nou@clinica.test', 'password-common'],
    ]
    for (const [password, code] of rejected) {
      const { url } = await followLink(server, token, password)
      expect([password, url.searchParams.get('code')]).toEqual([password, code])
    }
    expect(await isInvited(server)).toBe(true)
    expect((await followLink(server, token)).url.search).toBe('')
    expect(await isInvited(server)).toBe(false)
  })

  it('requires the CSRF token', async () => {
    const server = await createTestServer()
    const { token } = await createInvited(server)
    const form = { token, password: PASSWORD, csrfToken: 'x' }
    const { url } = await createTestClient(server).post('/api/auth/callback/link', form)
    expect(url.searchParams.get('error')).toBe('MissingCSRF')
    expect(await isInvited(server)).toBe(true)
  })
})
