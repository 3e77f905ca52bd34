import type { Ctx } from '../../context.ts'
import { recordAudit } from './record-audit.ts'

/**
 * Records denied access in the audit log, under the product's own names of what was denied. The first of an actor
 * from a network is written at once, before the client gets the response; further ones within a minute become
 * one row with their number, so that no client can fill the log.
 */
export async function recordDenial(
  ctx: Ctx,
  { denied, network }: { denied: readonly string[]; network: string | null },
): Promise<void> {
  const { actor } = ctx
  const who = 'id' in actor ? actor.id : actor.kind === 'public' ? actor.keyId : actor.kind
  await ctx.services.denials.add(JSON.stringify([who, network]), denied, ({ count, details }) =>
    recordAudit(ctx, {
      action: 'access.denied',
      outcome: 'denied',
      changes: {
        field: { to: [...new Set(details)].join(', ') },
        ...(count > 1 && { times: { to: count } }),
      },
    }),
  )
}
