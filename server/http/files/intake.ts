import { type Context, Hono } from 'hono'
import { invalid, UserError } from '../../errors.ts'
import { findIntegration, requireAllowedAddress } from '../../features/integrations/find-integration.ts'
import { receiveIntake, type SentDocument } from '../../features/integrations/receive-intake.ts'
import type { Services } from '../../services.ts'
import { createRouteContext } from '../middleware/record-denials.ts'
import { bodyOf } from '../request-body.ts'
import type { Env } from '../types.ts'
import { readForm } from './intake-form.ts'

/** Printable ASCII. */
const IDEMPOTENCY_KEY = /^[!-~](?:[ -~]{0,198}[!-~])?$/
/** Requests of one integration at a time, on each server. */
const MAX_AT_ONCE = 4

/**
 * Receives documents of integrations as `multipart/form-data`: what they state of it (`facts`) and the file, which is streamed
 * to the disk. Responds with 201 once it is durable, and with 200 to the same again.
 */
export function intakeRoutes(services: Services): Hono<Env> {
  const running = new Map<string, number>()
  const routes = new Hono<Env>()
  routes.post('/', async (c) => {
    const found = await findIntegration(services.db, c.req.header('authorization'), new Date())
    c.set('requestOrigin', { ...c.get('requestOrigin'), origin: 'api' })
    const ctx = createRouteContext(services, c, found.actor)
    requireAllowedAddress(found, ctx.request.ip)
    const { id } = found.actor
    const before = running.get(id) ?? 0
    if (before >= MAX_AT_ONCE)
      throw new UserError('TOO_MANY', 'too many requests of an integration at a time')
    running.set(id, before + 1)
    try {
      const { receipt, isNew } = await receiveIntake(ctx, await readDocument(c))
      return c.json(receipt, isNew ? 201 : 200, { 'cache-control': 'no-store' })
    } finally {
      running.set(id, running.get(id)! - 1)
    }
  })
  return routes
}

/** Reads the request up to the bytes of the file. */
async function readDocument(c: Context<Env>): Promise<SentDocument> {
  const key = c.req.header('idempotency-key') ?? ''
  if (!IDEMPOTENCY_KEY.test(key))
    throw invalid([
      {
        field: 'Idempotency-Key',
        message: 'Cheia documentului lipsește sau nu are între 1 și 200 de caractere ASCII vizibile.',
      },
    ])
  const form = await readForm(bodyOf(c), c.req.header('content-type') ?? '')
  const length = Number(c.req.header('content-length') ?? Number.NaN)
  return { ...form, key, announced: Number.isNaN(length) ? null : length }
}
