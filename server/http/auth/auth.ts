import { Auth, type AuthConfig } from '@auth/core'
import { CredentialsSignin } from '@auth/core/errors'
import { decode, encode } from '@auth/core/jwt'
import { type Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { LIMITS } from '../../../shared/limits.ts'
import { isInstitution } from '../../actor.access.ts'
import { createContext, type UserCtx } from '../../context.ts'
import { UserError } from '../../errors.ts'
import { mayUseProvider } from '../../features/accounts/credentials/may-use-provider.ts'
import { findSessionEnd } from '../../features/accounts/find-session-end.ts'
import { findActorByToken, type SessionActor } from '../../features/accounts/sessions/find-actor.ts'
import { recordUse } from '../../features/accounts/sessions/record-use.ts'
import { signOut } from '../../features/accounts/sessions/sign-out.ts'
import { abandonSignIn } from '../../features/accounts/sign-in/abandon-sign-in.ts'
import { findPendingSignIn } from '../../features/accounts/sign-in/find-pending-sign-in.ts'
import { beginPasskeySignIn } from '../../features/accounts/sign-in/sign-in-by-passkey.ts'
import { readKeptFilters } from '../../features/uploads/inbox/keep-filters.ts'
import { deriveKey } from '../../platform/crypto/keys.ts'
import type { Services } from '../../services.ts'
import { networkOf } from '../middleware/client-address.ts'
import { limitBody } from '../middleware/limit-body.ts'
import { expectedOrigin } from '../middleware/same-origin.ts'
import type { Env } from '../types.ts'
import { authCookies, CSRF_COOKIE, PENDING_COOKIE, pendingCookie, withoutChecks } from './auth-cookies.ts'
import {
  type CaptureError,
  credentialsProviders,
  type IncomingTokens,
  oidcProvider,
  type SignInResult,
  signInWithProfile,
} from './auth-providers.ts'
import { readForm, rebuildRequest, wantsJson } from './auth-request.ts'
import { authenticateCookie, SESSION_COOKIE } from './authenticate.ts'
import { createDeviceCookies } from './device-cookie.ts'
import { safeRedirectPath } from './safe-redirect-path.ts'

const BASE_PATH = '/api/auth'
const MAX_BODY_BYTES = 16 * 1024

/**
 * Signs in and out by the protocol of Auth.js [7.1]–[7.5]. The session is a row of the database instead of
 * Auth.js's encrypted cookie: the cookie contains a random token, so that an ended session or changed
 * permissions apply at the next request.
 */
export function authRoutes(services: Services): Hono<Env> {
  const keys = {
    secret: deriveKey(services.config.secret, 'auth').toString('base64url'),
    deviceCookies: createDeviceCookies(services.config.secret),
  }
  const limit = limitBody(MAX_BODY_BYTES)
  const get = (c: Context<Env>) => handleAuthRequest(services, keys, c, 'GET')
  const post = (c: Context<Env>) => handleAuthRequest(services, keys, c, 'POST')
  const routes = new Hono<Env>()
  routes.use(async (c, next) => {
    await next()
    c.res.headers.set('cache-control', 'no-store')
  })
  // The alternatives of each pattern are grouped, because the router adds the end of the pattern to the last
  // one only. Responses to these reads set no cookie: a response to a request sent before a sign-in may
  // arrive after it and would restore the old cookies.
  routes.get('/:action{(?:providers|session)}', async (c) => {
    const response = await get(c)
    response.headers.delete('set-cookie')
    return response
  })
  routes.get('/second-factor', async (c) => {
    const ctx = createContext(services, { kind: 'anonymous' }, c.get('requestOrigin'))
    return c.json(await findPendingSignIn(ctx, getCookie(c, PENDING_COOKIE) ?? null))
  })
  // Our pages report that their user is active, because their other requests may be sent without anybody.
  routes.post('/use', async (c) => {
    const session = await authenticateCookie(services, c)
    if (session) await recordUse(services.db, session.actor, new Date())
    return c.json({ active: session !== null })
  })
  // Not a read: it creates a challenge. The browser must have the CSRF cookie, to which the challenge is bound.
  routes.post('/passkey', limit, async (c) => {
    const ctx = createContext(services, { kind: 'anonymous' }, c.get('requestOrigin'))
    const browser = getCookie(c, CSRF_COOKIE)
    if (!browser) throw new UserError('BAD_USER_INPUT', 'no csrf cookie')
    const pendingToken =
      (await readForm(c)).use === 'second-factor' ? (getCookie(c, PENDING_COOKIE) ?? '') : null
    const { ip } = ctx.request
    return c.json(await beginPasskeySignIn(ctx, { pendingToken, browser, network: ip && networkOf(ip) }))
  })
  // The page requests the reason before it deletes the cookie of an ended session.
  routes.get('/end', async (c) => {
    const ctx = createContext(services, { kind: 'anonymous' }, c.get('requestOrigin'))
    return c.json({ reason: await findSessionEnd(ctx, getCookie(c, SESSION_COOKIE) ?? null) })
  })
  routes.get('/:action{(?:csrf|signin|signout)}', get)
  routes.post('/signin/local', limit, (c) => nameSignInPage(services, c))
  routes.post('/:action{callback}/:provider{(?:local|link|second-factor|passkey)}', limit, post)
  routes.post('/:action{signout}', limit, async (c) => {
    const response = await post(c)
    // Clears cached pages and images, but not the storage, which contains the colour mode.
    response.headers.set('clear-site-data', '"cache"')
    return response
  })
  if (services.config.oidc) {
    routes.post('/:action{signin}/:provider{oidc}', limit, async (c) =>
      (await mayUseProvider(services.db)) ? post(c) : rejectProviderSignIn(services, c),
    )
    routes.get('/:action{callback}/:provider{oidc}', async (c) => {
      const response = await get(c)
      for (const cookie of withoutChecks()) response.headers.append('set-cookie', cookie)
      return response
    })
  }
  return routes
}

async function handleAuthRequest(
  services: Services,
  { secret, deviceCookies }: { secret: string; deviceCookies: ReturnType<typeof createDeviceCookies> },
  c: Context<Env>,
  method: 'GET' | 'POST',
): Promise<Response> {
  const { oidc } = services.config
  const origin = expectedOrigin(services.config, c.req.url)
  const form = method === 'POST' ? await readForm(c) : null
  const ctx = createContext(services, { kind: 'anonymous' }, c.get('requestOrigin'))
  const incomingTokens: IncomingTokens = {
    sessionToken: getCookie(c, SESSION_COOKIE) ?? null,
    pendingToken: getCookie(c, PENDING_COOKIE) ?? null,
    browser: getCookie(c, CSRF_COOKIE) ?? '',
    network: ctx.request.ip && networkOf(ctx.request.ip),
    device: await deviceCookies.read(c, ctx.now),
  }
  const signInResult: SignInResult = { opened: null }
  let found: SessionActor | null = null
  // Auth.js turns an error in a callback into "signed out" or "misconfigured"; an unexpected error is
  // rethrown below.
  let unexpectedError: unknown = null
  let isRejected = false
  const captureError: CaptureError =
    (work) =>
    async (...args) => {
      try {
        return await work(...args)
      } catch (error) {
        if (!(error instanceof CredentialsSignin)) unexpectedError = error
        throw error
      }
    }

  const readSession = captureError(async (token: string | undefined) => {
    found = token ? await findActorByToken(services.db, token, ctx.now) : null
    return found && { sub: found.actor.id }
  })
  const { local, link, secondFactor, passkey } = credentialsProviders(
    ctx,
    incomingTokens,
    signInResult,
    captureError,
  )
  const action = c.req.param('action')
  const offersProvider = oidc !== null && (action !== 'providers' || (await mayUseProvider(services.db)))
  const offered = [local, ...(offersProvider ? [oidcProvider(oidc)] : [])]
  const config: AuthConfig = {
    basePath: BASE_PATH,
    secret,
    trustHost: true,
    useSecureCookies: true,
    pages: { signIn: '/', error: '/', signOut: '/signout' },
    session: { strategy: 'jwt', maxAge: LIMITS.sessionSeconds },
    cookies: authCookies,
    // The sign-in page offers the others by itself.
    providers: action === 'providers' ? offered : [...offered, link, secondFactor, passkey],
    jwt: {
      // Beside the session cookie, Auth.js encrypts the check cookies of a provider.
      encode: async (params) =>
        params.salt === SESSION_COOKIE
          ? (signInResult.opened?.token ?? incomingTokens.sessionToken ?? '')
          : encode(params),
      decode: (params) => (params.salt === SESSION_COOKIE ? readSession(params.token) : decode(params)),
    },
    callbacks: {
      redirect: ({ url }) => `${origin}${safeRedirectPath(url, origin)}`,
      session: captureError(async ({ session }) =>
        found
          ? {
              ...session,
              ...(await describeSession(createContext(services, found.actor, ctx.request), found.expiresAt)),
            }
          : session,
      ),
      signIn: captureError(async ({ account, profile }) => {
        if (!oidc || account?.type !== 'oidc') return true
        return signInWithProfile(
          ctx,
          { issuer: oidc.issuer, account, profile: profile ?? {} },
          incomingTokens,
          signInResult,
        )
      }),
    },
    events: {
      signOut: captureError(async () => {
        if (incomingTokens.sessionToken) await signOut(ctx, incomingTokens.sessionToken)
      }),
    },
    logger: {
      error: (error) => {
        isRejected = true
        services.log.debug('auth: rejected', { request: ctx.request.id, error: error.name })
      },
      warn: (code) => services.log.warn('auth: warning', { code }),
      debug: () => undefined,
    },
  }
  const authResponse = await Auth(rebuildRequest(c, origin, form), config)
  if (unexpectedError !== null) throw unexpectedError
  // A copy, because the headers of a response made by Response.redirect are immutable.
  const response = new Response(authResponse.body, authResponse)
  if (signInResult.opened) {
    const { id } = signInResult.opened.actor
    response.headers.append('set-cookie', await deviceCookies.write(incomingTokens.device, id, ctx.now))
  }
  const isSignedOut = action === 'signout' && method === 'POST' && !isRejected
  const pendingToken = signInResult.opened || isSignedOut ? null : signInResult.pendingToken
  if (pendingToken !== undefined && (pendingToken ?? incomingTokens.pendingToken)) {
    // A new session, a sign-out or a new pending sign-in ends the previous pending sign-in.
    if (incomingTokens.pendingToken) await abandonSignIn(ctx, incomingTokens.pendingToken)
    response.headers.append('set-cookie', pendingCookie(pendingToken))
  }
  return response
}

/**
 * Rejects a sign-in by the provider while the site setting does not allow it: the page shows that there is no
 * access.
 */
async function rejectProviderSignIn(services: Services, c: Context<Env>): Promise<Response> {
  return respondWithAddress(c, `${expectedOrigin(services.config, c.req.url)}/?error=AccessDenied`)
}

/**
 * Responds with the address of the sign-in page, whose form signs in [7.4]. Auth.js itself would name an
 * address that redirects there. Needs no CSRF token, since it changes nothing.
 */
async function nameSignInPage(services: Services, c: Context<Env>): Promise<Response> {
  const origin = expectedOrigin(services.config, c.req.url)
  const { callbackUrl = '/' } = await readForm(c)
  const query = new URLSearchParams({ callbackUrl: safeRedirectPath(callbackUrl, origin) })
  return respondWithAddress(c, `${origin}/?${query}`)
}

/** Responds with `{ url }` or with a redirect, as the client wants. */
const respondWithAddress = async (c: Context<Env>, url: string): Promise<Response> =>
  wantsJson(c, await readForm(c)) ? c.json({ url }) : c.redirect(url)

/** Returns the session as the browser receives it [7.3]. */
async function describeSession(ctx: UserCtx, expiresAt: Date) {
  const { id, name, email, role, features, institutionIds } = ctx.actor
  return {
    user: {
      id,
      name,
      email,
      role,
      features: [...features],
      institutions: [...institutionIds],
      // Here, so that the inbox asks for its results with them at once.
      ...(isInstitution(ctx.actor) && { inboxFilters: await readKeptFilters(ctx) }),
    },
    expires: expiresAt.toISOString(),
  }
}
