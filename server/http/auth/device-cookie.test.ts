import { jwtVerify, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeAccountLink } from '../../../db/factories.ts'
import { createTestClient, type SignInResponse, type TestClient } from '../../../test/client.ts'
import { enableSecondFactor } from '../../../test/second-factor.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createUser, TEST_PASSWORD } from '../../../test/users.ts'
import { createApp } from '../../app.ts'
import { deriveKey } from '../../platform/crypto/keys.ts'
import { DEVICE_COOKIE } from './auth-cookies.ts'

const ATTACKER = '198.51.100.66'
const CLINIC = '203.0.113.9'

let server: TestServer
let serial = 0

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
})
beforeEach(async () => {
  await server.db.deleteFrom('sign_in_throttle').execute()
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 })
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

function create() {
  serial += 1
  return createUser(server.db, { email: `dispozitiv-${serial}@clinica.test` })
}

/** A browser at this address, with the device cookie of an earlier visit. */
function browserAt(address: string, device?: string, app = server.app): TestClient {
  const env = { incoming: { socket: { remoteAddress: address }, headersDistinct: {} } }
  const request = (input: string, init: RequestInit) => app.request(input, init, env)
  return createTestClient(
    { app: { request } as unknown as TestServer['app'] },
    { cookies: device === undefined ? [] : [[DEVICE_COOKIE, device]] },
  )
}

/** Signs in once and returns the browser's device cookie. */
async function becomeKnown(email: string, address = CLINIC, device?: string): Promise<string> {
  const browser = browserAt(address, device)
  expect(succeeded(await browser.signIn(email))).toBe(true)
  return browser.cookies.get(DEVICE_COOKIE)!
}

const succeeded = ({ url }: SignInResponse) => !url.searchParams.has('error')

async function fail(browser: TestClient, email: string, times: number) {
  for (let n = 0; n < times; n += 1) await browser.signIn(email, `greșită ${n}`)
}

const setCounts = (kind: 'account' | 'network', failures: number) =>
  server.db.updateTable('sign_in_throttle').set({ failures }).where('kind', '=', kind).execute()

const readMails = (userId: string) =>
  server.db.selectFrom('message').select('kind').where('about_id', '=', userId).execute()

/** Makes the account wait, as an attacker at another address does. */
async function makeWait(email: string) {
  await fail(browserAt(ATTACKER), email, 6)
  expect(succeeded(await browserAt(CLINIC).signIn(email))).toBe(false)
}

describe('a browser on which the account has signed in', () => {
  it('signs in while the account waits for the guesses made elsewhere (A01)', async () => {
    const { email } = await create()
    const device = await becomeKnown(email)
    await makeWait(email)
    expect(succeeded(await browserAt(CLINIC, device).signIn(email))).toBe(true)
    // Nothing that happens on the known browser gives the attacker further guesses.
    expect(succeeded(await browserAt(ATTACKER).signIn(email))).toBe(false)
  })

  it('signs in although a hundred failures have blocked the account everywhere else (A01)', async () => {
    const user = await create()
    const device = await becomeKnown(user.email)
    await fail(browserAt(ATTACKER), user.email, 1)
    await server.db
      .updateTable('sign_in_throttle')
      .set({ failures: 99 })
      .where('kind', '=', 'account')
      .execute()
    pass(900)
    await fail(browserAt(ATTACKER), user.email, 1)
    expect(await readMails(user.id)).toEqual([{ kind: 'sign-in-blocked' }])
    pass(24 * 60 * 60)
    expect(succeeded(await browserAt(CLINIC).signIn(user.email))).toBe(false)
    expect(succeeded(await browserAt(CLINIC, device).signIn(user.email))).toBe(true)
  })

  it('signs in although its network has no attempts left (A01)', async () => {
    const { email } = await create()
    const device = await becomeKnown(email)
    await fail(browserAt(CLINIC), 'nimeni@clinica.test', 1)
    await setCounts('network', 100)
    expect(succeeded(await browserAt(CLINIC).signIn(email))).toBe(false)
    expect(succeeded(await browserAt(CLINIC, device).signIn(email))).toBe(true)
  })

  it('sends the code of the second factor although wrong ones were sent elsewhere', async () => {
    const user = await create()
    const app = await enableSecondFactor(server, user)
    const prove = (from: TestClient, code: string) => from.post('/api/auth/callback/second-factor', { code })
    const first = browserAt(CLINIC)
    await first.signIn(user.email)
    expect(first.cookies.has(DEVICE_COOKIE)).toBe(false)
    expect(succeeded(await prove(first, app.nextCode()))).toBe(true)
    const device = first.cookies.get(DEVICE_COOKIE)!

    const attacker = browserAt(ATTACKER)
    await attacker.signIn(user.email)
    for (let n = 0; n < 6; n += 1) await prove(attacker, '000000')
    const [unknown, known] = [browserAt(CLINIC), browserAt(CLINIC, device)]
    await unknown.signIn(user.email)
    await known.signIn(user.email)
    const code = app.nextCode()
    expect(succeeded(await prove(unknown, code))).toBe(false)
    expect(succeeded(await prove(known, code))).toBe(true)
  })

  it('is limited by its own wrong passwords, which do not count for other browsers', async () => {
    const { email } = await create()
    const device = await becomeKnown(email)
    const browser = browserAt(CLINIC, device)
    await fail(browser, email, 5)
    const early = await browser.signIn(email)
    expect(early.url.search).toBe('?error=CredentialsSignin&code=credentials')
    expect(succeeded(await browserAt(CLINIC).signIn(email))).toBe(true)
    pass(1)
    expect(succeeded(await browser.signIn(email))).toBe(true)
  })

  it('does not wait after a new password was set there by a link', async () => {
    const user = await create()
    const browser = browserAt(CLINIC, await becomeKnown(user.email))
    await fail(browser, user.email, 6)
    expect(succeeded(await browser.signIn(user.email))).toBe(false)
    const token = await makeAccountLink(server.db, { user_id: user.id, purpose: 'reset' })
    const password = 'un drum lung spre casă'
    await browser.post('/api/auth/callback/link', { token, password })
    expect(succeeded(await browser.signIn(user.email, password))).toBe(true)
  })

  it('counts as unknown after a hundred wrong passwords in a row, without a mail that all is blocked', async () => {
    const user = await create()
    const device = await becomeKnown(user.email)
    const browser = browserAt(CLINIC, device)
    await fail(browser, user.email, 1)
    await setCounts('account', 99)
    pass(900)
    await fail(browser, user.email, 1)
    expect(await readMails(user.id)).toEqual([])
    // The counters of unknown browsers are still unused, and count from now on.
    await fail(browser, user.email, 5)
    expect(succeeded(await browser.signIn(user.email))).toBe(false)
    expect(succeeded(await browserAt(ATTACKER).signIn(user.email))).toBe(false)
  })

  it('cannot be slowed down by guesses over all its accounts beyond the limit of a network', async () => {
    const { email } = await create()
    const device = await becomeKnown(email)
    await fail(browserAt(CLINIC, device), email, 1)
    await setCounts('network', 100)
    expect(succeeded(await browserAt(CLINIC, device).signIn(email))).toBe(false)
    expect(succeeded(await browserAt(ATTACKER).signIn(email))).toBe(true)
  })

  it('stays known after signing out, on every server, and by a one-time link as well', async () => {
    const user = await create()
    const browser = browserAt(CLINIC)
    const token = await makeAccountLink(server.db, { user_id: user.id, purpose: 'reset' })
    await browser.post('/api/auth/callback/link', { token, password: TEST_PASSWORD })
    await browser.post('/api/auth/signout')
    await makeWait(user.email)
    const other = browserAt(CLINIC, browser.cookies.get(DEVICE_COOKIE), createApp({ ...server.services }))
    expect(succeeded(await other.signIn(user.email))).toBe(true)
  })

  it('is known for the last twenty accounts that have signed in there', async () => {
    const first = await create()
    let device = await becomeKnown(first.email)
    const second = await create()
    device = await becomeKnown(second.email, CLINIC, device)
    for (const { email } of [first, second]) await makeWait(email)
    for (const { email } of [first, second])
      expect(succeeded(await browserAt(CLINIC, device).signIn(email))).toBe(true)

    for (let n = 0; n < 19; n += 1) device = await becomeKnown((await create()).email, CLINIC, device)
    await server.db.deleteFrom('sign_in_throttle').execute()
    await makeWait(first.email)
    expect(succeeded(await browserAt(CLINIC, device).signIn(first.email))).toBe(false)
    expect(device.length).toBeLessThan(2_000)
  })
})

describe('a device cookie', () => {
  /** The cookie of another account, with this account in the claims and the old signature. */
  async function addAccount(_device: string, userId: string) {
    const [head, claims, signature] = (await becomeKnown((await create()).email)).split('.')
    const read = JSON.parse(Buffer.from(claims!, 'base64url').toString())
    const forged = JSON.stringify({ ...read, accounts: [...read.accounts, userId] })
    return [head, Buffer.from(forged).toString('base64url'), signature].join('.')
  }
  /** Signs claims like those of a real device cookie, with what a test changes. */
  async function sign(device: string, key: Uint8Array, over: { accounts?: string[]; aud?: string } = {}) {
    const { payload } = await jwtVerify(device, deriveKey(server.services.config.secret, 'device-cookie'), {
      currentDate: new Date(),
    })
    return new SignJWT({ ...payload, ...over }).setProtectedHeader({ alg: 'HS256' }).sign(key)
  }
  const ownKey = () => deriveKey(server.services.config.secret, 'device-cookie')

  it.each<[string, (device: string, userId: string) => Promise<string> | string]>([
    // Of the last character only the upper four bits are part of the signature.
    ['changed', (device) => device.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))],
    ['without a signature', (device) => device.replace(/[^.]+$/, '')],
    ['signed with another key', (device) => sign(device, new Uint8Array(32).fill(7))],
    ['signed for another purpose', (device) => sign(device, ownKey(), { aud: 'graphql' })],
    ['that is no token', () => 'x'],
    ['of 8 KiB', () => 'x'.repeat(8_192)],
    ['of another account', async () => becomeKnown((await create()).email)],
    ['twice in one', (device) => `${device}.${device}`],
    ['of another account, with this one added', addAccount],
  ])('%s gives no counters of its own', async (_what, alter) => {
    const { id, email } = await create()
    const altered = await alter(await becomeKnown(email), id)
    await makeWait(email)
    expect(succeeded(await browserAt(CLINIC, altered).signIn(email))).toBe(false)
  })

  it('is valid for a year from the last sign-in', async () => {
    const { email } = await create()
    const first = await becomeKnown(email)
    pass(364 * 24 * 60 * 60)
    const renewed = await becomeKnown(email, CLINIC, first)
    pass(2 * 24 * 60 * 60)
    await makeWait(email)
    expect(succeeded(await browserAt(CLINIC, first).signIn(email))).toBe(false)
    expect(succeeded(await browserAt(CLINIC, renewed).signIn(email))).toBe(true)
  })

  it('is neither set by nor visible in a failed sign-in, so it reveals no account', async () => {
    const [known, other] = [await create(), await create()]
    const device = await becomeKnown(known.email)
    const responses = new Set<string>()
    for (const address of [known.email, other.email, 'nimeni@clinica.test']) {
      const { response, cookies } = await browserAt(CLINIC, device).signIn(address, 'greșită')
      expect(cookies.join()).not.toContain(DEVICE_COOKIE)
      responses.add(JSON.stringify([response.status, [...response.headers], await response.text()]))
    }
    expect(responses.size).toBe(1)
  })

  it('is no proof of identity: it opens no session and is read by no other route', async () => {
    const { email } = await create()
    const browser = browserAt(CLINIC, await becomeKnown(email))
    expect(await browser.json('/api/auth/session')).toBeNull()
    expect((await browser.json('/api/token')).id_token).toBeNull()
    const { url } = await browser.post('/api/auth/callback/second-factor', { code: '123456' })
    expect(url.searchParams.get('code')).toBe('second-factor-expired')
  })

  it('contains no address and no name', async () => {
    const { email } = await create()
    const [, claims] = (await becomeKnown(email)).split('.')
    expect(Buffer.from(claims!, 'base64url').toString()).not.toMatch(/clinica|@|name/)
  })
})
