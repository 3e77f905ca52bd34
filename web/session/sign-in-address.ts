/** Where a visitor who is not signed in is sent, why, and to which path they come back [2.20]. */
export const signInAddress = (path: string, error = 'SessionRequired'): string =>
  `/?${new URLSearchParams({ error, callbackUrl: path })}`

/** The path after sign-in: one of this site, or the given one where the address names anything else. */
export function safeCallback(callbackUrl: string | undefined, otherwise: string): string {
  if (!callbackUrl?.startsWith('/') || !URL.canParse(callbackUrl, location.origin)) return otherwise
  const { origin, pathname, search, hash } = new URL(callbackUrl, location.origin)
  // `/.//host` is ours to begin with, and `//host` once its dots are resolved.
  return origin === location.origin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : otherwise
}
