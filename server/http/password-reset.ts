import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { createContext } from '../context.ts'
import { requestPasswordReset } from '../features/accounts/request-password-reset.ts'
import type { Parts } from '../parts.ts'
import { networkOf } from './client-address.ts'
import { limitBody } from './limit-body.ts'
import type { Env } from './types.ts'

const MAX_BODY = 4 * 1024
const body = z.object({ email: z.string() })

/** `{ email }`, as JSON: a mail to its owner, if it has one. The answer is the same for every address: 202 and `{}`. */
export function createPasswordResetDoor(parts: Parts): Hono<Env> {
  const limit = limitBody(MAX_BODY)
  const door = new Hono<Env>()
  door.post('/', limit, async (c) => {
    c.header('cache-control', 'no-store')
    const json = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/json'
    const read = body.safeParse(json ? await c.req.json().catch(() => null) : null)
    if (!read.success) throw new HTTPException(400)
    const facts = c.get('facts')
    await requestPasswordReset(createContext(parts, { kind: 'anonymous' }, facts), {
      email: read.data.email,
      network: facts.ip && networkOf(facts.ip),
    })
    return c.json({}, 202)
  })
  return door
}
