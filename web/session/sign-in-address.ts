/** Where a visitor who is not signed in is sent, and to which path they come back [2.20]. */
export const signInAddress = (path: string): string =>
  `/?${new URLSearchParams({ error: 'SessionRequired', callbackUrl: path })}`

/** The path after sign-in: one of this site, or the given one where the address names anything else. */
export function safeCallback(callbackUrl: string | undefined, otherwise: string): string {
  if (!callbackUrl?.startsWith('/') || callbackUrl.startsWith('//') || callbackUrl.startsWith('/\\'))
    return otherwise
  const url = new URL(callbackUrl, window.location.origin)
  return url.origin === window.location.origin ? `${url.pathname}${url.search}${url.hash}` : otherwise
}
