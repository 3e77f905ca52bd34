import type { Ctx } from '../../../context.ts'

/**
 * Enqueues what a batch proposes for a group, after a change of its files or details; nothing for an upload that was not sent
 * in a batch.
 */
export async function groupLater(
  { db, services }: Ctx,
  { id, batch_id: batchId }: { id: string; batch_id: string | null },
): Promise<void> {
  if (batchId) await services.jobs.enqueue(db, 'group-upload', { batchId, uploadId: id })
}
