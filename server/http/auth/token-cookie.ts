import { LIMITS } from '../../../shared/limits.ts'

/**
 * The public API key as the page hands it to its public client [9.5]. Written by hand: Hono takes no name with a colon.
 * It is no secret, so the page's own scripts may read it.
 */
export const publicTokenCookie = (key: string): string =>
  `apollo:public.token=${key}; Path=/; Max-Age=${LIMITS.sessionSeconds}; Secure; SameSite=Strict`
