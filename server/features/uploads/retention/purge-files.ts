import { LIMITS } from '../../../../shared/limits.ts'
import { type Ctx, inTransaction, type SystemActor } from '../../../context.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { markFilePurged, selectFilesToPurge } from '../files/files.db.ts'

/** Files in one go; whatever is left waits for the next. */
const BATCH_SIZE = 500
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * The nightly end of files that were removed 30 days ago: first the row says that the bytes are gone, then they go, so that
 * no row ever promises bytes that are not there. What a crash leaves in between is bytes without a row, nothing lost.
 */
export async function purgeFiles(ctx: Ctx<SystemActor>): Promise<void> {
  const before = new Date(ctx.now.getTime() - LIMITS.binDays * DAY_MS)
  for (const { id, upload_id, storage_key } of await selectFilesToPurge(ctx.db, before, BATCH_SIZE)) {
    const isMarked = await inTransaction(ctx, async (tx) => {
      if (!(await markFilePurged(tx.db, id, before, tx.now))) return false
      await recordAudit(tx, {
        action: 'file.purge',
        subject: { type: 'upload', id: upload_id },
        subjectIds: [id],
      })
      return true
    })
    // Put back meanwhile: it stays.
    if (isMarked) await ctx.services.storage.remove(storage_key)
  }
}
