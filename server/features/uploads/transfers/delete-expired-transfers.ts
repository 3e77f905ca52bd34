import type { Ctx, SystemActor } from '../../../context.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { findSite } from '../../site/find-site.ts'
import { cancelTransfer } from './cancel-transfer.ts'
import { tryLockTransfer } from './transfer-lock.ts'
import { selectReceivingAmong, selectStaleTransfers } from './transfers.db.ts'

/** Milliseconds after which bytes without an unfinished transfer are deleted. */
const TRANSFER_TTL_MS = 60 * 60 * 1000

/**
 * The job `upload.sweep`: cancels transfers without activity for as long as the settings say, and deletes
 * bytes that a killed server left in the incoming area. Finished files are stored elsewhere and not touched.
 */
export async function deleteExpiredTransfers(
  ctx: Ctx<SystemActor>,
): Promise<{ expired: number; forgotten: number }> {
  const { upload_unfinished_hours } = await findSite(ctx.db)
  const before = new Date(ctx.now.getTime() - upload_unfinished_hours * 60 * 60 * 1000)
  let expired = 0
  for (const { id } of await selectStaleTransfers(ctx.db, before)) {
    const done = await whileLocked(ctx, id, () => cancelTransfer(ctx, id, before))
    if (done) expired += 1
  }
  const oldFiles = (await ctx.services.partialFiles.list()).filter(
    ({ modifiedAt }) => ctx.now.getTime() - modifiedAt.getTime() > TRANSFER_TTL_MS,
  )
  const unfinished = new Set(
    (
      await selectReceivingAmong(
        ctx.db,
        oldFiles.map(({ id }) => id),
      )
    ).map(({ id }) => id),
  )
  let forgotten = 0
  for (const { id } of oldFiles.filter((file) => !unfinished.has(file.id))) {
    const done = await whileLocked(ctx, id, async () => {
      await ctx.services.partialFiles.remove(id)
      return true
    })
    if (done) forgotten += 1
  }
  if (expired > 0) await recordAudit(ctx, { action: 'upload.sweep', changes: { transfers: { to: expired } } })
  if (expired + forgotten > 0)
    ctx.services.log.info('upload: expired transfers deleted', { expired, forgotten })
  return { expired, forgotten }
}

/** Runs the work under the transfer's lock; returns false without running it while a request has the lock. */
async function whileLocked(ctx: Ctx, id: string, work: () => Promise<boolean>): Promise<boolean> {
  const lock = await tryLockTransfer(ctx.services.locks, id)
  if (!lock) return false
  try {
    return await work()
  } finally {
    await lock.release()
  }
}
