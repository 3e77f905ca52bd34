import type { Context } from 'hono'
import { type Actor, type Ctx, createContext } from '../../context.ts'
import { UserError } from '../../errors.ts'
import { recordDenial } from '../../features/audit/record-denial.ts'
import type { Services } from '../../services.ts'
import type { Env } from '../types.ts'
import { networkOf } from './client-address.ts'

/** Returns the context of a REST request, whose denied access the error handler then records. */
export function createRouteContext<A extends Actor>(services: Services, c: Context<Env>, actor: A): Ctx<A> {
  const ctx = createContext(services, actor, c.get('requestOrigin'))
  c.set('client', ctx)
  return ctx
}

/**
 * Records the denied accesses among the errors of a response, before the client gets it. The audit log has the
 * product's own names, and does not distinguish a forbidden thing from a missing one.
 */
export async function recordDenials(ctx: Ctx, errors: readonly unknown[]): Promise<void> {
  const denied = errors.flatMap((error) =>
    error instanceof UserError && error.denied !== null ? [error.denied] : [],
  )
  const { ip } = ctx.request
  if (denied.length > 0) await recordDenial(ctx, { denied, network: ip === null ? null : networkOf(ip) })
}
