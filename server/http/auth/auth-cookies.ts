import type { AuthConfig } from '@auth/core'
import { generateCookie } from 'hono/cookie'
import { LIMITS } from '../../../shared/limits.ts'
import { SESSION_COOKIE } from './authenticate.ts'

export const CALLBACK_COOKIE = '__Host-dosar.callback-url'
/** Also identifies the browser of a user who is not signed in yet. */
export const CSRF_COOKIE = '__Host-dosar.csrf'
/**
 * Carries the token of a sign-in that waits for the second factor. Only the routes of the second factor use
 * it.
 */
export const PENDING_COOKIE = '__Host-dosar.pending'
/** Names the accounts that have signed in on the browser; it stays after a sign-out (`device-cookie.ts`). */
export const DEVICE_COOKIE = '__Host-dosar.device'
/** Cookies that bind a provider's response to the browser that was sent there, one per check. */
const CHECK_COOKIES = {
  pkceCodeVerifier: '__Host-dosar.pkce',
  state: '__Host-dosar.state',
  nonce: '__Host-dosar.nonce',
} as const
/** How long a user may take to sign in at the provider. */
const CHECK_MAX_AGE_SECONDS = 15 * 60

/** The cookies that Auth.js may see. */
export const AUTH_COOKIES = [
  SESSION_COOKIE,
  CSRF_COOKIE,
  CALLBACK_COOKIE,
  ...Object.values(CHECK_COOKIES),
] as const

const persistent = (name: string, maxAge: number) => ({ name, options: { maxAge } })

/**
 * The cookies' names and ages for Auth.js, which adds `Secure`, `HttpOnly`, `SameSite=Lax` and `Path=/`
 * [9.5].
 */
export const authCookies: NonNullable<AuthConfig['cookies']> = {
  sessionToken: persistent(SESSION_COOKIE, LIMITS.sessionSeconds),
  csrfToken: persistent(CSRF_COOKIE, LIMITS.sessionSeconds),
  callbackUrl: persistent(CALLBACK_COOKIE, LIMITS.sessionSeconds),
  pkceCodeVerifier: persistent(CHECK_COOKIES.pkceCodeVerifier, CHECK_MAX_AGE_SECONDS),
  state: persistent(CHECK_COOKIES.state, CHECK_MAX_AGE_SECONDS),
  nonce: persistent(CHECK_COOKIES.nonce, CHECK_MAX_AGE_SECONDS),
}

export const serializeCookie = (name: string, value: string, maxAge: number): string =>
  generateCookie(name, value, { path: '/', secure: true, httpOnly: true, sameSite: 'Lax', maxAge })

/**
 * Returns the Set-Cookie header that stores the token of a pending sign-in; with null, the one that deletes
 * it.
 */
export const pendingCookie = (token: string | null): string =>
  token === null
    ? serializeCookie(PENDING_COOKIE, '', 0)
    : serializeCookie(PENDING_COOKIE, token, LIMITS.pendingSignInSeconds)

/**
 * Returns the Set-Cookie headers that delete the check cookies, which are valid for one provider response,
 * good or bad.
 */
export const withoutChecks = (): string[] =>
  Object.values(CHECK_COOKIES).map((name) => serializeCookie(name, '', 0))
