import { describe, expect, it, onTestFinished, vi } from 'vitest'

type Responses = Record<string, () => Response | Promise<Response>>

const ANA = { id: 'ana', name: 'Ana Ionescu', email: 'ana@clinica.test', role: 'staff', features: [] }
const DAN = { ...ANA, id: 'dan', name: 'Dan Popa', email: 'dan@clinica.test' }
const json = (body: unknown, status = 200) => Response.json(body, { status })

/**
 * Imports a new copy of the session module, in a page whose server sends these responses; `requested` lists
 * the calls.
 */
async function openPage(responses: Responses, search = '') {
  vi.resetModules()
  const requested: string[] = []
  const bodies: unknown[] = []
  const assign = vi.fn()
  const reload = vi.fn()
  vi.stubGlobal('location', { origin: 'https://dosar.test', pathname: '/patients', search, assign, reload })
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    requested.push(`${init?.method ?? 'GET'} ${path}`)
    if (init?.body) bodies.push(Object.fromEntries(init.body as URLSearchParams))
    const response = responses[path.split('?')[0]!]
    if (!response) throw new TypeError('Failed to fetch')
    return response()
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const session = await import('./session.ts')
  const statuses: string[] = []
  session.subscribeSession(() => statuses.push(session.getSession().status))
  return { session, requested, bodies, statuses, assign, reload, responses }
}

const SESSION = '/api/auth/session'
const CSRF = '/api/auth/csrf'
const OUT = '/api/auth/signout'
const signedIn = (user = ANA): Responses => ({
  [SESSION]: () => json({ user }),
  [CSRF]: () => json({ csrfToken: 'c5f' }),
  [OUT]: () => json({ url: 'https://dosar.test/signout' }),
})

describe('the status of the session', () => {
  it('is loading until the server names the signed-in user or null [3.1]', async () => {
    const { session, responses, statuses } = await openPage(signedIn())
    expect(session.getSession()).toEqual({ status: 'loading', user: null })
    await session.loadSession()
    expect(session.getSession()).toEqual({ status: 'authenticated', user: ANA })
    responses[SESSION] = () => json(null)
    await session.loadSession()
    expect(session.getSession()).toEqual({ status: 'unauthenticated', user: null })
    expect(statuses).toEqual(['authenticated', 'unauthenticated'])
  })

  it('is that which the page asked for before its scripts, once', async () => {
    const { session, requested, responses } = await openPage(signedIn())
    vi.stubGlobal(
      'earlyResponses',
      new Map([[`${SESSION}?callbackUrl=%2Fpatients`, Promise.resolve(json({ user: ANA }))]]),
    )
    expect((await session.loadSession()).user).toEqual(ANA)
    expect(requested).toEqual([])
    responses[SESSION] = () => json(null)
    expect((await session.loadSession()).status).toBe('unauthenticated')
  })

  it('is requested again if what the page asked for has failed', async () => {
    const { session, requested } = await openPage(signedIn())
    const path = `${SESSION}?callbackUrl=%2Fpatients`
    const early = new Map([[path, Promise.resolve(json({}, 503))]])
    vi.stubGlobal('earlyResponses', early)
    expect((await session.loadSession()).user).toEqual(ANA)
    expect(requested).toHaveLength(1)
  })

  it('is requested with the path of the page, once for simultaneous calls [7.3]', async () => {
    const { session, requested } = await openPage(signedIn())
    const states = await Promise.all([session.loadSession(), session.loadSession(), session.loadSession()])
    expect(new Set(states).size).toBe(1)
    expect(requested).toEqual(['GET /api/auth/session?callbackUrl=%2Fpatients'])
  })

  it('requests why the organisation ended the session, and only then deletes the cookie', async () => {
    const { session, requested, responses } = await openPage(signedIn())
    await session.loadSession()
    responses['/api/auth/end'] = () => json({ reason: 'suspended' })
    session.forgetSession()
    expect(session.getSession().status).toBe('unauthenticated')
    await vi.waitFor(() => expect(requested).toContain(`POST ${OUT}`))
    expect(session.getSessionEnd()).toBe('suspended')
    expect(requested.slice(1)).toEqual(['GET /api/auth/end', `GET ${CSRF}`, `POST ${OUT}`])
  })

  it('does not change if the server cannot be reached or does not say [3.1]', async () => {
    const failures: Responses[string][] = [
      () => Promise.reject(new TypeError('Failed to fetch')),
      () => json({ code: 'UNAVAILABLE' }, 503),
      () => json({}, 500),
      () => new Response('<h1>Bad Gateway</h1>'),
      () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
      () => new Response('', { status: 504 }),
    ]
    for (const before of ['loading', 'authenticated'] as const) {
      const { session, responses, statuses } = await openPage(signedIn())
      if (before === 'authenticated') await session.loadSession()
      statuses.length = 0
      for (const failure of failures) {
        responses[SESSION] = failure
        await expect(session.loadSession()).rejects.toThrow()
        await session.refreshSession().catch(() => undefined)
        expect(session.getSession().status).toBe(before)
      }
      expect(statuses).toEqual([])
    }
  })

  it('is unauthenticated after a 401 of a gateway [4.3]', async () => {
    const { session } = await openPage({ [SESSION]: () => new Response('<h1>Sign in</h1>', { status: 401 }) })
    expect((await session.loadSession()).status).toBe('unauthenticated')
  })

  it('changes at a refresh only if the rights of the user have changed [4.4]', async () => {
    const { session, responses, statuses, reload } = await openPage(signedIn())
    await session.loadSession()
    await session.refreshSession()
    expect(statuses).toEqual(['authenticated'])
    responses[SESSION] = () => json({ user: { ...ANA, features: ['patient::files'] } })
    await session.refreshSession()
    expect(statuses).toEqual(['authenticated', 'authenticated'])
    expect(session.getVisitor()?.features).toEqual(new Set(['patient::files']))
    expect(reload).not.toHaveBeenCalled()
  })
})

it('onPersonChange reports sign-in, sign-out and another user, but not changed rights', async () => {
  const { session, responses } = await openPage(signedIn())
  await session.loadSession()
  const { onPersonChange } = await import('./person-change.ts')
  const here: (string | undefined)[] = []
  onPersonChange(() => here.push(session.getSession().user?.id))
  responses[SESSION] = () => json({ user: { ...ANA, role: 'admin' } })
  await session.refreshSession()
  expect(here).toEqual([])
  session.dropSession()
  responses[SESSION] = () => json({ user: DAN })
  responses['/api/auth/callback/local'] = () => json({ url: 'https://dosar.test/' })
  await session.signIn('local', {})
  expect(here).toEqual([undefined, 'dan'])
})

it('onInstitutionsChange reports other institutions of the same user, regardless of their order', async () => {
  const sessionWith = (institutions: string[]) => () => json({ user: { ...ANA, institutions } })
  const { session, responses } = await openPage({ ...signedIn(), [SESSION]: sessionWith(['a', 'b']) })
  await session.loadSession()
  const { onInstitutionsChange } = await import('./person-change.ts')
  const reported: unknown[] = []
  onInstitutionsChange(() => reported.push(session.getSession().user?.institutions))
  for (const institutions of [['b', 'a'], ['b'], ['b'], ['b', 'c']]) {
    responses[SESSION] = sessionWith(institutions)
    await session.refreshSession()
  }
  expect(reported).toEqual([['b'], ['b', 'c']])
  session.dropSession()
  expect(reported).toHaveLength(2)
})

describe('a refresh that returns another user', () => {
  it('clears the session and reloads the page [4.4]', async () => {
    const { session, responses, statuses, reload } = await openPage(signedIn())
    await session.loadSession()
    responses[SESSION] = () => json({ user: DAN })
    await session.refreshSession()
    expect(statuses).toEqual(['authenticated', 'loading'])
    expect(reload).toHaveBeenCalledOnce()
  })

  it('reloads the sign-in page too, which then redirects [4.4]', async () => {
    const { session, responses, reload } = await openPage({ [SESSION]: () => json(null) })
    await session.loadSession()
    responses[SESSION] = () => json({ user: DAN })
    session.onSessionMessage('changed')
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
  })
})

describe('a late response about another user', () => {
  it('does not sign in a user who has signed out', async () => {
    const { session, responses, statuses } = await openPage(signedIn())
    await session.loadSession()
    let response = (_: Response) => {}
    responses[SESSION] = () => new Promise((resolve) => (response = resolve))
    const lateRefresh = session.refreshSession()
    await session.signOut()
    response(json({ user: ANA }))
    await lateRefresh
    expect(session.getSession().status).toBe('unauthenticated')
    expect(statuses).toEqual(['authenticated', 'unauthenticated'])
  })

  it('does not sign out a user who has signed in since', async () => {
    const { session, responses, reload } = await openPage({ ...signedIn(), [SESSION]: () => json(null) })
    await session.loadSession()
    let response = (_: Response) => {}
    responses[SESSION] = () => new Promise((resolve) => (response = resolve))
    const lateRefresh = session.refreshSession()
    responses[SESSION] = () => json({ user: ANA })
    responses['/api/auth/callback/local'] = () => json({ url: 'https://dosar.test/' })
    expect(await session.signIn('local', {})).toBeNull()
    response(json(null))
    await lateRefresh
    expect(session.getSession().user).toEqual(ANA)
    expect(reload).not.toHaveBeenCalled()
  })

  it('is requested again on a page whose session is still loading', async () => {
    const { session, responses, requested } = await openPage(signedIn())
    let response = (_: Response) => {}
    responses[SESSION] = () => new Promise((resolve) => (response = resolve))
    const first = session.loadSession()
    session.onSessionMessage('changed')
    responses[SESSION] = () => json({ user: DAN })
    response(json({ user: ANA }))
    expect(await first).toEqual({ status: 'authenticated', user: DAN })
    expect(requested).toHaveLength(2)
  })
})

describe('signing in', () => {
  it.each([
    ['', '/uploads'],
    ['?error=SessionRequired&callbackUrl=%2Flogs%3Faction%3Da', '/logs?action=a'],
    ['?callbackUrl=https%3A%2F%2Fevil.example', '/uploads'],
  ])(
    'sends csrfToken, callbackUrl, json and the fields; from the address /%s [7.4]',
    async (search, callbackUrl) => {
      const { session, responses, bodies } = await openPage(signedIn(), search)
      responses['/api/auth/callback/local'] = () => json({ url: 'https://dosar.test/' })
      await session.signIn('local', { email: 'ana@clinica.test', password: 'x' })
      const fields = { email: 'ana@clinica.test', password: 'x' }
      expect(bodies).toEqual([{ ...fields, callbackUrl, csrfToken: 'c5f', json: 'true' }])
    },
  )

  it('returns the error and the code of the server [8.2]', async () => {
    const codes = ['second-factor', 'second-factor-setup', 'second-factor-wrong', 'second-factor-expired']
    for (const code of [...codes, null]) {
      const { session, responses } = await openPage({ ...signedIn(), [SESSION]: () => json(null) })
      await session.loadSession()
      const query = `error=CredentialsSignin${code ? `&code=${code}` : ''}`
      responses['/api/auth/callback/second-factor'] = () => json({ url: `https://dosar.test/?${query}` })
      const rejection = await session.signIn('second-factor', { code: '123456' })
      expect(rejection).toEqual({ error: 'CredentialsSignin', code })
      expect(session.getSession().status).toBe('unauthenticated')
    }
  })

  it('is rejected if the browser stores no cookie [8.2]', async () => {
    const { session, responses } = await openPage({ ...signedIn(), [SESSION]: () => json(null) })
    responses['/api/auth/callback/local'] = () => json({ url: 'https://dosar.test/' })
    expect(await session.signIn('local', {})).toEqual({ error: 'Configuration', code: null })
  })
})

describe('signing out', () => {
  it('without a CSRF token throws an error with status 400 and changes nothing [8.1]', async () => {
    const csrfResponses: Responses[string][] = [
      () => json({}),
      () => json({ csrfToken: '' }),
      () => json({}, 503),
      () => Promise.reject(new TypeError('Failed to fetch')),
    ]
    for (const response of csrfResponses) {
      const { session, responses, requested } = await openPage(signedIn())
      await session.loadSession()
      responses[CSRF] = response
      await expect(session.signOut()).rejects.toMatchObject({
        status: 400,
        message: 'Could not fetch CSRF Token for signing out',
      })
      expect(session.getSession().user).toEqual(ANA)
      expect(requested).not.toContain(`POST ${OUT}`)
    }
  })

  it('keeps the user signed in if the server has not signed the user out [7.5]', async () => {
    const signOutResponses: Responses[string][] = [
      () => json({ url: 'https://dosar.test/?error=MissingCSRF' }),
      () => json({ code: 'UNAVAILABLE' }, 503),
      () => Promise.reject(new TypeError('Failed to fetch')),
    ]
    for (const response of signOutResponses) {
      const { session, responses } = await openPage(signedIn())
      await session.loadSession()
      responses[OUT] = response
      await expect(session.signOut()).rejects.toThrow()
      expect(session.getSession().user).toEqual(ANA)
      responses[OUT] = () => json({ url: 'https://dosar.test/signout' })
      await session.signOut()
      expect(session.getSession().status).toBe('unauthenticated')
    }
  })

  it('happens once after several 401s, and also ends the session on the server [4.3]', async () => {
    const { session, requested, statuses } = await openPage(signedIn())
    await session.loadSession()
    session.forgetSession()
    expect(session.getSession().status).toBe('unauthenticated')
    session.forgetSession()
    await vi.waitFor(() => expect(requested).toContain(`POST ${OUT}`))
    expect(statuses).toEqual(['authenticated', 'unauthenticated'])
    expect(requested.filter((call) => call.startsWith('POST'))).toHaveLength(1)
  })

  it('is finished before the next sign-in begins, because its response deletes a cookie [4.3]', async () => {
    const { session, requested, responses } = await openPage(signedIn())
    await session.loadSession()
    let response = (_: Response) => {}
    responses[OUT] = () => new Promise((resolve) => (response = resolve))
    responses['/api/auth/callback/local'] = () => json({ url: 'https://dosar.test/' })
    session.forgetSession()
    await vi.waitFor(() => expect(requested.at(-1)).toBe(`POST ${OUT}`))
    const entered = session.signIn('local', {})
    await new Promise(setImmediate)
    expect(requested.at(-1)).toBe(`POST ${OUT}`)
    response(json({ url: 'https://dosar.test/signout' }))
    expect(await entered).toBeNull()
  })
})

describe('sign-in with an external provider', () => {
  const START = '/api/auth/signin/oidc'
  const open = async (url: string) => {
    const page = await openPage({ ...signedIn(), [SESSION]: () => json(null), [START]: () => json({ url }) })
    const { startProviderSignIn } = await import('./provider-sign-in.ts')
    return { ...page, startProviderSignIn }
  }

  it('redirects the browser and rejects if the browser is still here after 60 s [9.3] [2.20]', async () => {
    const { startProviderSignIn, assign } = await open('https://id.clinica.test/authorize?client_id=dosar')
    vi.useFakeTimers()
    const outcome = vi.fn()
    startProviderSignIn('oidc', '/logs').then(outcome, outcome)
    await vi.advanceTimersByTimeAsync(59_999)
    expect(String(assign.mock.calls)).toBe('https://id.clinica.test/authorize?client_id=dosar')
    expect(outcome).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(outcome.mock.calls[0]![0]).toEqual(new Error('oidc: the browser has not left'))
  })

  it('does not redirect if the server rejects the request [2.20]', async () => {
    const { startProviderSignIn, assign } = await open('https://dosar.test/?error=Configuration')
    await expect(startProviderSignIn('oidc', '/logs')).rejects.toThrow('oidc: Configuration')
    expect(assign).not.toHaveBeenCalled()
  })
})
