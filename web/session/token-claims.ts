/** What a token says of itself, unverified: the server does that. Empty where it cannot be read. */
export function readClaims(idToken: string | null | undefined): { sub?: unknown; exp?: unknown } {
  try {
    const claims = idToken?.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
    return JSON.parse(atob(claims)) ?? {}
  } catch {
    return {}
  }
}
