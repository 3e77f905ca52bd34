import { counted } from '../../../shared/romania/romanian.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { invalidState, type UserError } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { lockDraftRows } from '../uploads/drafts/join-drafts.ts'
import { withdrawUpload } from '../uploads/withdraw-upload.ts'
import { type BatchRow, selectOpenGroups, updateClosedAt } from './batches.db.ts'
import { getBatch, getOpenBatch } from './get-batch.ts'

/**
 * Closes a batch, for its author, and withdraws the drafts of files that never arrived, and the other groups that were not
 * filed. Throws CONFLICT if there are any of these, unless they are `withdrawRest`, the number that the author has confirmed.
 */
export async function closeBatch(
  ctx: UserCtx,
  { id, withdrawRest }: { id: string; withdrawRest?: number | null | undefined },
): Promise<BatchRow> {
  return inTransaction(ctx, async (tx) => {
    await getOpenBatch(tx, id)
    await lockDraftRows(tx, await selectOpenGroups(tx.db, id))
    const groups = await selectOpenGroups(tx.db, id)
    const rest = groups.filter(({ is_missing }) => !is_missing).length
    if (rest > 0 && rest !== withdrawRest) throw groupsAreLeft(rest, withdrawRest != null)
    for (const group of groups) await withdrawUpload(tx, group.id)
    await updateClosedAt(tx.db, id, tx.now)
    const changes = { files: { to: rest } }
    await recordAudit(tx, { action: 'batch.close', subject: { type: 'batch', id }, changes })
    return getBatch(tx, id)
  })
}

function groupsAreLeft(rest: number, isConfirmed: boolean): UserError {
  const groups = counted(rest, 'grup netrimis', 'grupuri netrimise')
  return isConfirmed
    ? invalidState('other groups are left', `Între timp lotul are ${groups}. Confirmă din nou.`)
    : invalidState('groups are left', `Lotul mai are ${groups}: trimite-le sau retrage-le întâi.`)
}
