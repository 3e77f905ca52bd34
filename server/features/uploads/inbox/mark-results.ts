import { LIMITS } from '../../../../shared/limits.ts'
import type { InboxMark } from '../../../../shared/uploads/inbox.ts'
import { inTransaction, type UserCtx } from '../../../context.ts'
import { forbidden, invalid, notFound } from '../../../errors.ts'
import { publish } from '../../../platform/events.ts'
import { isId } from '../../../platform/ids.ts'
import { recordAudits } from '../../audit/record-audit.ts'
import { findUploads } from '../find-upload.ts'
import { uploadScope } from '../uploads.access.ts'
import type { UploadRow } from '../uploads.db.ts'
import { updateMarks } from './inbox.db.ts'

export type MarkedResults = { changed: UploadRow[]; unchanged: UploadRow[] }

/**
 * Marks results for all colleagues of their institution, for a user of it. A result for which the mark changes nothing, as
 * one that a colleague has taken before, stays as it is. Throws NOT_FOUND if the actor may read none of them.
 */
export function markResults(
  ctx: UserCtx,
  { ids, mark }: { ids: readonly string[]; mark: InboxMark },
): Promise<MarkedResults> {
  if (uploadScope(ctx.actor).kind !== 'released-to') throw forbidden('mark results')
  const wanted = readSelection(ids)
  return inTransaction(ctx, async (tx) => {
    const results = await findUploads(tx, wanted.filter(isId))
    if (results.length === 0) throw notFound('upload')
    const rows = await updateMarks(tx.db, results, mark, tx.actor, tx.now)
    const changedIds = new Set(rows.map(({ upload_id }) => upload_id))
    const changed = results.filter(({ id }) => changedIds.has(id))
    await recordAudits(
      tx,
      changed.map(({ id, patient_id }) => ({
        action: `inbox.${mark}` as const,
        subject: { type: 'upload', id },
        patientId: patient_id,
      })),
    )
    for (const [institutionId, marked] of Map.groupBy(rows, ({ institution_id }) => institution_id))
      await publish(tx.db, {
        kind: 'inbox',
        institutionId,
        uploadIds: marked.map(({ upload_id }) => upload_id),
      })
    return { changed, unchanged: results.filter(({ id }) => !changedIds.has(id)) }
  })
}

/** Returns the ids without repetition. Throws BAD_USER_INPUT for none, or more than are marked or downloaded at once. */
export function readSelection(ids: readonly string[]): string[] {
  const wanted = [...new Set(ids)]
  if (wanted.length > 0 && wanted.length <= LIMITS.inboxSelection) return wanted
  throw invalid([
    { field: 'ids', message: `Alegeți între 1 și ${LIMITS.inboxSelection} de rezultate odată.` },
  ])
}
