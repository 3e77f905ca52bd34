import { LIMITS } from '../../../shared/limits.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { invalid, invalidState, notFound } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'
import { returnToDraft } from '../uploads/drafts/return-to-draft.ts'
import { getUploadToChange } from '../uploads/find-upload.ts'
import { getOwnGroup } from './accept-group.ts'
import { type ActedGroups, actOnGroups } from './act-on-groups.ts'
import { deleteProposal, hasVerdict, lockBatch, selectFiledGroups, updateClosedAt } from './batches.db.ts'
import { getOwnBatch } from './get-batch.ts'

type Input = {
  batchId: string
  uploadIds?: readonly string[] | null | undefined
  after?: string | null | undefined
}

/**
 * Takes groups of a batch back that were filed in the last minutes, for their author: those named, or all, some at a time.
 * They are groups of the batch again, without a patient. Leaves those that have a verdict. A closed batch is open again.
 */
export async function undoFiling(ctx: UserCtx, { batchId, uploadIds, after }: Input): Promise<ActedGroups> {
  const batch = await getOwnBatch(ctx, batchId)
  if (uploadIds && uploadIds.length > LIMITS.batchGroups)
    throw invalid([{ field: 'uploadIds', message: `Cel mult ${LIMITS.batchGroups} de încărcări odată.` }])
  const since = new Date(ctx.now.getTime() - LIMITS.undoFilingMinutes * 60_000)
  const from = after && isId(after) ? after : null
  const rows = uploadIds
    ? [...new Set(uploadIds)].map((id) => ({ id }))
    : await selectFiledGroups(ctx.db, batch.id, { since, after: from }, LIMITS.batchGroups)
  return actOnGroups(rows, ({ id }) => undoOne(ctx, { id, batchId: batch.id, since }))
}

function undoOne(
  ctx: UserCtx,
  { id, batchId, since }: { id: string; batchId: string; since: Date },
): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    // Nobody closes the batch before the group is one of its open ones.
    const batch = await lockBatch(tx.db, batchId)
    await getOwnGroup(tx, id)
    const upload = await getUploadToChange(tx, id)
    if (upload.batch_id !== batchId) throw notFound('group')
    if (upload.filed_at === null) throw invalidState('not filed', 'Încărcarea nu este trimisă.')
    if (upload.filed_at < since)
      throw invalidState('too late to undo', `Au trecut cele ${LIMITS.undoFilingMinutes} de minute.`)
    if (await hasVerdict(tx.db, id)) throw invalidState('has a verdict', 'Încărcarea a fost deja verificată.')
    await returnToDraft(tx, upload)
    await deleteProposal(tx.db, id)
    if (batch?.closed_at) await updateClosedAt(tx.db, batchId, null)
  })
}
