/** Returns the sign-in address with the reason and the path to return to [2.20]. */
export const signInAddress = (path: string, error = 'SessionRequired'): string =>
  `/?${new URLSearchParams({ error, callbackUrl: path })}`

/** Returns the path after sign-in: `callbackUrl` if it is on this site, otherwise the given path. */
export function safeCallback(callbackUrl: string | undefined, fallback: string): string {
  // The protocol returns absolute addresses, also of this site.
  const path = callbackUrl?.startsWith(`${location.origin}/`)
    ? callbackUrl.slice(location.origin.length)
    : callbackUrl
  if (!path?.startsWith('/') || !URL.canParse(path, location.origin)) return fallback
  const { origin, pathname, search, hash } = new URL(path, location.origin)
  // `/.//host` looks like a path of this site, but resolves to `//host`.
  return origin === location.origin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : fallback
}
