import { SIGNED_IN_TARGET } from '../../shared/access/guards.ts'

/** Returns the sign-in address with the reason and the path to return to [2.20]. */
export const signInAddress = (path: string, error = 'SessionRequired'): string =>
  `/?${new URLSearchParams({ error, callbackUrl: path })}`

/** Returns the path after sign-in: `callbackUrl` if it is on this site, otherwise the first screen. */
export function signedInTarget(callbackUrl: string | null | undefined): string {
  // The protocol returns absolute addresses, also of this site.
  const path = callbackUrl?.startsWith(`${location.origin}/`)
    ? callbackUrl.slice(location.origin.length)
    : callbackUrl
  if (!path?.startsWith('/') || !URL.canParse(path, location.origin)) return SIGNED_IN_TARGET
  const { origin, pathname, search, hash } = new URL(path, location.origin)
  // `/.//host` looks like a path of this site, but resolves to `//host`.
  return origin === location.origin && !pathname.startsWith('//')
    ? `${pathname}${search}${hash}`
    : SIGNED_IN_TARGET
}
