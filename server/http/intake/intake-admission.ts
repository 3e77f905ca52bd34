import type { Context } from 'hono'
import type { Ctx, IntegrationActor } from '../../context.ts'
import { invalid, UserError } from '../../errors.ts'
import { findIntegration, requireAllowedAddress } from '../../features/integrations/find-integration.ts'
import type { Lock, Locks } from '../../platform/locks.ts'
import type { Services } from '../../services.ts'
import { createRouteContext } from '../middleware/record-denials.ts'
import type { Env } from '../types.ts'

/** Printable ASCII. */
const IDEMPOTENCY_KEY = /^[!-~](?:[ -~]{0,198}[!-~])?$/
/** Requests of one integration at a time, on all servers together. */
const MAX_AT_ONCE = 4

export type AdmitIntegration = (
  c: Context<Env>,
  work: (ctx: Ctx<IntegrationActor>) => Promise<Response>,
) => Promise<Response>

/**
 * Returns a function that answers a request for the integration that sends it. It throws UNAUTHENTICATED without a valid key,
 * FORBIDDEN from an address that is not allowed, and TOO_MANY beyond `MAX_AT_ONCE`.
 */
export function createAdmission(services: Services): AdmitIntegration {
  return async (c, work) => {
    const found = await findIntegration(services.db, c.req.header('authorization'), new Date())
    c.set('requestOrigin', { ...c.get('requestOrigin'), origin: 'api' })
    const ctx = createRouteContext(services, c, found.actor)
    requireAllowedAddress(found, ctx.request.ip)
    const place = await takePlace(services.locks, found.actor.id)
    if (!place) throw new UserError('TOO_MANY', 'too many requests of an integration at a time')
    try {
      return await work(ctx)
    } finally {
      await place.release()
    }
  }
}

/** Returns one of the places of the integration; null while all are taken. */
async function takePlace(locks: Locks, id: string): Promise<Lock | null> {
  for (let number = 0; number < MAX_AT_ONCE; number += 1) {
    const place = await locks.tryAcquire(`intake ${id} ${number}`)
    if (place) return place
  }
  return null
}

/** Returns the sender's id of the document. Throws BAD_USER_INPUT. */
export function readIdempotencyKey(c: Context<Env>): string {
  const key = c.req.header('idempotency-key') ?? ''
  if (IDEMPOTENCY_KEY.test(key)) return key
  const message = 'Cheia documentului lipsește sau nu are între 1 și 200 de caractere ASCII vizibile.'
  throw invalid([{ field: 'Idempotency-Key', message }])
}
