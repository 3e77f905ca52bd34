import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

const NOON = Date.parse('2026-03-02T12:00:00Z')
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const ANA = { id: 'ana', name: 'Ana Ionescu', email: 'ana@clinica.test', role: 'staff', features: [] }

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const idToken = (sub: string, exp: number, mark = '') =>
  `${encode({})}.${encode({ sub, exp, mark })}.signature`

/**
 * Starts a server with a clock of its own and one session, and a page whose clock is off by `skew`
 * milliseconds. `pass` advances both clocks.
 */
async function openPage({ skew = 0, cookie = '' } = {}) {
  vi.useFakeTimers({ now: NOON + skew, toFake: ['Date', 'performance'] })
  vi.resetModules()
  const server = {
    now: NOON,
    user: ANA as typeof ANA | null,
    isAway: false,
    lifetime: 15 * MINUTE,
    /** Called once, between the head and the body of a response. */
    beforeBody: () => {},
    requested: [] as string[],
    sent: 0,
  }
  const response = (body: unknown) =>
    Response.json(body, { headers: { date: new Date(server.now).toUTCString() } })
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    const path = address.split('?')[0]!
    server.requested.push(`${init?.method ?? 'GET'} ${path}`)
    if (server.isAway) throw new TypeError('Failed to fetch')
    if (path === '/api/auth/session') return response(server.user && { user: server.user })
    if (path === '/api/auth/csrf') return response({ csrfToken: 'c5f' })
    if (path === '/api/auth/signout') return response({ url: 'https://dosar.test/signout' })
    if (!server.user) return response({ expires_at: null, id_token: null })
    const expires_at = Math.floor((server.now + server.lifetime) / 1000)
    server.sent += 1
    const token = response({ expires_at, id_token: idToken(server.user.id, expires_at, String(server.sent)) })
    const { beforeBody } = server
    server.beforeBody = () => {}
    const body = new ReadableStream({
      pull: async (controller) => {
        // Later than the head.
        await setImmediate()
        beforeBody()
        controller.enqueue(await token.bytes())
        controller.close()
      },
    })
    return new Response(body, token)
  })
  const page = { cookie, reload: vi.fn() }
  vi.stubGlobal('document', page)
  vi.stubGlobal('location', { origin: 'https://dosar.test', pathname: '/', reload: page.reload })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
  const session = await import('../session.ts')
  const { getIdToken } = await import('./token.ts')
  await session.loadSession()
  server.requested.length = 0
  return {
    server,
    session,
    page,
    getIdToken,
    tokenCalls: () => server.requested.filter((call) => call === 'GET /api/token').length,
    status: () => session.getSession().status,
    pass: (ms: number) => {
      server.now += ms
      vi.advanceTimersByTime(ms)
    },
  }
}

describe('getIdToken', () => {
  it('is that which the page asked for before its scripts, once, and not after another sign-in', async () => {
    const { session, getIdToken, tokenCalls } = await openPage()
    const early = idToken('ana', NOON / 1000 + 900, 'early')
    const asked = () =>
      new Map([
        ['/api/token', Promise.resolve(Response.json({ id_token: early, expires_at: NOON / 1000 + 900 }))],
      ])
    vi.stubGlobal('earlyResponses', asked())
    expect([await getIdToken(), await getIdToken(), tokenCalls()]).toEqual([early, early, 0])
    vi.stubGlobal('earlyResponses', asked())
    session.invalidateSession()
    expect(await getIdToken()).not.toBe(early)
    expect(tokenCalls()).toBe(1)
  })

  it('fetches the token once for simultaneous calls, and reuses it while it is valid [4.2]', async () => {
    const { getIdToken, tokenCalls, pass } = await openPage()
    const [first, second] = await Promise.all([getIdToken(), getIdToken()])
    expect(first).toBe(second)
    pass(13 * MINUTE)
    expect(await getIdToken()).toBe(first)
    expect(tokenCalls()).toBe(1)
  })

  it('renews the token a minute before its expiry, so that the user stays signed in [4.2]', async () => {
    const { getIdToken, tokenCalls, status, pass } = await openPage()
    const first = await getIdToken()
    pass(14 * MINUTE)
    const second = await getIdToken()
    expect(second).not.toBe(first)
    for (let minute = 0; minute < 240; minute += 1) {
      pass(MINUTE)
      await getIdToken()
    }
    expect(status()).toBe('authenticated')
    expect(tokenCalls()).toBe(2 + Math.floor(240 / 14))
  })

  it('replaces an expired token without a sign-out while the session lives [4.2] [8.6]', async () => {
    const { server, getIdToken, status, pass } = await openPage()
    const first = await getIdToken()
    pass(15 * MINUTE)
    const second = await getIdToken()
    expect(second).not.toBe(first)
    // A laptop that slept: one of its clocks did not advance.
    server.now += 10 * 60 * MINUTE
    vi.setSystemTime(Date.now() + 10 * 60 * MINUTE)
    expect(await getIdToken()).not.toBe(second)
    expect(status()).toBe('authenticated')
  })

  it('signs out if the token has expired and the session has ended [4.2] [8.6]', async () => {
    const { server, getIdToken, status, pass } = await openPage()
    expect(await getIdToken()).not.toBeNull()
    server.user = null
    pass(15 * MINUTE)
    expect(await getIdToken()).toBeNull()
    expect(status()).toBe('unauthenticated')
  })

  it('signs out if a new token is already expired, without endless requests [4.2] [8.6]', async () => {
    for (const lifetime of [0, -1000, -DAY]) {
      const { server, getIdToken, status, tokenCalls } = await openPage()
      server.lifetime = lifetime
      expect([lifetime, await getIdToken(), status()]).toEqual([lifetime, null, 'unauthenticated'])
      expect(await getIdToken()).toBeNull()
      expect(tokenCalls()).toBe(1)
    }
  })

  it('requests a token again if it expired while the computer slept before reading it [4.2]', async () => {
    const { server, getIdToken, status, tokenCalls, pass } = await openPage()
    server.beforeBody = () => pass(20 * MINUTE)
    expect(await getIdToken()).not.toBeNull()
    expect(status()).toBe('authenticated')
    expect(tokenCalls()).toBe(2)
  })

  it('compares the expiry by the second: a token is valid if it expires later than now [4.2]', async () => {
    const { server, getIdToken, status } = await openPage()
    server.lifetime = 1000
    expect(await getIdToken()).not.toBeNull()
    expect(status()).toBe('authenticated')
  })

  it('uses the token until its expiry while the server cannot be reached, then rejects without a sign-out', async () => {
    const { server, getIdToken, status, pass } = await openPage()
    const first = await getIdToken()
    server.isAway = true
    pass(15 * MINUTE - 1000)
    expect(await getIdToken()).toBe(first)
    pass(1000)
    await expect(getIdToken()).rejects.toThrow('Failed to fetch')
    expect(status()).toBe('authenticated')
    server.isAway = false
    expect(await getIdToken()).not.toBe(first)
  })

  it('renews the token with the session only if it is near its expiry [4.4]', async () => {
    const { session, server, getIdToken, pass } = await openPage()
    await session.refreshSession()
    expect(server.requested.splice(0)).toEqual(['GET /api/auth/session'])
    await getIdToken()
    await Promise.all([session.refreshSession(), session.refreshSession()])
    expect(server.requested.splice(0)).toEqual(['GET /api/token', 'GET /api/auth/session'])
    pass(14 * MINUTE)
    await Promise.all([session.refreshSession(), session.refreshSession(), getIdToken()])
    expect(server.requested).toHaveLength(2)
    expect(new Set(server.requested)).toEqual(new Set(['GET /api/auth/session', 'GET /api/token']))
  })
})

describe("a browser's clock", () => {
  for (const skew of [-DAY, -10 * MINUTE, 10 * MINUTE, DAY, 365 * DAY]) {
    it(`that is ${skew / MINUTE} minutes off changes nothing [4.2]`, async () => {
      const { getIdToken, tokenCalls, status, pass } = await openPage({ skew })
      for (let minute = 0; minute <= 60; minute += 1) {
        expect(await getIdToken()).not.toBeNull()
        pass(MINUTE)
      }
      expect(status()).toBe('authenticated')
      expect(tokenCalls()).toBe(1 + Math.floor(60 / 14))
    })
  }

  it('that is changed meanwhile neither makes an expired token valid nor signs the user out [4.2]', async () => {
    for (const jump of [-DAY, -10 * MINUTE, 10 * MINUTE, DAY]) {
      const { getIdToken, status, pass, tokenCalls } = await openPage()
      const first = await getIdToken()
      vi.setSystemTime(Date.now() + jump)
      pass(15 * MINUTE)
      const second = await getIdToken()
      expect([jump, second === first, status()]).toEqual([jump, false, 'authenticated'])
      await getIdToken()
      expect(tokenCalls()).toBe(2)
    }
  })
})

describe('the cookie of the token', () => {
  const cookieOf = (sub: string) => `x=1; apollo:default.token=${idToken(sub, NOON / 1000 + 900)}`

  it('saves the next page a request [9.5]', async () => {
    const { getIdToken, tokenCalls } = await openPage({ cookie: cookieOf('ana') })
    expect(await getIdToken()).toBe(idToken('ana', NOON / 1000 + 900))
    expect(tokenCalls()).toBe(0)
  })

  it('is compared with the clock of the server [9.5]', async () => {
    for (const skew of [-DAY, DAY]) {
      const { getIdToken, tokenCalls } = await openPage({ skew, cookie: cookieOf('ana') })
      await getIdToken()
      expect(tokenCalls()).toBe(0)
    }
    const ended = `apollo:default.token=${idToken('ana', NOON / 1000)}`
    const { tokenCalls, getIdToken } = await openPage({ skew: -DAY, cookie: ended })
    await getIdToken()
    expect(tokenCalls()).toBe(1)
  })

  it('is not used if it belongs to another user or cannot be parsed [9.5]', async () => {
    const invalidTokens = ['', 'a.b.c', '..', `${encode({})}.${encode(null)}.x`, encode({ sub: 'ana' })]
    for (const cookie of [
      cookieOf('dan'),
      ...invalidTokens.map((token) => `apollo:default.token=${token}`),
    ]) {
      const { getIdToken, tokenCalls } = await openPage({ cookie })
      expect(await getIdToken()).toBe(idToken('ana', NOON / 1000 + 900, '1'))
      expect(tokenCalls()).toBe(1)
    }
  })

  it('is deleted without a session and at sign-out [9.5]', async () => {
    const { session, page, getIdToken } = await openPage()
    await getIdToken()
    expect(page.cookie).toMatch(/^apollo:default\.token=\S+; Path=\/; Max-Age=900; Secure; SameSite=Strict$/)
    await session.signOut()
    expect(page.cookie).toMatch(/^apollo:default\.token=; Path=\/; Max-Age=0/)
  })
})

describe('a token', () => {
  it('of another user is not sent for this user: the page is reloaded [4.4]', async () => {
    const { server, getIdToken, page, tokenCalls } = await openPage()
    server.user = { ...ANA, id: 'dan' }
    await expect(getIdToken()).rejects.toThrow('another user has signed in')
    expect(page.reload).toHaveBeenCalledOnce()
    expect(tokenCalls()).toBe(1)
  })

  it('that was requested before a sign-out is not used after it', async () => {
    const { session, getIdToken } = await openPage()
    const lateToken = getIdToken()
    session.dropSession()
    expect(await lateToken).toBeNull()
  })

  it('of the previous session is not sent in the next session of the same user', async () => {
    const { session, getIdToken, page, tokenCalls } = await openPage()
    const first = await getIdToken()
    page.cookie = ''
    session.onSessionMessage('changed')
    expect(await getIdToken()).not.toBe(first)
    expect(tokenCalls()).toBe(2)
  })

  it('is not requested when signed out', async () => {
    const { session, server, getIdToken } = await openPage()
    session.dropSession()
    expect(await getIdToken()).toBeNull()
    expect(server.requested).toEqual([])
  })
})
