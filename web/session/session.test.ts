import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

type Answers = Record<string, () => Response | Promise<Response>>

const ANA = { id: 'ana', name: 'Ana Ionescu', email: 'ana@clinica.test', role: 'staff', features: [] }
const DAN = { ...ANA, id: 'dan', name: 'Dan Popa', email: 'dan@clinica.test' }
const json = (body: unknown, status = 200) => Response.json(body, { status })

/** The page's session module afresh, in a page whose server answers as told; `asked` are the calls it was asked. */
async function openPage(responses: Answers) {
  vi.resetModules()
  const requested: string[] = []
  const assign = vi.fn()
  const reload = vi.fn()
  vi.stubGlobal('location', { origin: 'https://dosar.test', pathname: '/patients', assign, reload })
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    requested.push(`${init?.method ?? 'GET'} ${path}`)
    const response = responses[path.split('?')[0]!]
    if (!response) throw new TypeError('Failed to fetch')
    return response()
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const session = await import('./session.ts')
  const seen: string[] = []
  session.subscribeSession(() => seen.push(session.getSession().status))
  return { session, asked: requested, seen, assign, reload, answers: responses }
}

const SESSION = '/api/auth/session'
const CSRF = '/api/auth/csrf'
const OUT = '/api/auth/signout'
const signedIn = (user = ANA): Answers => ({
  [SESSION]: () => json({ user }),
  [CSRF]: () => json({ csrfToken: 'c5f' }),
  [OUT]: () => json({ url: 'https://dosar.test/signout' }),
})

beforeEach(() => void vi.useRealTimers())

describe('the status', () => {
  it('is loading, until the server says who is there, or that nobody is [3.1]', async () => {
    const { session, answers: responses, seen } = await openPage(signedIn())
    expect(session.getSession()).toEqual({ status: 'loading', user: null })
    await session.loadSession()
    expect(session.getSession()).toEqual({ status: 'authenticated', user: ANA })
    responses[SESSION] = () => json(null)
    await session.loadSession()
    expect(session.getSession()).toEqual({ status: 'unauthenticated', user: null })
    expect(seen).toEqual(['authenticated', 'unauthenticated'])
  })

  it('is asked for with the path of the page, once for everybody who asks at a time [7.3]', async () => {
    const { session, asked: requested } = await openPage(signedIn())
    const states = await Promise.all([session.loadSession(), session.loadSession(), session.loadSession()])
    expect(new Set(states).size).toBe(1)
    expect(requested).toEqual(['GET /api/auth/session?callbackUrl=%2Fpatients'])
  })

  it('asks why the organisation ended the session, and only then lets go of the cookie', async () => {
    const { session, asked: requested, answers: responses } = await openPage(signedIn())
    await session.loadSession()
    responses['/api/auth/end'] = () => json({ reason: 'suspended' })
    session.forgetSession()
    expect(session.getSession().status).toBe('unauthenticated')
    await vi.waitFor(() => expect(requested).toContain(`POST ${OUT}`))
    expect(session.getSessionEnd()).toBe('suspended')
    expect(requested.slice(1)).toEqual(['GET /api/auth/end', `GET ${CSRF}`, `POST ${OUT}`])
  })

  it('stays what it was where the server is away or does not say [3.1]', async () => {
    const faults: Answers[string][] = [
      () => Promise.reject(new TypeError('Failed to fetch')),
      () => json({ code: 'UNAVAILABLE' }, 503),
      () => json({}, 500),
      () => new Response('<h1>Bad Gateway</h1>'),
    ]
    for (const before of ['loading', 'authenticated'] as const) {
      const { session, answers: responses, seen } = await openPage(signedIn())
      if (before === 'authenticated') await session.loadSession()
      seen.length = 0
      for (const fault of faults) {
        responses[SESSION] = fault
        await expect(session.loadSession()).rejects.toThrow()
        await session.refreshSession().catch(() => undefined)
        expect(session.getSession().status).toBe(before)
      }
      expect(seen).toEqual([])
    }
  })

  it('is unauthenticated where a gateway answers 401 for the server [4.3]', async () => {
    const { session } = await openPage({ [SESSION]: () => json({}, 401) })
    expect((await session.loadSession()).status).toBe('unauthenticated')
  })

  it('changes for nobody where a refresh finds the same person, and for all where it finds other rights [4.4]', async () => {
    const { session, answers: responses, seen, reload } = await openPage(signedIn())
    await session.loadSession()
    await session.refreshSession()
    expect(seen).toEqual(['authenticated'])
    responses[SESSION] = () => json({ user: { ...ANA, features: ['patient::files'] } })
    await session.refreshSession()
    expect(seen).toEqual(['authenticated', 'authenticated'])
    expect(session.getVisitor()?.features).toEqual(new Set(['patient::files']))
    expect(reload).not.toHaveBeenCalled()
  })
})

it('tells of another person whenever somebody comes or goes, and not of other rights', async () => {
  const { session, answers: responses } = await openPage(signedIn())
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

it('tells of other institutions of the same person, in whatever order they come', async () => {
  const standing = (institutions: string[]) => () => json({ user: { ...ANA, institutions } })
  const { session, answers: responses } = await openPage({ ...signedIn(), [SESSION]: standing(['a', 'b']) })
  await session.loadSession()
  const { onInstitutionsChange } = await import('./person-change.ts')
  const known: unknown[] = []
  onInstitutionsChange(() => known.push(session.getSession().user?.institutions))
  for (const institutions of [['b', 'a'], ['b'], ['b'], ['b', 'c']]) {
    responses[SESSION] = standing(institutions)
    await session.refreshSession()
  }
  expect(known).toEqual([['b'], ['b', 'c']])
  session.dropSession()
  expect(known).toHaveLength(2)
})

describe('a refresh that finds another person', () => {
  it('empties the page and loads it anew [4.4]', async () => {
    const { session, answers: responses, seen, reload } = await openPage(signedIn())
    await session.loadSession()
    responses[SESSION] = () => json({ user: DAN })
    await session.refreshSession()
    expect(seen).toEqual(['authenticated', 'loading'])
    expect(reload).toHaveBeenCalledOnce()
  })

  it('does so on the sign-in page too, which then leads on [4.4]', async () => {
    const { session, answers: responses, reload } = await openPage({ [SESSION]: () => json(null) })
    await session.loadSession()
    responses[SESSION] = () => json({ user: DAN })
    session.onSessionMessage('changed')
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
  })
})

describe('an answer about somebody who has gone meanwhile', () => {
  it('does not bring them back', async () => {
    const { session, answers: responses, seen } = await openPage(signedIn())
    await session.loadSession()
    let response = (_: Response) => {}
    responses[SESSION] = () => new Promise((resolve) => (response = resolve))
    const late = session.refreshSession()
    await session.signOut()
    response(json({ user: ANA }))
    await late
    expect(session.getSession().status).toBe('unauthenticated')
    expect(seen).toEqual(['authenticated', 'unauthenticated'])
  })

  it('does not take away who came meanwhile', async () => {
    const {
      session,
      answers: responses,
      reload,
    } = await openPage({ ...signedIn(), [SESSION]: () => json(null) })
    await session.loadSession()
    let response = (_: Response) => {}
    responses[SESSION] = () => new Promise((resolve) => (response = resolve))
    const late = session.refreshSession()
    responses[SESSION] = () => json({ user: ANA })
    responses['/api/auth/callback/local'] = () => json({ url: 'https://dosar.test/' })
    expect(await session.signIn('local', {})).toBeNull()
    response(json(null))
    await late
    expect(session.getSession().user).toEqual(ANA)
    expect(reload).not.toHaveBeenCalled()
  })

  it('is asked for once more on a page that has shown nothing yet', async () => {
    const { session, answers: responses, asked: requested } = await openPage(signedIn())
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
  it('passes on what the server refuses with, code and all [8.2]', async () => {
    const codes = ['second-factor', 'second-factor-setup', 'second-factor-wrong', 'second-factor-expired']
    for (const code of [...codes, null]) {
      const { session, answers: responses } = await openPage({ ...signedIn(), [SESSION]: () => json(null) })
      await session.loadSession()
      const query = `error=CredentialsSignin${code ? `&code=${code}` : ''}`
      responses['/api/auth/callback/second-factor'] = () => json({ url: `https://dosar.test/?${query}` })
      const rejection = await session.signIn('second-factor', { code: '123456' })
      expect(rejection).toEqual({ error: 'CredentialsSignin', code })
      expect(session.getSession().status).toBe('unauthenticated')
    }
  })

  it('is refused where the browser keeps no cookie [8.2]', async () => {
    const { session, answers: responses } = await openPage({ ...signedIn(), [SESSION]: () => json(null) })
    responses['/api/auth/callback/local'] = () => json({ url: 'https://dosar.test/' })
    expect(await session.signIn('local', {})).toEqual({ error: 'Configuration', code: null })
  })
})

describe('signing out', () => {
  it('without a CSRF token is an error with status 400, and nothing has changed [8.1]', async () => {
    const answerings: Answers[string][] = [
      () => json({}),
      () => json({ csrfToken: '' }),
      () => json({}, 503),
      () => Promise.reject(new TypeError('Failed to fetch')),
    ]
    for (const answering of answerings) {
      const { session, answers: responses, asked: requested } = await openPage(signedIn())
      await session.loadSession()
      responses[CSRF] = answering
      await expect(session.signOut()).rejects.toMatchObject({
        status: 400,
        message: 'Could not fetch CSRF Token for signing out',
      })
      expect(session.getSession().user).toEqual(ANA)
      expect(requested).not.toContain(`POST ${OUT}`)
    }
  })

  it('leaves somebody signed in whom the server has not signed out [7.5]', async () => {
    const answerings: Answers[string][] = [
      () => json({ url: 'https://dosar.test/?error=MissingCSRF' }),
      () => json({ code: 'UNAVAILABLE' }, 503),
      () => Promise.reject(new TypeError('Failed to fetch')),
    ]
    for (const answering of answerings) {
      const { session, answers: responses } = await openPage(signedIn())
      await session.loadSession()
      responses[OUT] = answering
      await expect(session.signOut()).rejects.toThrow()
      expect(session.getSession().user).toEqual(ANA)
      responses[OUT] = () => json({ url: 'https://dosar.test/signout' })
      await session.signOut()
      expect(session.getSession().status).toBe('unauthenticated')
    }
  })

  it('happens at once after a 401, once for all of them, and ends the session on the server too [4.3]', async () => {
    const { session, asked: requested, seen } = await openPage(signedIn())
    await session.loadSession()
    session.forgetSession()
    expect(session.getSession().status).toBe('unauthenticated')
    session.forgetSession()
    await vi.waitFor(() => expect(requested).toContain(`POST ${OUT}`))
    expect(seen).toEqual(['authenticated', 'unauthenticated'])
    expect(requested.filter((call) => call.startsWith('POST'))).toHaveLength(1)
  })

  it('is over before the next sign-in begins: its answer takes a cookie away [4.3]', async () => {
    const { session, asked: requested, answers: responses } = await openPage(signedIn())
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

describe('a provider other than our own', () => {
  const START = '/api/auth/signin/oidc'
  const open = async (url: string) => {
    const page = await openPage({ ...signedIn(), [SESSION]: () => json(null), [START]: () => json({ url }) })
    const { startProviderSignIn } = await import('./provider-sign-in.ts')
    return { ...page, startProviderSignIn }
  }

  it('is where the browser is sent; still here after 60 s, and not before, it says so [9.3] [2.20]', async () => {
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

  it('is not gone to where the server refuses to [2.20]', async () => {
    const { startProviderSignIn, assign } = await open('https://dosar.test/?error=Configuration')
    await expect(startProviderSignIn('oidc', '/logs')).rejects.toThrow('oidc: Configuration')
    expect(assign).not.toHaveBeenCalled()
  })
})
