import { Auth, type AuthConfig } from '@auth/core'
import { CredentialsSignin } from '@auth/core/errors'
import { decode, encode } from '@auth/core/jwt'
import { type Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { LIMITS } from '../../../shared/limits.ts'
import { createContext } from '../../context.ts'
import { mayUseProvider } from '../../features/accounts/credentials/may-use-provider.ts'
import { findSessionEnd } from '../../features/accounts/find-session-end.ts'
import { findActorByToken, type SessionActor } from '../../features/accounts/sessions/find-actor.ts'
import { signOut } from '../../features/accounts/sessions/sign-out.ts'
import { abandonSignIn } from '../../features/accounts/sign-in/abandon-sign-in.ts'
import { findPendingSignIn } from '../../features/accounts/sign-in/find-pending-sign-in.ts'
import { deriveKey } from '../../platform/crypto/keys.ts'
import type { Services } from '../../services.ts'
import { networkOf } from '../middleware/client-address.ts'
import { limitBody } from '../middleware/limit-body.ts'
import { expectedOrigin } from '../middleware/same-origin.ts'
import type { Env } from '../types.ts'
import { authCookies, PENDING_COOKIE, pendingCookie, withoutChecks } from './auth-cookies.ts'
import {
  type CaptureFault,
  credentialsProviders,
  type IncomingTokens,
  oidcProvider,
  type SignInResult,
  signInWithProfile,
} from './auth-providers.ts'
import { readForm, rebuildRequest, wantsJson } from './auth-request.ts'
import { SESSION_COOKIE } from './authenticate.ts'
import { safeRedirectPath } from './safe-redirect-path.ts'

const BASE_PATH = '/api/auth'
const MAX_BODY_BYTES = 16 * 1024

/**
 * Signing in and out by the protocol of Auth.js [7.1]–[7.5]. What Auth.js would keep in an encrypted cookie is a row of
 * ours: the cookie holds a random token, so that a session can be ended and rights be changed at the next request.
 */
export function authRoutes(services: Services): Hono<Env> {
  const secret = deriveKey(services.config.secret, 'auth').toString('base64url')
  const limit = limitBody(MAX_BODY_BYTES)
  const get = (c: Context<Env>) => handleAuthRequest(services, secret, c, 'GET')
  const post = (c: Context<Env>) => handleAuthRequest(services, secret, c, 'POST')
  const routes = new Hono<Env>()
  routes.use(async (c, next) => {
    await next()
    c.res.headers.set('cache-control', 'no-store')
  })
  // In each pattern the alternatives are grouped: the router adds the end only behind the last one.
  // Asking changes nothing, so it sets no cookie either: the answer to a question asked before a sign-in, arriving after
  // it, would else put the old cookies back.
  routes.get('/:action{(?:providers|session)}', async (c) => {
    const response = await get(c)
    response.headers.delete('set-cookie')
    return response
  })
  routes.get('/second-factor', async (c) => {
    const ctx = createContext(services, { kind: 'anonymous' }, c.get('requestInfo'))
    return c.json(await findPendingSignIn(ctx, getCookie(c, PENDING_COOKIE) ?? null))
  })
  // Asked before the page lets go of the cookie of a session that has ended.
  routes.get('/end', async (c) => {
    const ctx = createContext(services, { kind: 'anonymous' }, c.get('requestInfo'))
    return c.json({ reason: await findSessionEnd(ctx, getCookie(c, SESSION_COOKIE) ?? null) })
  })
  routes.get('/:action{(?:csrf|signin|signout)}', get)
  routes.post('/:action{signin}/:provider{local}', limit, post)
  routes.post('/:action{callback}/:provider{(?:local|link|second-factor)}', limit, post)
  routes.post('/:action{signout}', limit, async (c) => {
    const response = await post(c)
    // What the browser has kept of pages and pictures goes too; not its storage, where the colour mode is.
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
  secret: string,
  c: Context<Env>,
  method: 'GET' | 'POST',
): Promise<Response> {
  const { oidc } = services.config
  const origin = expectedOrigin(services.config, c.req.url)
  const form = method === 'POST' ? await readForm(c) : null
  const ctx = createContext(services, { kind: 'anonymous' }, c.get('requestInfo'))
  const incomingTokens: IncomingTokens = {
    sessionToken: getCookie(c, SESSION_COOKIE) ?? null,
    pendingToken: getCookie(c, PENDING_COOKIE) ?? null,
    network: ctx.request.ip && networkOf(ctx.request.ip),
  }
  const signInResult: SignInResult = { opened: null }
  let found: SessionActor | null = null
  // Auth.js turns whatever fails inside it into "signed out" or "misconfigured"; a fault must stay a fault.
  let fault: unknown = null
  let isRefused = false
  const captureFault: CaptureFault =
    (work) =>
    async (...args) => {
      try {
        return await work(...args)
      } catch (error) {
        if (!(error instanceof CredentialsSignin)) fault = error
        throw error
      }
    }

  const readSession = captureFault(async (token: string | undefined) => {
    found = token ? await findActorByToken(services.db, token, ctx.now) : null
    return found && { sub: found.actor.id }
  })
  const { local, link, secondFactor } = credentialsProviders(ctx, incomingTokens, signInResult, captureFault)
  const action = c.req.param('action')
  const isOpen = oidc !== null && (action !== 'providers' || (await mayUseProvider(services.db)))
  const offered = [local, ...(isOpen ? [oidcProvider(oidc)] : [])]
  const config: AuthConfig = {
    basePath: BASE_PATH,
    secret,
    trustHost: true,
    useSecureCookies: true,
    pages: { signIn: '/', error: '/', signOut: '/signout' },
    session: { strategy: 'jwt', maxAge: LIMITS.sessionSeconds },
    cookies: authCookies,
    // Neither a link nor the second factor is a way of signing in that a page could offer.
    providers: action === 'providers' ? offered : [...offered, link, secondFactor],
    jwt: {
      // Beside the session, Auth.js keeps what ties a provider's answer to the browser in encrypted cookies.
      encode: async (params) =>
        params.salt === SESSION_COOKIE
          ? (signInResult.opened?.token ?? incomingTokens.sessionToken ?? '')
          : encode(params),
      decode: (params) => (params.salt === SESSION_COOKIE ? readSession(params.token) : decode(params)),
    },
    callbacks: {
      redirect: ({ url }) => `${origin}${safeRedirectPath(url, origin)}`,
      session: ({ session }) => (found ? { ...session, ...describeSession(found) } : session),
      signIn: captureFault(async ({ account, profile }) => {
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
      signOut: captureFault(async () => {
        if (incomingTokens.sessionToken) await signOut(ctx, incomingTokens.sessionToken)
      }),
    },
    logger: {
      error: (error) => {
        isRefused = true
        services.log.debug('auth: refused', { request: ctx.request.id, error: error.name })
      },
      warn: (code) => services.log.warn('auth: warning', { code }),
      debug: () => undefined,
    },
  }
  const answered = await Auth(rebuildRequest(c, origin, form), config)
  if (fault !== null) throw fault
  // A copy, since the headers of a redirect made by Response.redirect cannot be added to.
  const response = new Response(answered.body, answered)
  const isSignedOut = action === 'signout' && method === 'POST' && !isRefused
  const pendingToken = signInResult.opened || isSignedOut ? null : signInResult.pendingToken
  if (pendingToken !== undefined && (pendingToken ?? incomingTokens.pendingToken)) {
    // Who is in, is out or has begun anew does not go on with what was begun before.
    if (incomingTokens.pendingToken) await abandonSignIn(ctx, incomingTokens.pendingToken)
    response.headers.append('set-cookie', pendingCookie(pendingToken))
  }
  return response
}

/** The provider is configured, but the house has another way in: the page says that there is no access. */
async function rejectProviderSignIn(services: Services, c: Context<Env>): Promise<Response> {
  const url = `${expectedOrigin(services.config, c.req.url)}/?error=AccessDenied`
  return wantsJson(c, await readForm(c)) ? c.json({ url }) : c.redirect(url)
}

/** What the browser learns of its session [7.3]. */
function describeSession({ actor, expiresAt }: SessionActor) {
  const { id, name, email, role, features, institutionIds } = actor
  return {
    user: { id, name, email, role, features: [...features], institutions: [...institutionIds] },
    expires: expiresAt.toISOString(),
  }
}
