/**
 * Where the token waits for the next page of the same browser [9.5], so that a reload asks for none. Only the pages read
 * it: the server takes no cookie for a token (docs/decisions/0014-token-cookies.md). Reading and writing it
 * (token-cookie.ts) is apart from this, which is part of what every page loads first.
 */
export const TOKEN_COOKIE = 'apollo:default.token'

export const tokenCookieAttributes = (seconds: number): string =>
  `Path=/; Max-Age=${seconds}; Secure; SameSite=Strict`

export function clearTokenCookie(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers of two years ago
  document.cookie = `${TOKEN_COOKIE}=; ${tokenCookieAttributes(0)}`
}
