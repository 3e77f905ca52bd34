import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { LIMITS } from '../../../shared/limits.ts'
import { createTestClient } from '../../../test/client.ts'
import { CHANGE_PASSWORD } from '../../../test/documents.ts'
import { type MailServer, startMailServer } from '../../../test/mail.ts'
import { listen } from '../../../test/real-http.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createUser } from '../../../test/users.ts'
import { upsertSettings } from '../../features/site/site.db.ts'

const URL = 'https://rezultate.clinica.test'
const EMAIL = 'ana@clinica.test'
const PASSWORD = 'un drum lung spre casă'
const LINK = /^https:\/\/rezultate\.clinica\.test\/cont\/([\w-]{43})$/

type MailedServer = TestServer & { mail: MailServer }

async function start(): Promise<MailedServer> {
  const mail = await startMailServer()
  onTestFinished(mail.stop)
  return { ...(await createTestServer({ smtpUrl: mail.url, url: URL })), mail }
}

const requestReset = ({ app }: TestServer, body: unknown, headers: Record<string, string> = {}) =>
  app.request('/api/password-reset', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Requests a link, sends the mail and returns the token in it. */
async function receiveLink(server: MailedServer, email = EMAIL): Promise<string> {
  const before = server.mail.arrived.length
  expect((await requestReset(server, { email })).status).toBe(202)
  await server.runJobs()
  expect(server.mail.arrived).toHaveLength(before + 1)
  return LINK.exec((await server.mail.waitFor(email)).link!)![1]!
}

/** Moves the links back in time, as if they had been created that much earlier. */
const age = ({ db }: TestServer, minutes: number) => {
  const ago = new Date(Date.now() - minutes * 60_000)
  return db.updateTable('account_link').set({ created_at: ago }).execute()
}

/** Returns the error code of the link, or null when it allowed a new password. */
async function followLink(server: TestServer, token: string, password = PASSWORD): Promise<string | null> {
  const { url } = await createTestClient(server).post('/api/auth/callback/link', { token, password })
  return url.searchParams.get('code') ?? url.searchParams.get('error')
}

const readAuditRows = ({ db }: TestServer) =>
  db
    .selectFrom('audit_event')
    .where('action', '=', 'account.ask-reset')
    .select(['actor_id', 'actor_name', 'subject_id', 'outcome', 'ip'])
    .orderBy('id')
    .execute()

describe('a forgotten password', () => {
  it('is replaced by a mailed link, which allows nothing else', async () => {
    const server = await start()
    const user = await createUser(server.db, { email: EMAIL })
    const before = createTestClient(server)
    await before.signIn(EMAIL)
    const token = await receiveLink(server)
    expect(await followLink(server, token)).toBeNull()
    expect(await (await before.get('/api/auth/session')).json()).toBeNull()
    const later = createTestClient(server)
    await later.signIn(EMAIL, PASSWORD)
    expect((await (await later.get('/api/auth/session')).json()).user.email).toBe(EMAIL)
    expect(await readAuditRows(server)).toEqual([
      { actor_id: null, actor_name: '', subject_id: user.id, outcome: 'ok', ip: null },
    ])
    const stored = await server.db.selectFrom('account_link').select('token_hash').execute()
    expect(JSON.stringify(stored)).not.toContain(token)
    expect(server.logged.join('')).not.toMatch(new RegExp(`${token}|${EMAIL}`))
  })

  it('gets the same response for every address, sent before any work that depends on the address', async () => {
    const server = await start()
    await createUser(server.db, { email: EMAIL })
    await createUser(server.db, { email: 'suspendat@clinica.test', status: 'suspended' })
    await createUser(server.db, { email: 'invitat@clinica.test', status: 'invited' })
    const responses = new Set<string>()
    for (const email of [
      EMAIL,
      'suspendat@clinica.test',
      'invitat@clinica.test',
      'nimeni@clinica.test',
      EMAIL,
    ]) {
      const response = await requestReset(server, { email })
      responses.add(JSON.stringify([response.status, [...response.headers], await response.text()]))
    }
    expect(responses.size).toBe(1)
    expect([...responses][0]).toMatch(/^\[202,.*"\{\}"\]$/)
    expect(await server.db.selectFrom('message').select('id').execute()).toEqual([])
    expect(await server.db.selectFrom('audit_event').select('id').execute()).toEqual([])
    await server.runJobs()
    const mailed = server.mail.arrived.map(({ recipients, mail }) => [...recipients, mail.subject])
    expect(mailed).toEqual([
      [EMAIL, 'Parolă nouă – Dosar'],
      ['invitat@clinica.test', 'Invitație în Dosar – Dosar'],
    ])
    expect((await readAuditRows(server)).map(({ outcome }) => outcome)).toEqual([
      'ok',
      'denied',
      'ok',
      'denied',
    ])
  })

  it('gets links with the configured address, also if the request has another Host', async () => {
    const server = await start()
    await createUser(server.db, { email: EMAIL })
    const { url, close } = await listen(server.app)
    onTestFinished(close)
    for (const headers of [
      { host: 'evil.test' },
      { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http', forwarded: 'host=evil.test' },
    ]) {
      expect((await requestReset(server, { email: EMAIL }, headers)).status).toBe(202)
      const sent = await fetch(`${url}/api/password-reset`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ email: EMAIL }),
      })
      expect(sent.status).toBe(202)
      await age(server, 6)
      await server.runJobs()
    }
    expect(server.mail.arrived.length).toBeGreaterThan(1)
    for (const { raw, link } of server.mail.arrived) {
      expect(link).toMatch(LINK)
      expect(raw).not.toContain('evil')
    }
  })

  it('sends mail to the stored address only, however the requested one is written', async () => {
    const server = await start()
    await createUser(server.db, { email: EMAIL })
    await createUser(server.db, { email: 'stefan@clinica.test' })
    expect((await requestReset(server, { email: ` ${EMAIL.toUpperCase()} ` })).status).toBe(202)
    await server.runJobs()
    expect(server.mail.arrived.map(({ recipients }) => recipients)).toEqual([[EMAIL]])
    for (const email of [
      `${EMAIL},evil@evil.test`,
      `${EMAIL}\r\nBcc: evil@evil.test`,
      `${EMAIL} evil@evil.test`,
      `"${EMAIL} x"@evil.test`,
      'ana＠clinica.test',
      'ana﹫clinica.test',
      'ștefan@clinica.test',
      'ana@clinica.test.',
      'ana@clinica',
      'ana@@clinica.test',
      'ana@clinıca.test',
      '',
      `${'a'.repeat(300)}@clinica.test`,
    ]) {
      expect([email, (await requestReset(server, { email })).status]).toEqual([email, 400])
    }
    for (const email of ['ana+x@clinica.test', 'a.na@clinica.test', 'ana@xn--clinca-q4a.test']) {
      expect([email, (await requestReset(server, { email })).status]).toEqual([email, 202])
    }
    await server.runJobs()
    expect(server.mail.arrived).toHaveLength(1)
  })
})

describe('the link', () => {
  it('works once', async () => {
    const server = await start()
    await createUser(server.db, { email: EMAIL })
    const token = await receiveLink(server)
    expect(await followLink(server, token)).toBeNull()
    expect(await followLink(server, token)).toBe('link')
  })

  it('works for one of 20 simultaneous uses', async () => {
    const server = await start()
    await createUser(server.db, { email: EMAIL })
    const token = await receiveLink(server)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => followLink(server, token, `${PASSWORD} ${n}`)),
    )
    expect(responses.filter((userError) => userError === null)).toHaveLength(1)
    expect(responses.filter((userError) => userError === 'link')).toHaveLength(19)
  })

  it('works for an hour', async () => {
    const server = await start()
    await createUser(server.db, { email: EMAIL })
    const token = await receiveLink(server)
    const { expires_at } = await server.db
      .selectFrom('account_link')
      .select('expires_at')
      .executeTakeFirstOrThrow()
    const left = expires_at.getTime() - Date.now()
    expect(left).toBeGreaterThan(59 * 60_000)
    expect(left).toBeLessThanOrEqual(60 * 60_000)
    const past = new Date(expires_at.getTime() - 61 * 60_000)
    await server.db.updateTable('account_link').set({ expires_at: past }).execute()
    expect(await followLink(server, token)).toBe('link')
  })

  it('is voided by a newer one', async () => {
    const server = await start()
    await createUser(server.db, { email: EMAIL })
    const older = await receiveLink(server)
    await age(server, LIMITS.resetPauseMinutes)
    const newer = await receiveLink(server)
    expect(await followLink(server, older)).toBe('link')
    expect(await followLink(server, newer)).toBeNull()
  })

  it('is void when the account has been suspended since', async () => {
    const server = await start()
    await createUser(server.db, { email: EMAIL })
    const token = await receiveLink(server)
    await server.db.updateTable('app_user').set({ status: 'suspended' }).execute()
    expect(await followLink(server, token)).toBe('link')
  })

  it('is sent once for many simultaneous requests', async () => {
    const server = await start()
    await createUser(server.db, { email: EMAIL })
    await Promise.all(Array.from({ length: 10 }, () => requestReset(server, { email: EMAIL })))
    await Promise.all(Array.from({ length: 5 }, server.runJobs))
    expect(server.mail.arrived).toHaveLength(1)
    expect(await followLink(server, LINK.exec(server.mail.arrived[0]!.link!)![1]!)).toBeNull()
  })

  it('is sent to administrators alone while an OpenID provider is the sign-in method', async () => {
    const server = await start()
    await upsertSettings(server.db, { login_provider: 'oidc' })
    await createUser(server.db, { email: EMAIL })
    await createUser(server.db, { email: 'sefa@clinica.test', role: 'admin' })
    await requestReset(server, { email: EMAIL })
    await requestReset(server, { email: 'sefa@clinica.test' })
    await server.runJobs()
    expect(server.mail.arrived.map(({ recipients }) => recipients)).toEqual([['sefa@clinica.test']])
  })
})

describe('requesting links', () => {
  it('sends at most one mail in five minutes, and no other client can use up the owner’s requests', async () => {
    const server = await start()
    await createUser(server.db, { email: EMAIL })
    for (let n = 0; n < 7; n++) {
      const token = await receiveLink(server)
      await requestReset(server, { email: EMAIL })
      await server.runJobs()
      expect(server.mail.arrived).toHaveLength(n + 1)
      await age(server, LIMITS.resetPauseMinutes)
      if (n === 6) expect(await followLink(server, token)).toBeNull()
    }
  })

  it('restores an account that wrong passwords have blocked (A01)', async () => {
    // The account is blocked for some seconds, which do not pass in this test.
    vi.useFakeTimers({ toFake: ['Date'] })
    const server = await start()
    const user = await createUser(server.db, { email: EMAIL })
    const client = await server.signIn(EMAIL)
    for (let n = 0; n < 6; n++) {
      await createTestClient(server).signIn(EMAIL, 'greșită')
      await client.graphql(CHANGE_PASSWORD, { current: 'greșită', next: PASSWORD })
    }
    const waiting = async () =>
      (await server.db.selectFrom('sign_in_throttle').select('failures').execute()).length
    expect(await waiting()).toBe(2)
    expect((await createTestClient(server).signIn(EMAIL)).url.searchParams.get('code')).toBe('credentials')

    expect(await followLink(server, await receiveLink(server))).toBeNull()
    expect(await waiting()).toBe(0)
    const owner = createTestClient(server)
    await owner.signIn(EMAIL, PASSWORD)
    expect((await (await owner.get('/api/auth/session')).json()).user.id).toBe(user.id)
  })

  it('is limited per network, the same for every address', async () => {
    const server = await createTestServer({ trustProxy: true })
    const from = (ip: string, email: string) => requestReset(server, { email }, { 'x-forwarded-for': ip })
    for (let n = 0; n < 30; n++)
      expect((await from(`2001:db8::${n}`, `nimeni-${n}@clinica.test`)).status).toBe(202)
    const rejected = await from('2001:db8::ffff', 'altcineva@clinica.test')
    expect(rejected.status).toBe(429)
    expect(await rejected.json()).toMatchObject({ code: 'TOO_MANY' })
    expect((await from('2001:db8:0:1::1', 'altcineva@clinica.test')).status).toBe(202)
  })

  it('accepts only a small JSON object from a page of our own', async () => {
    const server = await start()
    await createUser(server.db, { email: EMAIL })
    const body = { email: EMAIL }
    for (const [status, pendingResponse] of [
      [400, requestReset(server, 'nu e json')],
      [400, requestReset(server, {})],
      [400, requestReset(server, { email: [EMAIL] })],
      [400, requestReset(server, body, { 'content-type': 'text/plain' })],
      [400, requestReset(server, `email=${EMAIL}`, { 'content-type': 'application/x-www-form-urlencoded' })],
      [413, requestReset(server, { ...body, x: 'x'.repeat(5_000) })],
      [403, requestReset(server, body, { 'sec-fetch-site': 'cross-site' })],
      [403, requestReset(server, body, { origin: 'https://evil.test' })],
    ] as const) {
      const response = await pendingResponse
      expect([response.status, await response.json()]).toEqual([
        status,
        { code: expect.any(String), message: expect.any(String) },
      ])
    }
    expect((await server.app.request('/api/password-reset')).status).toBe(404)
    await server.runJobs()
    expect(server.mail.arrived).toEqual([])
  })
})
