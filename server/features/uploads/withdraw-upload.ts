import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { getChangedUpload, getUploadToChange } from './find-upload.ts'
import { moveUpload, requireLegalMove } from './move-upload.ts'
import { deleteReadings, deleteUncheckedFacts } from './readings/readings.db.ts'
import { hasIncident } from './released/released.db.ts'
import { canSend, canWithdraw, isOwn } from './uploads.access.ts'
import type { UploadRow } from './uploads.db.ts'

/**
 * Withdraws an upload, for its author or a reviewer; a reviewer may also withdraw a released one. Its
 * institution no longer sees it. Its files and the record of who opened them stay; what was read
 * in files before their check does not.
 */
export async function withdrawUpload(ctx: UserCtx, id: string): Promise<UploadRow> {
  return inTransaction(ctx, async (tx) => {
    const upload = await getUploadToChange(tx, id)
    if (!canWithdraw(tx.actor, upload)) {
      if (isOwn(tx.actor, upload)) requireLegalMove(upload.state, 'withdrawn')
      throw forbidden('withdraw upload')
    }
    // A move to another patient forgets the release, and opens an incident.
    if (canSend(tx.actor) && (await hasIncident(tx.db, id))) throw forbidden('withdraw upload')
    await moveUpload(tx, id, 'withdrawn', 'upload.withdraw')
    await deleteReadings(tx.db, id)
    await deleteUncheckedFacts(tx.db, id)
    return getChangedUpload(tx, id)
  })
}
