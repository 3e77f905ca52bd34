import type { Ctx, SystemActor } from '../../../context.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { findSite } from '../../site/find-site.ts'
import { cancelTransfer } from './cancel-transfer.ts'
import { withTransferLock } from './transfer-lock.ts'
import { selectReceivingAmong, selectStaleTransfers } from './transfers.db.ts'

/** Age at which a partial file without an unfinished transfer is deleted. */
const ORPHAN_TTL_MS = 60 * 60 * 1000

/**
 * Cancels transfers without activity for `upload_unfinished_hours` (`expired`), and deletes partial files that
 * a killed server left without a transfer (`orphaned`). Returns the numbers of both.
 */
export async function deleteExpiredTransfers(
  ctx: Ctx<SystemActor>,
): Promise<{ expired: number; orphaned: number }> {
  const { upload_unfinished_hours } = await findSite(ctx.db)
  const before = new Date(ctx.now.getTime() - upload_unfinished_hours * 60 * 60 * 1000)
  let expired = 0
  for (const { id } of await selectStaleTransfers(ctx.db, before)) {
    const done = await withTransferLock(ctx.services.locks, id, () => cancelTransfer(ctx, id, before))
    if (done) expired += 1
  }
  const oldFiles = (await ctx.services.partialFiles.list()).filter(
    ({ modifiedAt }) => ctx.now.getTime() - modifiedAt.getTime() > ORPHAN_TTL_MS,
  )
  const unfinished = new Set(
    (
      await selectReceivingAmong(
        ctx.db,
        oldFiles.map(({ id }) => id),
      )
    ).map(({ id }) => id),
  )
  let orphaned = 0
  for (const { id } of oldFiles.filter((file) => !unfinished.has(file.id))) {
    const done = await withTransferLock(ctx.services.locks, id, async () => {
      // A transfer of this id may have begun again since the list was made.
      if ((await selectReceivingAmong(ctx.db, [id])).length > 0) return false
      await ctx.services.partialFiles.remove(id)
      return true
    })
    if (done) orphaned += 1
  }
  if (expired > 0) await recordAudit(ctx, { action: 'upload.sweep', changes: { transfers: { to: expired } } })
  if (expired + orphaned > 0)
    ctx.services.log.info('upload: expired transfers deleted', { expired, orphaned })
  return { expired, orphaned }
}
