import { createRemoteJWKSet, jwtVerify } from 'jose'
import { startOpenIdProvider } from '../../test/openid-provider.ts'
import { ADMIN, DEMO_PASSWORD, REVIEWER } from '../harness/accounts.ts'
import { createOutsider } from '../harness/outsider.ts'
import { createAuthenticator, makePerson, setSetting } from '../harness/people.ts'
import { findFreePort, startProduct } from '../harness/product.ts'
import { expect, test } from '../harness/test.ts'

const WEEK = 604_800
const SESSION = '__Host-dosar.session'
const PENDING = '__Host-dosar.pending'
const WRONG = { email: 'nimeni@dosar.test', password: 'nu aceasta este parola' }
const RIGHT = { email: REVIEWER, password: DEMO_PASSWORD }

test.describe('reading the session', () => {
  test('providers: the sign-in methods, each with its addresses [7.1]', async ({ product: { url } }) => {
    expect(await createOutsider(url).json('/api/auth/providers')).toEqual({
      local: {
        id: 'local',
        name: 'Dosar',
        type: 'credentials',
        signinUrl: `${url}/api/auth/signin/local`,
        callbackUrl: `${url}/api/auth/callback/local`,
      },
    })
  })

  test('csrf: the token of every form, the same for one cookie jar [7.2]', async ({ product }) => {
    const [one, other] = [createOutsider(product.url), createOutsider(product.url)]
    const response = await one.json('/api/auth/csrf')
    expect(response).toEqual({ csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(await one.json('/api/auth/csrf')).toEqual(response)
    expect(await other.json('/api/auth/csrf')).not.toEqual(response)
  })

  test('session: empty without a sign-in, the user with role after it, at any callbackUrl [7.3] [3.1]', async ({
    product,
  }) => {
    const outsider = createOutsider(product.url)
    const runQuery = () => outsider.send('/api/auth/session?callbackUrl=%2Fpatients')
    const empty = await runQuery()
    expect([empty.status, await empty.json()]).toEqual([200, null])
    expect(empty.headers.get('cache-control')).toBe('no-store')
    await outsider.signIn(REVIEWER)
    const session = await (await runQuery()).json()
    expect(session).toEqual({
      user: {
        id: expect.any(String),
        name: expect.any(String),
        email: REVIEWER,
        role: 'staff',
        features: expect.arrayContaining(['admin::review-files']),
        institutions: [],
      },
      expires: expect.any(String),
    })
    const left = (Date.parse(session.expires) - Date.now()) / 1000
    expect(left).toBeGreaterThan(WEEK - 120)
    expect(left).toBeLessThanOrEqual(WEEK + 5)
  })

  test('token: { expires_at, id_token } with the session cookie, nulls without [7.6]', async ({
    product,
  }) => {
    const outsider = createOutsider(product.url)
    expect(await outsider.json('/api/token')).toEqual({ expires_at: null, id_token: null })
    await outsider.signIn(REVIEWER)
    const { expires_at, id_token } = await outsider.json('/api/token')
    const { user } = await outsider.json('/api/auth/session')
    // As a GraphQL server at another host would verify it.
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', product.url))
    const { payload } = await jwtVerify(id_token, keys, {
      algorithms: ['EdDSA'],
      issuer: 'dosar',
      audience: 'graphql',
    })
    expect(payload).toEqual({
      sub: user.id,
      sid: expect.any(String),
      iss: 'dosar',
      aud: 'graphql',
      iat: expect.any(Number),
      exp: expires_at,
    })
    expect(expires_at - payload.iat!).toBe(15 * 60)
    expect(Math.abs(expires_at - 15 * 60 - Date.now() / 1000)).toBeLessThan(120)
  })
})

test.describe('signing in', () => {
  test('returns { url } for the form field json and for the header, and redirects without either [7.4]', async ({
    product: { url },
  }) => {
    const ways = [
      [{ json: 'true' }, {}],
      [{}, { 'x-auth-return-redirect': '1' }],
    ] as const
    for (const [fields, headers] of ways) {
      const outsider = createOutsider(url)
      const response = await outsider.post(
        'callback/local',
        { ...RIGHT, ...fields, callbackUrl: '/patients' },
        headers,
      )
      expect([response.status, await response.json()]).toEqual([200, { url: `${url}/patients` }])
      expect((await outsider.json('/api/auth/session')).user.email).toBe(REVIEWER)
    }
    const outsider = createOutsider(url)
    const response = await outsider.post('callback/local', { ...RIGHT, callbackUrl: '/patients' })
    expect([response.status, response.headers.get('location')]).toEqual([302, `${url}/patients`])
    expect((await outsider.json('/api/auth/session')).user.email).toBe(REVIEWER)
  })

  test('returns the reason of a failure in the error of the url, in each of the three forms [7.4] [8.2]', async ({
    product: { url },
  }) => {
    const outsider = createOutsider(url)
    const refused = `${url}/?error=CredentialsSignin&code=credentials`
    const requested = await outsider.post('callback/local', { ...WRONG, json: 'true' })
    expect([requested.status, await requested.json()]).toEqual([200, { url: refused }])
    const header = await outsider.post('callback/local', WRONG, { 'x-auth-return-redirect': '1' })
    expect(await header.json()).toEqual({ url: refused })
    const redirected = await outsider.post('callback/local', WRONG)
    expect([redirected.status, redirected.headers.get('location')]).toEqual([302, refused])
    // Without the CSRF token, or with that of another cookie jar.
    const { csrfToken } = await createOutsider(url).json('/api/auth/csrf')
    expect((await outsider.postForUrl('callback/local', { ...RIGHT, csrfToken })).search).toBe(
      '?error=MissingCSRF',
    )
    expect(outsider.cookies.has(SESSION)).toBe(false)
    expect(await outsider.json('/api/auth/session')).toBeNull()
  })

  test('at signin/{provider} redirects to the page with the form for a credentials provider [7.4]', async ({
    product: { url },
  }) => {
    const outsider = createOutsider(url)
    const { href } = await outsider.postForUrl('signin/local', { callbackUrl: '/patients' })
    const page = await outsider.send(href)
    expect([page.status, page.headers.get('location')]).toEqual([
      302,
      `/?${new URLSearchParams({ callbackUrl: `${url}/patients` })}`,
    ])
    expect((await outsider.post('signin/other', { json: 'true' })).status).toBe(404)
  })

  test('sets cookies for 604800 s, Secure, bound to the host and unreadable by scripts [9.5]', async ({
    product,
  }) => {
    const outsider = createOutsider(product.url)
    await outsider.signIn(REVIEWER)
    const names = outsider.setCookies.map((line) => line.slice(0, line.indexOf('=')))
    expect(new Set(names)).toEqual(new Set(['__Host-dosar.csrf', '__Host-dosar.callback-url', SESSION]))
    for (const line of outsider.setCookies) {
      const flags = line.split('; ').slice(1)
      expect(flags).toEqual(
        expect.arrayContaining([`Max-Age=${WEEK}`, 'Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']),
      )
    }
    // Scripts can read only the public key, which is not secret.
    await outsider.send('/', { headers: { accept: 'text/html' } })
    const [name, ...flags] = outsider.setCookies.at(-1)!.split('; ')
    expect(name).toMatch(/^apollo:public\.token=dk_/)
    expect(flags.sort()).toEqual([`Max-Age=${WEEK}`, 'Path=/', 'SameSite=Strict', 'Secure'])
  })
})

test.describe('signing out', () => {
  test('returns { url } for both forms of the request, redirects without, and ends cookie and token [7.5]', async ({
    product: { url },
  }) => {
    for (const [fields, headers, status] of [
      [{ json: 'true' }, {}, 200],
      [{}, { 'x-auth-return-redirect': '1' }, 200],
      [{}, {}, 302],
    ] as const) {
      const outsider = createOutsider(url)
      await outsider.signIn(REVIEWER)
      const authorization = `Bearer ${await outsider.token()}`
      const copy = createOutsider(url)
      copy.cookies.set(SESSION, outsider.cookies.get(SESSION)!)
      const response = await outsider.post('signout', { ...fields, callbackUrl: '/signout' }, headers)
      expect(response.status).toBe(status)
      if (status === 200) expect(await response.json()).toEqual({ url: `${url}/signout` })
      else expect(response.headers.get('location')).toBe(`${url}/signout`)
      expect(outsider.cookies.has(SESSION)).toBe(false)
      expect(await copy.json('/api/auth/session')).toBeNull()
      expect((await copy.graphql({ query: '{ me { id } }' }, { authorization })).status).toBe(401)
    }
  })

  test('without the CSRF token returns an error in the url, and ends nothing [7.5] [8.1]', async ({
    product: { url },
  }) => {
    const outsider = createOutsider(url)
    await outsider.signIn(REVIEWER)
    const body = new URLSearchParams({ callbackUrl: '/signout', json: 'true' })
    expect(await outsider.json('/api/auth/signout', { method: 'POST', body })).toEqual({
      url: `${url}/?error=MissingCSRF`,
    })
    expect((await outsider.json('/api/auth/session')).user.email).toBe(REVIEWER)
  })
})

test.describe('the second factor', () => {
  const BEGIN =
    'mutation ($password: String!) { beginSecondFactor(password: $password) { secret uri ticket } }'
  const CONFIRM =
    'mutation ($ticket: String!, $code: String!) { confirmSecondFactor(ticket: $ticket, code: $code) }'

  test('is required between the password and the session: a code or a recovery code, once each [7.4]', async ({
    product,
  }) => {
    const { email } = await makePerson(product)
    const outsider = createOutsider(product.url)
    const runQuery = async (query: string, variables: object) =>
      (await (await outsider.graphql({ query, variables })).json()).data
    await outsider.signIn(email)
    const { beginSecondFactor } = await runQuery(BEGIN, { password: DEMO_PASSWORD })
    const application = createAuthenticator(beginSecondFactor.secret)
    const { ticket } = beginSecondFactor
    const { confirmSecondFactor: codes } = await runQuery(CONFIRM, { ticket, code: application.nextCode() })
    expect(codes).toHaveLength(10)
    await outsider.postForUrl('signout')

    // The right password alone gives no access.
    const password = { email, password: DEMO_PASSWORD }
    expect((await outsider.postForUrl('callback/local', password)).search).toBe(
      '?error=CredentialsSignin&code=second-factor',
    )
    expect(outsider.cookies.has(PENDING)).toBe(true)
    expect(outsider.cookies.has(SESSION)).toBe(false)
    expect(await outsider.json('/api/auth/second-factor')).toEqual({ state: 'verify' })
    expect(await outsider.json('/api/auth/session')).toBeNull()
    expect(await outsider.json('/api/token')).toEqual({ expires_at: null, id_token: null })
    const half = createOutsider(product.url)
    half.cookies.set(SESSION, outsider.cookies.get(PENDING)!)
    expect(await half.json('/api/auth/session')).toBeNull()
    const authorization = `Bearer ${outsider.cookies.get(PENDING)}`
    expect((await half.graphql({ query: '{ me { id } }' }, { authorization })).status).toBe(401)

    const wrong = await outsider.postForUrl('callback/second-factor', { code: '000000' })
    expect(wrong.search).toBe('?error=CredentialsSignin&code=second-factor-wrong')
    const used = application.nextCode()
    expect((await outsider.postForUrl('callback/second-factor', { code: used })).search).toBe('')
    expect((await outsider.json('/api/auth/session')).user.email).toBe(email)
    expect(outsider.cookies.has(PENDING)).toBe(false)

    // All in one form; a code is valid once, a recovery code too.
    const again = createOutsider(product.url)
    const enter = (code: string) => again.postForUrl('callback/local', { ...password, code })
    const search = '?error=CredentialsSignin&code=credentials'
    expect((await enter(used)).search).toBe(search)
    expect((await enter(codes[0])).search).toBe('')
    expect((await again.json('/api/auth/session')).user.email).toBe(email)
    expect((await enter(codes[0])).search).toBe(search)
    const late = await createOutsider(product.url).postForUrl('callback/second-factor', { code: used })
    expect(late.search).toBe('?error=CredentialsSignin&code=second-factor-expired')
  })
})

test('an OpenID provider signs in a user with an account, with these calls [7.1] [7.4] [9.5]', async () => {
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const provider = await startOpenIdProvider(origin)
  const { issuer, clientId, clientSecret, name } = provider.config
  const product = await startProduct({
    PORT: String(port),
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_NAME: name,
  })
  try {
    await setSetting(product, 'login_provider', 'oidc')
    const outsider = createOutsider(origin)
    const { oidc } = await outsider.json('/api/auth/providers')
    expect(oidc).toEqual({
      id: 'oidc',
      name,
      type: 'oidc',
      signinUrl: `${origin}/api/auth/signin/oidc`,
      callbackUrl: `${origin}/api/auth/callback/oidc`,
    })
    const enter = async (person: Parameters<typeof provider.visit>[1]) => {
      const there = await outsider.postForUrl('signin/oidc', { callbackUrl: '/patients' })
      expect(there.origin).toBe(issuer)
      const back = await provider.visit(there.href, person)
      expect(back.pathname).toBe('/api/auth/callback/oidc')
      const landing = await outsider.send(back.href)
      expect(landing.status).toBe(302)
      return landing.headers.get('location')
    }
    // The first has no account here; the second cancels.
    const unknownPerson = { sub: 'strain', email: 'strain@exemplu.test', email_verified: true }
    expect(await enter(unknownPerson)).toBe(`${origin}/?error=AccessDenied`)
    expect(await enter(null)).toContain('error=')
    expect(await outsider.json('/api/auth/session')).toBeNull()

    expect(await enter({ sub: 'ruxandra', email: ADMIN, email_verified: true })).toBe(`${origin}/patients`)
    expect((await outsider.json('/api/auth/session')).user.email).toBe(ADMIN)
    const session = outsider.setCookies.findLast((line) => line.startsWith(SESSION))
    expect(session).toContain(`Max-Age=${WEEK};`)
    expect(session).toContain('Secure')
    expect((await outsider.graphql({ query: '{ me { email } }' })).status).toBe(200)
  } finally {
    await product.stop()
    await provider.close()
  }
})
