import { LIMITS } from '../../../shared/limits.ts'
import { findCookie } from '../find-cookie.ts'
import { serverNow } from '../server-clock.ts'
import type { TokenRecord } from '../session-calls.ts'
import { TOKEN_COOKIE, tokenCookieAttributes } from './clear-token-cookie.ts'
import { readClaims } from './token-claims.ts'

/**
 * Returns the cookie to write for a token; `now` is the server's time in unix seconds. Null if the token has
 * expired.
 */
export function tokenCookie({ id_token, expires_at }: TokenRecord, now: number): string | null {
  const secondsLeft = Math.min(Math.floor((expires_at ?? 0) - now), LIMITS.sessionSeconds)
  return id_token && secondsLeft > 0
    ? `${TOKEN_COOKIE}=${id_token}; ${tokenCookieAttributes(secondsLeft)}`
    : null
}

/**
 * Returns the token of a page's cookies with its own expiry; null if there is none or it cannot be parsed.
 */
export function findToken(cookies: string): TokenRecord | null {
  const id_token = findCookie(cookies, TOKEN_COOKIE)
  const { exp } = readClaims(id_token)
  return id_token && typeof exp === 'number' ? { expires_at: exp, id_token } : null
}

export const readTokenCookie = (): TokenRecord | null => findToken(document.cookie)

export function writeTokenCookie(record: TokenRecord): void {
  const cookie = tokenCookie(record, serverNow())
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers of two years ago
  if (cookie) document.cookie = cookie
}
