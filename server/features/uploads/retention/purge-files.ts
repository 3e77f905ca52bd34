import { LIMITS } from '../../../../shared/limits.ts'
import { type Ctx, inTransaction, type SystemActor } from '../../../context.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { markFilePurged, selectFilesToPurge } from '../files/files.db.ts'
import { forgetFacts } from '../inspection/facts.db.ts'
import { deleteReading } from '../readings/readings.db.ts'

/** Files deleted in one run of the job; the rest waits for the next. */
const BATCH_SIZE = 500
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Deletes files removed 30 days ago. It marks the row before it deletes the bytes, so that no row refers to
 * missing bytes: a crash in between leaves only bytes without a row.
 */
export async function purgeFiles(ctx: Ctx<SystemActor>): Promise<void> {
  const before = new Date(ctx.now.getTime() - LIMITS.binDays * DAY_MS)
  for (const { id, upload_id, storage_key } of await selectFilesToPurge(ctx.db, before, BATCH_SIZE)) {
    const isMarked = await inTransaction(ctx, async (tx) => {
      if (!(await markFilePurged(tx.db, id, before, tx.now))) return false
      await forgetFacts(tx.db, [id])
      await deleteReading(tx.db, id)
      await recordAudit(tx, {
        action: 'file.purge',
        subject: { type: 'upload', id: upload_id },
        subjectIds: [id],
      })
      return true
    })
    // A file restored in between keeps its bytes.
    if (isMarked) await ctx.services.storage.remove(storage_key)
  }
}
