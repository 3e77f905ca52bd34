import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { canManageIntegrations } from './integrations.access.ts'
import { type IntegrationRow, selectIntegrations } from './integrations.db.ts'

/** Returns every integration, revoked ones included, for administrators. */
export async function listIntegrations(ctx: UserCtx): Promise<IntegrationRow[]> {
  if (!canManageIntegrations(ctx.actor)) throw forbidden('list integrations')
  return selectIntegrations(ctx.db)
}
