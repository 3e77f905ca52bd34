import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { type ApiKeyRow, selectApiKeys } from './api-keys.db.ts'
import { canManageApiKeys } from './site.access.ts'

/** Returns every API key, revoked ones included, for administrators. */
export async function listApiKeys(ctx: UserCtx): Promise<ApiKeyRow[]> {
  if (!canManageApiKeys(ctx.actor)) throw forbidden('list api keys')
  return selectApiKeys(ctx.db)
}
