import { z } from 'zod'
import { LIMITS } from '../../../shared/limits.ts'
import { type Ctx, inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, notFound } from '../../errors.ts'
import { publish } from '../../platform/events.ts'
import { isId } from '../../platform/ids.ts'
import { parseInput, requiredText } from '../../validation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { notifyShareEnded } from './notify-share-ended.ts'
import { canShare } from './shares.access.ts'
import { endShare, type ShareRow, selectShare } from './shares.db.ts'

const schema = z.object({
  ids: z
    .array(z.string())
    .min(1, 'Alege cel puțin un link.')
    .max(LIMITS.endedShares, `Se pot închide cel mult ${LIMITS.endedShares} de linkuri odată.`),
  reason: requiredText('Motivul'),
})

/**
 * Ends shares, for staff who may share: the next request of their recipients and downloads under way end at once. One that
 * has ended stays as it is.
 */
export async function endShares(
  ctx: UserCtx,
  input: { ids: readonly string[]; reason: string },
): Promise<ShareRow[]> {
  if (!canShare(ctx.actor)) throw forbidden('end shares')
  const { ids, reason } = parseInput(schema, input)
  return inTransaction(ctx, async (tx) => {
    // In one order, so that two requests cannot wait for each other.
    for (const id of [...new Set(ids)].filter(isId).sort())
      await closeShare(tx, id, { by: tx.actor.id, why: 'person', note: reason })
    const shares: ShareRow[] = []
    for (const id of new Set(ids)) {
      const share = isId(id) ? await selectShare(tx.db, id) : undefined
      if (!share) throw notFound('share')
      shares.push(share)
    }
    return shares
  })
}

/** Ends a share and records it; returns its maker and patient, or undefined if it has ended before. */
async function closeShare(
  tx: Ctx,
  id: string,
  { by, why, note }: { by: string | null; why: 'person' | 'proofs'; note: string | null },
) {
  const ended = await endShare(tx.db, id, { at: tx.now, by, why, note })
  if (!ended) return undefined
  await recordAudit(tx, {
    action: 'share.end',
    subject: { type: 'share', id },
    patientId: ended.patient_id,
    changes: { ended_why: { to: why }, ...(note && { reason: { to: note } }) },
  })
  await publish(tx.db, { kind: 'share', id, patientId: ended.patient_id })
  await publish(tx.db, { kind: 'notification', userId: ended.created_by })
  return ended
}

/** Ends a share after the last wrong proof that it takes, and notifies its maker; nothing if it has ended before. */
export async function endAfterWrongProofs(tx: Ctx, id: string): Promise<void> {
  const ended = await closeShare(tx, id, { by: null, why: 'proofs', note: null })
  if (ended) await notifyShareEnded(tx, ended)
}
