import { counted } from '../../../shared/romania/romanian.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { invalidState } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { withdrawUpload } from '../uploads/withdraw-upload.ts'
import { type BatchRow, selectOpenGroups, updateClosedAt } from './batches.db.ts'
import { getBatch, getOpenBatch } from './get-batch.ts'

/**
 * Closes a batch, for its author, and withdraws the drafts of files that never arrived; with `withdrawRest` also the groups
 * that were not filed. Throws CONFLICT if there are any and they are to stay.
 */
export async function closeBatch(
  ctx: UserCtx,
  { id, withdrawRest }: { id: string; withdrawRest?: boolean | null | undefined },
): Promise<BatchRow> {
  return inTransaction(ctx, async (tx) => {
    await getOpenBatch(tx, id)
    const groups = await selectOpenGroups(tx.db, id)
    const rest = groups.filter(({ has_file }) => has_file).length
    if (rest > 0 && !withdrawRest) {
      const groups = counted(rest, 'grup netrimis', 'grupuri netrimise')
      throw invalidState('groups are left', `Lotul mai are ${groups}: trimite-le sau retrage-le întâi.`)
    }
    for (const group of groups) await withdrawUpload(tx, group.id)
    await updateClosedAt(tx.db, id, tx.now)
    const changes = { files: { to: rest } }
    await recordAudit(tx, { action: 'batch.close', subject: { type: 'batch', id }, changes })
    return getBatch(tx, id)
  })
}
