import { INTEGRATION_KEY_PREFIX } from '../../../shared/integrations.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { requireFreshProof } from '../../fresh-proof.ts'
import { hashToken, newToken } from '../../platform/crypto/keys.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { keyHint } from '../site/create-api-key.ts'
import { readIntegrationInput } from './integration-input.ts'
import { canManageIntegrations } from './integrations.access.ts'
import { type IntegrationRow, insertIntegration, selectIntegration } from './integrations.db.ts'

/**
 * Creates an integration, for administrators. Returns its key, 256 random bits, only this once: its hash and last four
 * characters are stored.
 */
export async function createIntegration(
  ctx: UserCtx,
  input: unknown,
): Promise<{ key: string; integration: IntegrationRow }> {
  if (!canManageIntegrations(ctx.actor)) throw forbidden('create integration')
  requireFreshProof(ctx)
  return inTransaction(ctx, async (tx) => {
    const values = await readIntegrationInput(tx, input)
    const id = newId()
    const key = `${INTEGRATION_KEY_PREFIX}${newToken()}`
    const secret = { key_hash: hashToken(key), hint: keyHint(key) }
    await insertIntegration(tx.db, {
      id,
      ...values,
      ...secret,
      created_by: tx.actor.id,
      created_at: tx.now,
    })
    await recordAudit(tx, {
      action: 'integration.create',
      subject: { type: 'integration', id },
      changes: Object.fromEntries(Object.entries(values).map(([field, to]) => [field, { to }])),
    })
    return { key, integration: (await selectIntegration(tx.db, id))! }
  })
}
