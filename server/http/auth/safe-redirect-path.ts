const MAX_PATH_LENGTH = 2_000

/**
 * Returns the path, query and fragment of an address on `origin`; '/' for every other address, also for those
 * that a browser parses differently than they look: `//host`, `/\host`, user names, control characters, other
 * schemes.
 */
export function safeRedirectPath(address: string, origin: string): string {
  const relative = address.startsWith('/')
  const plain = address.length <= MAX_PATH_LENGTH && !/[\p{Cc}\s\\]/u.test(address)
  if (!plain || !(relative || address === origin || address.startsWith(`${origin}/`))) return '/'
  const url = URL.parse(address, origin)
  if (url?.origin !== origin || url.pathname.startsWith('//')) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}
