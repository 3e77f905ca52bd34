import { LIMITS } from '../../../shared/limits.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { invalidState } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'
import { findFiledCopies } from '../matching/find-duplicates.ts'
import { groupLater } from '../uploads/drafts/group-later.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { acceptGroup } from './accept-group.ts'
import { type ActedGroups, actOnGroups } from './act-on-groups.ts'
import { selectReadyGroups } from './batches.db.ts'
import { getOwnBatch } from './get-batch.ts'

/**
 * Files the groups of a batch that are ready, for its author, some at a time: each in its own transaction and by the rules
 * of `acceptGroup`. Leaves those that have changed since the batch had the version that the author sees, and those that have
 * become duplicates.
 */
export async function acceptSureGroups(
  ctx: UserCtx,
  { batchId, version, after }: { batchId: string; version: number; after?: string | null | undefined },
): Promise<ActedGroups> {
  const batch = await getOwnBatch(ctx, batchId)
  const from = after && isId(after) ? after : null
  const rows = await selectReadyGroups(ctx.db, batch.id, from, LIMITS.batchGroups)
  const acted = await actOnGroups(rows, (row) =>
    inTransaction(ctx, async (tx) => {
      if (row.upload_version !== row.version || (row.batch_version ?? 0) > version)
        throw invalidState(
          'group has changed',
          'Grupul s-a schimbat de când a fost afișat: privește-l din nou.',
        )
      const filed = await acceptGroup(tx, { uploadId: row.id, version: row.version })
      await requireNoCopies(tx, filed)
    }),
  )
  // What they propose may be out of date.
  for (const { uploadId } of acted.left) await groupLater(ctx, { id: uploadId, batch_id: batch.id })
  return acted
}

/** Throws CONFLICT if an upload that was submitted meanwhile has a file of this one. */
async function requireNoCopies(tx: UserCtx, upload: UploadRow): Promise<void> {
  const [copy] = await findFiledCopies(tx, upload)
  if (copy)
    throw invalidState('filed already', `Un fișier este deja în încărcarea nr. ${copy.upload.number}.`)
}
