import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeAccountLink } from '../../../db/factories.ts'
import { createTestClient, type SignInResponse, type TestClient } from '../../../test/client.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createUser, TEST_PASSWORD } from '../../../test/users.ts'
import { createApp } from '../../app.ts'
import { createSystemContext } from '../../context.ts'
import { deleteExpiredSignIns } from '../../features/accounts/sign-in/delete-expired-sign-ins.ts'
import { limitAttempts } from '../../features/accounts/throttle/attempt-limit.ts'
import { newToken } from '../../platform/crypto/keys.ts'
import { openDatabase } from '../../platform/database/database.ts'

let server: TestServer
let serial = 0

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
})
beforeEach(async () => {
  await server.db.deleteFrom('sign_in_throttle').execute()
  vi.useFakeTimers({ toFake: ['Date'] })
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

function create() {
  serial += 1
  return createUser(server.db, { email: `persoana-${serial}@clinica.test` })
}

/** A client at this address of the socket. */
function visitorFrom(address: string, app = server.app): TestClient {
  const env = { incoming: { socket: { remoteAddress: address }, headersDistinct: {} } }
  const request = (input: string, init: RequestInit) => app.request(input, init, env)
  return createTestClient({ app: { request } as unknown as TestServer['app'] })
}

const succeeded = ({ url }: SignInResponse) => !url.searchParams.has('error')

async function fail(visitor: TestClient, email: string, times: number) {
  const responses: SignInResponse[] = []
  for (let n = 0; n < times; n += 1) responses.push(await visitor.signIn(email, `greșită ${n}`))
  return responses
}

const readCounts = (kind: 'account' | 'network', db = server.db) =>
  db
    .selectFrom('sign_in_throttle')
    .where('kind', '=', kind)
    .select('failures')
    .execute()
    .then((rows) => rows.map(({ failures }) => failures))

const setCounts = (kind: 'account' | 'network', failures: number) =>
  server.db.updateTable('sign_in_throttle').set({ failures }).where('kind', '=', kind).execute()

const readFailures = () =>
  server.db
    .selectFrom('audit_event')
    .where('action', '=', 'session.sign-in-failed')
    .select(['subject_id', 'changes', 'outcome'])
    .orderBy('id')
    .execute()

const byJob = () => createSystemContext(server.services)

const createLink = (userId: string) => makeAccountLink(server.db, { user_id: userId, purpose: 'reset' })

describe('guessing the password of an account', () => {
  it('allows five wrong passwords; then the right one waits too, with the same response (A01) [8.2]', async () => {
    const { email } = await create()
    const visitor = createTestClient(server)
    const wrong = await fail(visitor, email, 5)
    const early = await visitor.signIn(email)
    const seen = async ({ response }: SignInResponse) =>
      JSON.stringify([response.status, [...response.headers], await response.text()])
    expect(await seen(early)).toBe(await seen(wrong[0]!))
    pass(0.9)
    expect(succeeded(await visitor.signIn(email))).toBe(false)
    pass(0.1)
    expect(succeeded(await visitor.signIn(email))).toBe(true)
    expect(await readCounts('account')).toEqual([])
  })

  it('doubles the wait with each further one, up to 15 minutes; attempts within it do not prolong it (A01)', async () => {
    const { email } = await create()
    const visitor = createTestClient(server)
    await fail(visitor, email, 5)
    for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      const [before] = await readCounts('account')
      pass(wait - 0.2)
      await fail(visitor, email, 1)
      expect([wait, await readCounts('account')]).toEqual([wait, [before]])
      pass(0.2)
      await fail(visitor, email, 1)
      expect([wait, await readCounts('account')]).toEqual([wait, [before! + 1]])
    }
  })

  it('blocks every password after a hundred in a row until there is a new one, and notifies the owner once (A01)', async () => {
    const user = await create()
    const visitor = createTestClient(server)
    await fail(visitor, user.email, 1)
    await setCounts('account', 98)
    pass(900)
    await fail(visitor, user.email, 1)
    const readMails = () =>
      server.db.selectFrom('message').select(['kind', 'recipient']).where('about_id', '=', user.id).execute()
    expect(await readMails()).toEqual([])
    pass(900)
    await fail(visitor, user.email, 1)
    const expectedMails = [{ kind: 'sign-in-blocked', recipient: user.email }]
    expect(await readMails()).toEqual(expectedMails)
    pass(24 * 60 * 60)
    await fail(visitor, user.email, 1)
    expect(succeeded(await visitor.signIn(user.email))).toBe(false)
    expect(await readMails()).toEqual(expectedMails)

    pass(31 * 24 * 60 * 60)
    await deleteExpiredSignIns(byJob())
    expect(succeeded(await visitor.signIn(user.email))).toBe(false)

    const password = 'un drum lung spre casă'
    await visitor.post('/api/auth/callback/link', { token: await createLink(user.id), password })
    expect(succeeded(await createTestClient(server).signIn(user.email, password))).toBe(true)
  })

  it('is counted for an address without an account as well, with the same responses (A03)', async () => {
    const { email } = await create()
    const visitor = createTestClient(server)
    const responses = new Set<string>()
    for (const address of [email, 'nimeni@clinica.test']) {
      for (const { response } of await fail(visitor, address, 7))
        responses.add(JSON.stringify([response.status, [...response.headers], await response.text()]))
    }
    expect(responses.size).toBe(1)
    expect(await readCounts('account')).toEqual([5, 5])
    const rows = JSON.stringify(await server.db.selectFrom('sign_in_throttle').selectAll().execute())
    expect(rows).not.toContain('clinica')
  })

  it('counts for the same account however its address is written', async () => {
    const { email } = await create()
    const visitor = createTestClient(server)
    for (const written of [email, email.toUpperCase(), ` ${email} `, email, email.toUpperCase()])
      await visitor.signIn(written, 'greșită')
    expect(await readCounts('account')).toEqual([5])
    expect(succeeded(await visitor.signIn(email))).toBe(false)
  })

  it('is counted across a restart and on another server (A01)', async () => {
    const { email } = await create()
    await fail(createTestClient(server), email, 3)
    const db = openDatabase(server.connection, () => undefined)
    const restarted = createTestClient({ app: createApp({ ...server.services, db }) })
    await fail(restarted, email, 2)
    expect(succeeded(await restarted.signIn(email))).toBe(false)
    await db.destroy()
    expect(succeeded(await createTestClient(server).signIn(email))).toBe(false)
  })

  it('is not possible with twenty simultaneous attempts (A01)', async () => {
    const { email } = await create()
    await Promise.all(Array.from({ length: 20 }, () => fail(createTestClient(server), email, 1)))
    expect(await readCounts('account')).toEqual([5])
    expect(succeeded(await createTestClient(server).signIn(email))).toBe(false)
  })

  it('is reset by the right password: only wrong ones in a row count', async () => {
    const { email } = await create()
    const visitor = createTestClient(server)
    for (let round = 0; round < 3; round += 1) {
      await fail(visitor, email, 4)
      expect(succeeded(await visitor.signIn(email))).toBe(true)
    }
  })

  it('is not counted when no password was compared', async () => {
    const broken = limitAttempts(
      byJob(),
      { target: { kind: 'password', email: 'oricine@clinica.test' }, network: '203.0.113.9' },
      async () => {
        throw new Error('too many at once')
      },
    )
    await expect(broken).rejects.toThrow('too many at once')
    expect([...(await readCounts('account')), ...(await readCounts('network'))]).toEqual([0, 0])
  })
})

describe('guessing from one address', () => {
  it('allows a hundred wrong passwords over all accounts; then one every ten seconds (A01)', async () => {
    const [user, other] = [await create(), await create()]
    const visitor = visitorFrom('203.0.113.9')
    await fail(visitor, user.email, 1)
    expect(await readCounts('network')).toEqual([1])
    await setCounts('network', 99)
    await fail(visitor, user.email, 1)
    expect(succeeded(await visitor.signIn(other.email))).toBe(false)
    expect(succeeded(await visitorFrom('203.0.113.10').signIn(other.email))).toBe(true)
    pass(9)
    expect(succeeded(await visitor.signIn(other.email))).toBe(false)
    pass(1)
    expect(succeeded(await visitor.signIn(other.email))).toBe(true)
    pass(1000)
    await fail(visitor, user.email, 1)
    // That network, the other one, and the audit row that the first network still had in its minute.
    expect((await readCounts('network')).sort()).toEqual([0, 1, 1])
  })

  it('never delays users with the right password, who use up no attempts of the others at the address', async () => {
    const user = await create()
    const visitor = visitorFrom('203.0.113.9')
    await fail(visitor, user.email, 1)
    await setCounts('network', 99)
    for (let n = 0; n < 10; n += 1)
      expect(succeeded(await visitorFrom('203.0.113.9').signIn(user.email))).toBe(true)
    expect(await readCounts('network')).toEqual([99])
  })

  it('counts by the address of the socket and ignores X-Forwarded-For, unless a proxy is trusted (A02)', async () => {
    const { email } = await create()
    const visitor = visitorFrom('203.0.113.9')
    const csrf = async (from: TestClient, forwarded: string) => {
      const form = { email, password: 'greșită' }
      await from.post('/api/auth/callback/local', form, { 'x-forwarded-for': forwarded })
    }
    for (let n = 0; n < 3; n += 1) await csrf(visitor, `198.51.100.${n}`)
    expect(await readCounts('network')).toEqual([3])

    await server.db.deleteFrom('sign_in_throttle').execute()
    const trusting = { ...server.services, config: { ...server.services.config, trustProxy: true } }
    const behind = visitorFrom('10.0.0.1', createApp(trusting))
    for (const forwarded of ['198.51.100.1', '203.0.113.7, 198.51.100.1', '198.51.100.2'])
      await csrf(behind, forwarded)
    expect((await readCounts('network')).sort()).toEqual([1, 2])
  })

  it('counts an IPv6 network as one address, however it is written (A02)', async () => {
    const { email } = await create()
    for (const address of ['2001:db8:0:1::1', '2001:0DB8:0:1:ffff:1:2:3', '2001:db8:0000:0001:0:0:0:1'])
      await fail(visitorFrom(address), email, 1)
    await fail(visitorFrom('2001:db8:0:2::1'), email, 1)
    expect((await readCounts('network')).sort()).toEqual([1, 3])
  })

  it('counts another spelling of the path for the same route, or there is no such route (A02)', async () => {
    const { email } = await create()
    const variants = [
      '/api/auth//callback/local',
      '/api/auth/callback//local',
      '/api/auth/Callback/Local',
      '/API/auth/callback/local',
      '/api/auth/callback/local/',
      '/api/auth/%63allback/%6cocal',
    ]
    let attempts = 0
    for (const path of variants) {
      const { response } = await createTestClient(server).post(path, { email, password: 'greșită' })
      expect([path, [200, 404]]).toEqual([path, expect.arrayContaining([response.status])])
      if (response.status === 200) attempts += 1
      expect([path, await readCounts('account')]).toEqual([path, attempts > 0 ? [attempts] : []])
    }
    expect(attempts).toBeGreaterThan(0)
    await setCounts('account', 5)
    for (const path of variants) {
      const { response, cookies } = await createTestClient(server).post(path, {
        email,
        password: TEST_PASSWORD,
      })
      expect([path, cookies]).toEqual([path, []])
      if (response.status === 200) expect((await response.json()).url).toContain('error=CredentialsSignin')
    }
  })

  it('counts one-time links and codes as well', async () => {
    const user = await create()
    const visitor = visitorFrom('203.0.113.9')
    const follow = (token: string) =>
      visitor.post('/api/auth/callback/link', { token, password: 'un drum lung spre casă' })
    await follow(newToken())
    expect(await readCounts('network')).toEqual([1])
    const token = await createLink(user.id)
    await setCounts('network', 100)
    for (const link of [token, newToken()])
      expect((await follow(link)).url.searchParams.get('code')).toBe('wait')
    pass(10)
    expect(succeeded(await follow(token))).toBe(true)
  })

  it('regains attempts with time, however often a user there signs in (A01)', async () => {
    const { email } = await create()
    const visitor = visitorFrom('203.0.113.9')
    await fail(visitor, 'nimeni@clinica.test', 1)
    await setCounts('network', 30)
    for (let n = 0; n < 9; n += 1) {
      pass(5)
      expect(succeeded(await visitorFrom('203.0.113.9').signIn(email))).toBe(true)
    }
    expect(await readCounts('network')).toEqual([26])
    pass(5)
    await visitorFrom('203.0.113.9').signIn(email)
    expect(await readCounts('network')).toEqual([25])
  })

  it('without attempts left does not affect sign-ins from other addresses (A01)', async () => {
    const { email } = await create()
    await fail(visitorFrom('203.0.113.9'), email, 1)
    await setCounts('network', 100)
    const flood = Array.from({ length: 70 }, (_, n) =>
      fail(visitorFrom('203.0.113.9'), `nimeni-${n}@clinica.test`, 1),
    )
    const elsewhere = Array.from({ length: 5 }, () => visitorFrom('203.0.113.10').signIn(email))
    expect((await Promise.all(elsewhere)).map(({ url }) => url.search)).toEqual(Array(5).fill(''))
    const responses = (await Promise.all(flood)).flat()
    expect(new Set(responses.map(({ response }) => response.status))).toEqual(new Set([200]))
  })

  it('without attempts left writes at most one audit row a minute, by any sign-in method (A01)', async () => {
    const { id, email } = await create()
    const visitor = visitorFrom('203.0.113.9')
    await fail(visitor, email, 1)
    // Still without attempts left when a minute has restored six.
    await setCounts('network', 106)
    const before = await readFailures()
    expect(before.at(-1)?.subject_id).toBe(id)
    const tryAll = async () => {
      await fail(visitor, email, 3)
      await visitor.post('/api/auth/callback/link', { token: newToken(), password: TEST_PASSWORD })
      await visitor.post('/api/auth/callback/second-factor', { code: '123456' })
    }
    await tryAll()
    expect(await readFailures()).toHaveLength(before.length + 1)
    pass(60)
    await tryAll()
    expect(await readFailures()).toHaveLength(before.length + 2)
  })

  it('an invalid link and an invalid second factor leave an audit row without further details', async () => {
    const visitor = visitorFrom('203.0.113.9')
    const before = await readFailures()
    await visitor.post('/api/auth/callback/link', { token: newToken(), password: TEST_PASSWORD })
    await visitor.post('/api/auth/callback/second-factor', { code: '123456' })
    const row = { subject_id: null, changes: null, outcome: 'failed' }
    expect((await readFailures()).slice(before.length)).toEqual([row, row])
    expect(await readCounts('network')).toEqual([2])
  })
})

it('expired throttle counts are deleted', async () => {
  const { email } = await create()
  await fail(visitorFrom('203.0.113.9'), email, 2)
  pass(29 * 24 * 60 * 60)
  await deleteExpiredSignIns(byJob())
  expect(await readCounts('account')).toEqual([2])
  await setCounts('network', 100)
  pass(2 * 24 * 60 * 60)
  await deleteExpiredSignIns(byJob())
  expect([...(await readCounts('account')), ...(await readCounts('network'))]).toEqual([])
})
