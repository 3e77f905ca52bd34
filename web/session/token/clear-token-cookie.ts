/**
 * The cookie that keeps the token for the next page of the same browser [9.5], so that a reload does not
 * fetch one. Only the pages read it: the server accepts no token from a cookie
 * (docs/decisions/0014-token-cookies.md). Reading and writing are in token-cookie.ts, because every page
 * loads this module first.
 */
export const TOKEN_COOKIE = 'apollo:default.token'

export const tokenCookieAttributes = (seconds: number): string =>
  `Path=/; Max-Age=${seconds}; Secure; SameSite=Strict`

export function clearTokenCookie(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers of two years ago
  document.cookie = `${TOKEN_COOKIE}=; ${tokenCookieAttributes(0)}`
}
