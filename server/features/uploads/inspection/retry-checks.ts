import type { Ctx, SystemActor } from '../../../context.ts'
import { authorIdOf } from '../uploads.access.ts'
import { selectUncheckedSince } from '../uploads.db.ts'

/** Milliseconds after which a check counts as lost. A check that runs twice does no harm. */
const LOST_AFTER_MS = 5 * 60 * 1000

/**
 * Enqueues lost checks again: a killed server loses the check it was running. The start of the server passes
 * `before`, the start time, and so retries every older upload in `checking`; later runs retry only the old
 * ones.
 */
export async function retryChecks(
  ctx: Ctx<SystemActor>,
  before = new Date(ctx.now.getTime() - LOST_AFTER_MS),
): Promise<void> {
  const lost = await selectUncheckedSince(ctx.db, before)
  for (const upload of lost) {
    await ctx.services.jobs.enqueue(ctx.db, 'check-upload', {
      uploadId: upload.id,
      authorId: authorIdOf(upload),
    })
  }
  if (lost.length > 0) ctx.services.log.info('upload: lost checks enqueued again', { count: lost.length })
}
