import { z } from 'zod'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { parseInput, requiredText } from '../../validation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { canUseBatches } from './batches.access.ts'
import { type BatchRow, insertBatch } from './batches.db.ts'
import { getBatch } from './get-batch.ts'

const schema = z.object({ name: requiredText('Numele lotului') })

/** Begins a batch, for staff who send files. */
export async function createBatch(ctx: UserCtx, input: { name: string }): Promise<BatchRow> {
  if (!canUseBatches(ctx.actor)) throw forbidden('create batch')
  const { name } = parseInput(schema, input)
  return inTransaction(ctx, async (tx) => {
    const id = newId()
    await insertBatch(tx.db, { id, name, created_by: tx.actor.id })
    await recordAudit(tx, { action: 'batch.create', subject: { type: 'batch', id } })
    return getBatch(tx, id)
  })
}
