/** Where a visitor who is not signed in is sent, why, and to which path they come back [2.20]. */
export const signInAddress = (path: string, error = 'SessionRequired'): string =>
  `/?${new URLSearchParams({ error, callbackUrl: path })}`

/** The path after sign-in: one of this site, or the given one where the address names anything else. */
export function safeCallback(callbackUrl: string | undefined, otherwise: string): string {
  // The protocol answers whole addresses, also of this site.
  const path = callbackUrl?.startsWith(`${location.origin}/`)
    ? callbackUrl.slice(location.origin.length)
    : callbackUrl
  if (!path?.startsWith('/') || !URL.canParse(path, location.origin)) return otherwise
  const { origin, pathname, search, hash } = new URL(path, location.origin)
  // `/.//host` is ours to begin with, and `//host` once its dots are resolved.
  return origin === location.origin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : otherwise
}
