import type { UserCtx } from '../../context.ts'
import { forbidden, invalidState, notFound } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'
import { canChangeBatch, canReadBatch, canUseBatches } from './batches.access.ts'
import { type BatchCounts, type BatchRow, countGroups, lockBatch, selectBatch } from './batches.db.ts'

/** Returns the batch. Throws FORBIDDEN to users who send no files, and NOT_FOUND if the actor may not read it. */
export async function getBatch(ctx: UserCtx, id: string): Promise<BatchRow> {
  if (!canUseBatches(ctx.actor)) throw forbidden('read batch')
  const batch = isId(id) ? await selectBatch(ctx.db, id) : undefined
  if (!batch || !canReadBatch(ctx.actor, batch)) throw notFound('batch')
  return batch
}

/** Returns the batch for a change by its author. Throws like `getBatch`, and FORBIDDEN to administrators who only read it. */
export async function getOwnBatch(ctx: UserCtx, id: string): Promise<BatchRow> {
  const batch = await getBatch(ctx, id)
  if (!canChangeBatch(ctx.actor, batch)) throw forbidden('change batch')
  return batch
}

/** Locks a batch that is not closed and returns it. Throws like `getOwnBatch`, and CONFLICT if it is closed. */
export async function getOpenBatch(tx: UserCtx, id: string): Promise<BatchRow> {
  await getOwnBatch(tx, id)
  await lockBatch(tx.db, id)
  const batch = await getOwnBatch(tx, id)
  if (batch.closed_at) throw invalidState('batch is closed', 'Lotul este încheiat. Începe altul.')
  return batch
}

/** Counts the groups of a batch that the actor has read. */
export const countBatch = ({ db }: UserCtx, { id }: BatchRow): Promise<BatchCounts> => countGroups(db, id)
