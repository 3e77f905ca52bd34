import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalidState, notFound } from '../../errors.ts'
import { requireFreshProof } from '../../fresh-proof.ts'
import { isId } from '../../platform/ids.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { readIntegrationInput } from './integration-input.ts'
import { canManageIntegrations } from './integrations.access.ts'
import {
  type IntegrationRow,
  lockIntegration,
  selectIntegration,
  updateIntegrationRevoked,
  updateIntegrationRow,
} from './integrations.db.ts'

const FIELDS = ['name', 'kind', 'institution_id', 'category_slug', 'addresses', 'submits_to_review'] as const

/** Changes an integration, for administrators. Throws CONFLICT if `version` is not the current one, or its key is revoked. */
export async function updateIntegration(
  ctx: UserCtx,
  { id, version, input }: { id: string; version: number; input: unknown },
): Promise<IntegrationRow> {
  return changeIntegration(ctx, id, async (tx, before) => {
    const values = await readIntegrationInput(tx, input)
    if (!(await updateIntegrationRow(tx.db, id, version, values))) throw conflict('integration')
    await recordAudit(tx, {
      action: 'integration.update',
      subject: { type: 'integration', id },
      changes: listChanges(before, { ...before, ...values }, FIELDS),
    })
  })
}

/** Revokes the key of an integration, for administrators: the next request with it is rejected. Throws CONFLICT if it is. */
export async function revokeIntegration(ctx: UserCtx, id: string): Promise<IntegrationRow> {
  return changeIntegration(ctx, id, async (tx, { name }) => {
    await updateIntegrationRevoked(tx.db, id, tx.now)
    await recordAudit(tx, {
      action: 'integration.revoke',
      subject: { type: 'integration', id },
      changes: { name: { to: name } },
    })
  })
}

async function changeIntegration(
  ctx: UserCtx,
  id: string,
  change: (tx: UserCtx, before: IntegrationRow) => Promise<void>,
): Promise<IntegrationRow> {
  if (!canManageIntegrations(ctx.actor)) throw forbidden('change integration')
  requireFreshProof(ctx)
  return inTransaction(ctx, async (tx) => {
    if (!isId(id) || !(await lockIntegration(tx.db, id))) throw notFound('integration')
    const before = (await selectIntegration(tx.db, id))!
    if (before.revoked_at) throw invalidState('integration revoked', 'Cheia integrării a fost deja revocată.')
    await change(tx, before)
    return (await selectIntegration(tx.db, id))!
  })
}
