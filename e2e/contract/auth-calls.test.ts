import { createRemoteJWKSet, jwtVerify } from 'jose'
import { createTestClient } from '../../test/client.ts'
import { CONFIRM_SECOND_FACTOR } from '../../test/documents.ts'
import { startOpenIdProvider } from '../../test/openid-provider.ts'
import { findFreePort } from '../../test/real-http.ts'
import { createAuthenticator } from '../../test/second-factor.ts'
import { ADMIN, DEMO_PASSWORD, REVIEWER } from '../harness/accounts.ts'
import { signInClient } from '../harness/client.ts'
import { makePerson, setSetting } from '../harness/people.ts'
import { startProduct } from '../harness/product.ts'
import { expect, test } from '../harness/test.ts'

const WEEK = 604_800
const SESSION = '__Host-dosar.session'
const PENDING = '__Host-dosar.pending'
const WRONG = { email: 'nimeni@dosar.test', password: 'nu aceasta este parola' }
const RIGHT = { email: REVIEWER, password: DEMO_PASSWORD }

test.describe('reading the session', () => {
  test('providers: the sign-in methods, each with its addresses [7.1]', async ({ product: { url } }) => {
    expect(await createTestClient(url).json('/api/auth/providers')).toEqual({
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
    const [one, other] = [createTestClient(product.url), createTestClient(product.url)]
    const response = await one.json('/api/auth/csrf')
    expect(response).toEqual({ csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(await one.json('/api/auth/csrf')).toEqual(response)
    expect(await other.json('/api/auth/csrf')).not.toEqual(response)
  })

  test('session: empty without a sign-in, the user with role after it, at any callbackUrl [7.3] [3.1]', async ({
    product,
  }) => {
    const outsider = createTestClient(product.url)
    const runQuery = () => outsider.fetch('/api/auth/session?callbackUrl=%2Fpatients')
    const empty = await runQuery()
    expect([empty.status, await empty.json()]).toEqual([200, null])
    expect(empty.headers.get('cache-control')).toBe('no-store')
    await outsider.signIn(REVIEWER, DEMO_PASSWORD)
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
    const outsider = createTestClient(product.url)
    expect(await outsider.json('/api/token')).toEqual({ expires_at: null, id_token: null })
    await outsider.signIn(REVIEWER, DEMO_PASSWORD)
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
      const outsider = createTestClient(url)
      const form = { json: null, ...RIGHT, ...fields, callbackUrl: '/patients' }
      const { response } = await outsider.post('/api/auth/callback/local', form, headers)
      expect([response.status, await response.json()]).toEqual([200, { url: `${url}/patients` }])
      expect((await outsider.json('/api/auth/session')).user.email).toBe(REVIEWER)
    }
    const outsider = createTestClient(url)
    const form = { json: null, ...RIGHT, callbackUrl: '/patients' }
    const { response } = await outsider.post('/api/auth/callback/local', form)
    expect([response.status, response.headers.get('location')]).toEqual([302, `${url}/patients`])
    expect((await outsider.json('/api/auth/session')).user.email).toBe(REVIEWER)
  })

  test('returns the reason of a failure in the error of the url, in each of the three forms [7.4] [8.2]', async ({
    product: { url },
  }) => {
    const outsider = createTestClient(url)
    const refused = `${url}/?error=CredentialsSignin&code=credentials`
    const send = async (json: string | null, headers = {}) =>
      (await outsider.post('/api/auth/callback/local', { ...WRONG, json }, headers)).response
    const requested = await send('true')
    expect([requested.status, await requested.json()]).toEqual([200, { url: refused }])
    const header = await send(null, { 'x-auth-return-redirect': '1' })
    expect(await header.json()).toEqual({ url: refused })
    const redirected = await send(null)
    expect([redirected.status, redirected.headers.get('location')]).toEqual([302, refused])
    // Without the CSRF token, or with that of another cookie jar.
    const { csrfToken } = await createTestClient(url).json('/api/auth/csrf')
    expect((await outsider.post('/api/auth/callback/local', { ...RIGHT, csrfToken })).url.search).toBe(
      '?error=MissingCSRF',
    )
    expect(outsider.cookies.has(SESSION)).toBe(false)
    expect(await outsider.json('/api/auth/session')).toBeNull()
  })

  test('at signin/{provider} names the page with the form for a credentials provider [7.4]', async ({
    product: { url },
  }) => {
    const outsider = createTestClient(url)
    const { url: form } = await outsider.post('/api/auth/signin/local', { callbackUrl: '/patients' })
    expect(form.href).toBe(`${url}/?${new URLSearchParams({ callbackUrl: '/patients' })}`)
    expect((await outsider.fetch(form.href)).status).toBe(200)
    expect((await outsider.post('/api/auth/signin/other')).response.status).toBe(404)
  })

  test('sets cookies for 604800 s, Secure, bound to the host and unreadable by scripts [9.5]', async ({
    product,
  }) => {
    const outsider = await signInClient(product.url, REVIEWER)
    const names = outsider.setCookies.map((line) => line.slice(0, line.indexOf('=')))
    const device = '__Host-dosar.device'
    expect(new Set(names)).toEqual(
      new Set(['__Host-dosar.csrf', '__Host-dosar.callback-url', device, SESSION]),
    )
    // The device cookie proves no identity and stays longer.
    for (const line of outsider.setCookies.filter((each) => !each.startsWith(device))) {
      const flags = line.split('; ').slice(1)
      expect(flags).toEqual(
        expect.arrayContaining([`Max-Age=${WEEK}`, 'Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']),
      )
    }
    // Scripts can read only the public key, which is not secret.
    await outsider.fetch('/', { headers: { accept: 'text/html' } })
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
      const outsider = await signInClient(url, REVIEWER)
      const authorization = await outsider.authorization()
      const copy = createTestClient(url)
      copy.cookies.set(SESSION, outsider.cookies.get(SESSION)!)
      const form = { json: null, ...fields, callbackUrl: '/signout' }
      const { response } = await outsider.post('/api/auth/signout', form, headers)
      expect(response.status).toBe(status)
      if (status === 200) expect(await response.json()).toEqual({ url: `${url}/signout` })
      else expect(response.headers.get('location')).toBe(`${url}/signout`)
      expect(outsider.cookies.has(SESSION)).toBe(false)
      expect(await copy.json('/api/auth/session')).toBeNull()
      expect((await copy.postGraphql({ query: '{ me { id } }' }, { authorization })).status).toBe(401)
    }
  })

  test('without the CSRF token returns an error in the url, and ends nothing [7.5] [8.1]', async ({
    product: { url },
  }) => {
    const outsider = await signInClient(url, REVIEWER)
    const { response } = await outsider.post('/api/auth/signout', {
      csrfToken: null,
      callbackUrl: '/signout',
    })
    expect(await response.json()).toEqual({ url: `${url}/?error=MissingCSRF` })
    expect((await outsider.json('/api/auth/session')).user.email).toBe(REVIEWER)
  })
})

test.describe('the second factor', () => {
  const BEGIN =
    'mutation ($password: String!) { beginSecondFactor(password: $password) { secret uri ticket } }'

  test('is required between the password and the session: a code or a recovery code, once each [7.4]', async ({
    product,
  }) => {
    const { email } = await makePerson(product)
    const outsider = createTestClient(product.url)
    await outsider.signIn(email, DEMO_PASSWORD)
    const { beginSecondFactor } = await outsider.runQuery(BEGIN, { password: DEMO_PASSWORD })
    const application = createAuthenticator(beginSecondFactor.secret)
    const { ticket } = beginSecondFactor
    const code = application.nextCode()
    const { confirmSecondFactor: codes } = await outsider.runQuery(CONFIRM_SECOND_FACTOR, { ticket, code })
    expect(codes).toHaveLength(10)
    await outsider.post('/api/auth/signout')

    // The right password alone gives no access.
    const password = { email, password: DEMO_PASSWORD }
    expect((await outsider.post('/api/auth/callback/local', password)).url.search).toBe(
      '?error=CredentialsSignin&code=second-factor',
    )
    expect(outsider.cookies.has(PENDING)).toBe(true)
    expect(outsider.cookies.has(SESSION)).toBe(false)
    expect(await outsider.json('/api/auth/second-factor')).toEqual({
      state: 'verify',
      hasPasskey: false,
      hasAuthenticator: true,
    })
    expect(await outsider.json('/api/auth/session')).toBeNull()
    expect(await outsider.json('/api/token')).toEqual({ expires_at: null, id_token: null })
    const half = createTestClient(product.url)
    half.cookies.set(SESSION, outsider.cookies.get(PENDING)!)
    expect(await half.json('/api/auth/session')).toBeNull()
    const authorization = `Bearer ${outsider.cookies.get(PENDING)}`
    expect((await half.postGraphql({ query: '{ me { id } }' }, { authorization })).status).toBe(401)

    const wrong = await outsider.post('/api/auth/callback/second-factor', { code: '000000' })
    expect(wrong.url.search).toBe('?error=CredentialsSignin&code=second-factor-wrong')
    const used = application.nextCode()
    expect((await outsider.post('/api/auth/callback/second-factor', { code: used })).url.search).toBe('')
    expect((await outsider.json('/api/auth/session')).user.email).toBe(email)
    expect(outsider.cookies.has(PENDING)).toBe(false)

    // All in one form; a code is valid once, a recovery code too.
    const again = createTestClient(product.url)
    const enter = (code: string) => again.post('/api/auth/callback/local', { ...password, code })
    const search = '?error=CredentialsSignin&code=credentials'
    expect((await enter(used)).url.search).toBe(search)
    expect((await enter(codes[0])).url.search).toBe('')
    expect((await again.json('/api/auth/session')).user.email).toBe(email)
    expect((await enter(codes[0])).url.search).toBe(search)
    const late = await createTestClient(product.url).post('/api/auth/callback/second-factor', { code: used })
    expect(late.url.search).toBe('?error=CredentialsSignin&code=second-factor-expired')
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
    const outsider = createTestClient(origin)
    const { oidc } = await outsider.json('/api/auth/providers')
    expect(oidc).toEqual({
      id: 'oidc',
      name,
      type: 'oidc',
      signinUrl: `${origin}/api/auth/signin/oidc`,
      callbackUrl: `${origin}/api/auth/callback/oidc`,
    })
    const enter = async (person: Parameters<typeof provider.visit>[1]) => {
      const { url: there } = await outsider.post('/api/auth/signin/oidc', { callbackUrl: '/patients' })
      expect(there.origin).toBe(issuer)
      const back = await provider.visit(there.href, person)
      expect(back.pathname).toBe('/api/auth/callback/oidc')
      const landing = await outsider.fetch(back.href)
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
    expect((await outsider.postGraphql({ query: '{ me { email } }' })).status).toBe(200)
  } finally {
    await product.stop()
    await provider.close()
  }
})
