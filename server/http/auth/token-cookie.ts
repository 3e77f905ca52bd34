import { LIMITS } from '../../../shared/limits.ts'

/**
 * Returns the Set-Cookie header with the public API key for the page's public client [9.5]. Not by Hono,
 * which rejects names with a colon; not HttpOnly, because the key is no secret and the page's scripts read
 * it.
 */
export const publicTokenCookie = (key: string): string =>
  `apollo:public.token=${key}; Path=/; Max-Age=${LIMITS.sessionSeconds}; Secure; SameSite=Strict`
