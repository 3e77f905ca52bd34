import { Auth, type AuthConfig } from '@auth/core'
import { CredentialsSignin } from '@auth/core/errors'
import Credentials from '@auth/core/providers/credentials'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { getCookie } from 'hono/cookie'
import { LIMITS } from '../../shared/limits.ts'
import { endSession } from '../features/accounts/end-session.ts'
import { findActorByToken, type SessionActor } from '../features/accounts/find-actor.ts'
import type { OpenedSession } from '../features/accounts/open-session.ts'
import { setPasswordByLink } from '../features/accounts/set-password-by-link.ts'
import { signIn } from '../features/accounts/sign-in.ts'
import { createContext, type Parts } from '../parts.ts'
import { deriveKey } from '../platform/keys.ts'
import { SESSION_COOKIE } from './actors.ts'
import { ownPath } from './own-path.ts'
import { ownOrigin } from './same-origin.ts'
import type { Env } from './types.ts'

const BASE_PATH = '/api/auth'
const CALLBACK_COOKIE = '__Host-dosar.callback-url'
const COOKIES = [SESSION_COOKIE, '__Host-dosar.csrf', CALLBACK_COOKIE] as const
const MAX_BODY = 16 * 1024

type Form = Record<string, string>

/** A sign-in that Auth.js answers as `error=CredentialsSignin`, with the reason in `code`. */
class SignInRefused extends CredentialsSignin {
  constructor(code: string) {
    super()
    this.code = code
  }
}

/**
 * Signing in and out by the protocol of Auth.js [7.1]–[7.5]. What Auth.js would keep in an encrypted cookie is a row of
 * ours: the cookie holds a random token, so that a session can be ended and rights be changed at the next request.
 */
export function createAuthDoor(parts: Parts): Hono<Env> {
  const secret = deriveKey(parts.config.secret, 'auth').toString('base64url')
  const limit = bodyLimit({
    maxSize: MAX_BODY,
    onError: (c) => c.json({ code: 'BAD_USER_INPUT', message: 'Cererea este prea mare.' }, 413),
  })
  const door = new Hono<Env>()
  door.use(async (c, next) => {
    await next()
    c.res.headers.set('cache-control', 'no-store')
  })
  // Asking changes nothing, so it sets no cookie either: the answer to a question asked before a sign-in, arriving after
  // it, would else put the old cookies back.
  door.get('/:action{providers|session}', async (c) => {
    const response = await answer(parts, secret, c, 'GET')
    response.headers.delete('set-cookie')
    return response
  })
  door.get('/:action{csrf|signin|signout}', (c) => answer(parts, secret, c, 'GET'))
  door.post('/:action{signin|callback}/:provider{local|link}', limit, (c) => answer(parts, secret, c, 'POST'))
  door.post('/signout', limit, (c) => answer(parts, secret, c, 'POST'))
  return door
}

async function answer(
  parts: Parts,
  secret: string,
  c: Context<Env>,
  method: 'GET' | 'POST',
): Promise<Response> {
  const origin = ownOrigin(parts.config, c.req.url)
  const form = method === 'POST' ? await readForm(c) : {}
  const ctx = createContext(parts, { kind: 'anonymous' }, c.get('facts'))
  const cookieToken = getCookie(c, SESSION_COOKIE) ?? null
  let opened: OpenedSession | null = null
  let found: SessionActor | null = null
  // Auth.js turns whatever fails inside it into "signed out" or "misconfigured"; a fault must stay a fault.
  let fault: unknown = null
  const keepFault =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      try {
        return await work(...args)
      } catch (error) {
        if (!(error instanceof CredentialsSignin)) fault = error
        throw error
      }
    }

  const local = Credentials({
    id: 'local',
    name: 'Dosar',
    credentials: { email: { type: 'email' }, password: { type: 'password' } },
    authorize: keepFault(async ({ email, password }) => {
      opened = await signIn(ctx, { email: text(email), password: text(password), formerToken: cookieToken })
      return opened && { id: opened.actor.id }
    }),
  })
  const link = Credentials({
    id: 'link',
    credentials: { token: {}, password: { type: 'password' } },
    authorize: keepFault(async ({ token, password }) => {
      const result = await setPasswordByLink(ctx, {
        token: text(token),
        password: text(password),
        formerToken: cookieToken,
      })
      if ('refused' in result) throw new SignInRefused(result.refused)
      opened = result.session
      return { id: opened.actor.id }
    }),
  })

  const config: AuthConfig = {
    basePath: BASE_PATH,
    secret,
    trustHost: true,
    useSecureCookies: true,
    pages: { signIn: '/', error: '/', signOut: '/signout' },
    session: { strategy: 'jwt', maxAge: LIMITS.sessionSeconds },
    cookies: {
      sessionToken: { name: COOKIES[0], options: { maxAge: LIMITS.sessionSeconds } },
      csrfToken: { name: COOKIES[1], options: { maxAge: LIMITS.sessionSeconds } },
      callbackUrl: { name: COOKIES[2], options: { maxAge: LIMITS.sessionSeconds } },
    },
    // A link is not a way of signing in that a page could offer.
    providers: c.req.param('action') === 'providers' ? [local] : [local, link],
    jwt: {
      encode: async () => opened?.token ?? cookieToken ?? '',
      decode: keepFault(async ({ token }) => {
        found = token ? await findActorByToken(parts.db, token, ctx.now) : null
        return found && { sub: found.actor.id }
      }),
    },
    callbacks: {
      redirect: ({ url }) => `${origin}${ownPath(url, origin)}`,
      session: ({ session }) => (found ? { ...session, ...describeSession(found) } : session),
    },
    events: {
      signOut: keepFault(async () => {
        if (cookieToken) await endSession(ctx, cookieToken)
      }),
    },
    logger: {
      error: (error) => parts.log.debug('auth: refused', { request: ctx.request.id, error: error.name }),
      warn: (code) => parts.log.warn('auth: warning', { code }),
      debug: () => undefined,
    },
  }
  const response = await Auth(rebuildRequest(c, method, origin, form), config)
  if (fault !== null) throw fault
  // A copy, since the headers of a redirect made by Response.redirect cannot be added to.
  return new Response(response.body, response)
}

/** What the browser learns of its session [7.3]. */
function describeSession({ actor, expiresAt }: SessionActor) {
  const { id, name, email, role, features, institutionIds } = actor
  return {
    user: { id, name, email, role, features: [...features], institutions: [...institutionIds] },
    expires: expiresAt.toISOString(),
  }
}

/**
 * The request as Auth.js may see it: on our own origin whatever Host says, with our own cookies only (a planted
 * `…session.0` would be joined to ours), addresses to come back to reduced to our own, and the form field `json` as the
 * header that Auth.js knows [7.4][7.5].
 */
function rebuildRequest(c: Context<Env>, method: 'GET' | 'POST', origin: string, form: Form): Request {
  const url = new URL(c.req.path, origin)
  const error = c.req.query('error')
  if (error !== undefined) url.searchParams.set('error', error)
  const callbackUrl = form.callbackUrl ?? c.req.query('callbackUrl')
  const body = new URLSearchParams(form)
  if (callbackUrl !== undefined) {
    const safe = ownPath(callbackUrl, origin)
    if (method === 'POST') body.set('callbackUrl', safe)
    else url.searchParams.set('callbackUrl', safe)
  }
  const headers = new Headers()
  const cookies = COOKIES.flatMap((name) => {
    const value = getCookie(c, name)
    if (value === undefined || (name === CALLBACK_COOKIE && ownPath(value, origin) === '/')) return []
    return [`${name}=${encodeURIComponent(value)}`]
  })
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
  if (form.json === 'true' || c.req.header('x-auth-return-redirect'))
    headers.set('x-auth-return-redirect', '1')
  return new Request(url, method === 'POST' ? { method, headers, body } : { method, headers })
}

/** The fields of a form-encoded body; none for any other kind of body, which then lacks the CSRF token. */
async function readForm(c: Context<Env>): Promise<Form> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return {}
  return Object.fromEntries(new URLSearchParams(await c.req.text()))
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
