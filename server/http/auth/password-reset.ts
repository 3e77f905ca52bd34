import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { createContext } from '../../context.ts'
import { requestPasswordReset } from '../../features/accounts/links/request-password-reset.ts'
import type { Services } from '../../services.ts'
import { networkOf } from '../middleware/client-address.ts'
import { limitBody } from '../middleware/limit-body.ts'
import type { Env } from '../types.ts'

const MAX_BODY_BYTES = 4 * 1024
const body = z.object({ email: z.string() })

/**
 * Requests a mail with a reset link for `{ email }` (JSON). Responds with 202 and `{}` for every address, so
 * that the response does not reveal which addresses have an account.
 */
export function passwordResetRoutes(services: Services): Hono<Env> {
  const limit = limitBody(MAX_BODY_BYTES)
  const routes = new Hono<Env>()
  routes.post('/', limit, async (c) => {
    c.header('cache-control', 'no-store')
    const json = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/json'
    const read = body.safeParse(json ? await c.req.json().catch(() => null) : null)
    if (!read.success) throw new HTTPException(400)
    const requestOrigin = c.get('requestOrigin')
    await requestPasswordReset(createContext(services, { kind: 'anonymous' }, requestOrigin), {
      email: read.data.email,
      network: requestOrigin.ip && networkOf(requestOrigin.ip),
    })
    return c.json({}, 202)
  })
  return routes
}
