import { Hono } from 'hono'
import { z } from 'zod'
import { TOKEN_AUDIENCES } from '../../../shared/token-audiences.ts'
import { invalid } from '../../errors.ts'
import type { Services } from '../../services.ts'
import type { Env } from '../types.ts'
import { authenticateCookie } from './authenticate.ts'
import { publicKeySet, signIdToken } from './id-token.ts'

const audience = z.enum(TOKEN_AUDIENCES).default('graphql')

/**
 * Serves a token by the session cookie [7.6], for GraphQL unless the parameter `audience` names another use:
 * `expires_at` in unix seconds; both null without a session.
 */
export function tokenRoutes(services: Services): Hono<Env> {
  const routes = new Hono<Env>()
  routes.get('/', async (c) => {
    c.header('cache-control', 'no-store')
    const requested = audience.safeParse(c.req.query('audience'))
    if (!requested.success)
      throw invalid([{ field: 'audience', message: 'Nu există o astfel de utilizare a unui token.' }])
    const session = await authenticateCookie(services, c)
    if (!session) return c.json({ expires_at: null, id_token: null })
    const { actor, expiresAt: sessionEnd } = session
    const { idToken, expiresAt } = await signIdToken(
      actor,
      requested.data,
      sessionEnd,
      services.signingKeys.privateKey,
      new Date(),
    )
    return c.json({ expires_at: expiresAt, id_token: idToken })
  })
  return routes
}

/** Serves the public key of the id_tokens, for a GraphQL host that is not this server. */
export function keySetRoutes({ signingKeys }: Pick<Services, 'signingKeys'>): Hono<Env> {
  const keySet = publicKeySet(signingKeys.publicKey)
  const routes = new Hono<Env>()
  routes.get('/', async (c) => c.json(await keySet, 200, { 'cache-control': 'public, max-age=3600' }))
  return routes
}
