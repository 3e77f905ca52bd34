import type { UserCtx } from '../../context.ts'
import { createBatcherPerPool } from '../../platform/database/batcher.ts'
import type { Db } from '../../platform/database/database.ts'
import { findUploads } from '../uploads/find-upload.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { selectUploadIds } from './shares.db.ts'

type Item = { shareId: string; ctx: UserCtx }

/** The shares of one list, which one reader has requested, share their statements. */
const uploadsOf = createBatcherPerPool(async (db: Db, items: readonly Item[]) => {
  const rows = await selectUploadIds(
    db,
    items.map(({ shareId }) => shareId),
  )
  const idsOf = Map.groupBy(rows, ({ share_id }) => share_id)
  const uploads = new Map<Item, UploadRow[]>()
  for (const asked of Map.groupBy(items, ({ ctx }) => ctx.actor).values()) {
    const shares = new Set(asked.map(({ shareId }) => shareId))
    const ids = rows.filter(({ share_id }) => shares.has(share_id)).map(({ upload_id }) => upload_id)
    const found = await findUploads(asked[0]!.ctx, [...new Set(ids)])
    const byId = new Map(found.map((upload) => [upload.id, upload]))
    for (const item of asked)
      uploads.set(
        item,
        (idsOf.get(item.shareId) ?? []).flatMap(({ upload_id }) => byId.get(upload_id) ?? []),
      )
  }
  return items.map((item) => uploads.get(item)!)
})

/** Returns those of the uploads that a share shows which the actor may read. */
export const loadUploadsOfShare = (ctx: UserCtx, shareId: string): Promise<UploadRow[]> =>
  uploadsOf(ctx.db, { shareId, ctx })
