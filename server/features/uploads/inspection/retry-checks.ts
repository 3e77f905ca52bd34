import type { Ctx, SystemActor } from '../../../context.ts'
import { selectUncheckedSince } from '../uploads.db.ts'

/** Milliseconds that a check may take before it is taken for lost; one that runs twice does no harm. */
const LOST_AFTER_MS = 5 * 60 * 1000

/**
 * Enqueues lost checks again: a server that is killed loses the one it was running. After the start of a server that is
 * every upload in `checking` since before the start (`before`), later only those that have been there for long.
 */
export async function retryChecks(
  ctx: Ctx<SystemActor>,
  before = new Date(ctx.now.getTime() - LOST_AFTER_MS),
): Promise<void> {
  const lost = await selectUncheckedSince(ctx.db, before)
  for (const { id } of lost) await ctx.services.jobs.enqueue(ctx.db, 'upload.check', { uploadId: id })
  if (lost.length > 0) ctx.services.log.info('upload: lost checks enqueued again', { count: lost.length })
}
