import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalidState, notFound } from '../../errors.ts'
import { requireFreshProof } from '../../fresh-proof.ts'
import { isId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { lockApiKey, updateApiKeyRevoked } from './api-keys.db.ts'
import { canManageApiKeys } from './site.access.ts'

/**
 * Revokes an API key, for administrators: the next request with it is rejected. Throws CONFLICT for a revoked
 * key and for the product's own key, which the public pages need.
 */
export function revokeApiKey(ctx: UserCtx, id: string): Promise<string> {
  if (!canManageApiKeys(ctx.actor)) throw forbidden('revoke api key')
  requireFreshProof(ctx)
  return inTransaction(ctx, async (tx) => {
    const key = isId(id) ? await lockApiKey(tx.db, id) : undefined
    if (!key) throw notFound('api key')
    if (key.created_by === null) {
      throw invalidState('own api key', 'Cheia paginilor publice ține de produs și nu poate fi revocată.')
    }
    if (key.revoked_at) throw invalidState('api key already revoked', 'Cheia a fost deja revocată.')
    await updateApiKeyRevoked(tx.db, id, tx.now)
    await recordAudit(tx, {
      action: 'api-key.revoke',
      subject: { type: 'api-key', id },
      changes: { name: { to: key.name } },
    })
    return id
  })
}
