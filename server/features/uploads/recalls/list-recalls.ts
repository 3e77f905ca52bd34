import type { UserCtx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { isId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { findUploads } from '../find-upload.ts'
import { canAcknowledgeRecalls, canReadRecalls } from '../uploads.access.ts'
import { type RecallRow, selectRecallsOf, selectShownRecalls } from './recalls.db.ts'

/** A recall as its institution reads it: `replacement` is the newest version, if the reader may open it. */
export type OwnRecall = RecallRow & { replacement: string | null }

/**
 * Returns the recalls of the actor's institutions: those without an acknowledgement, the newest first, and those
 * acknowledged in the last week; with `uploadId` all of one result. The reading is recorded.
 */
export async function listRecalls(ctx: UserCtx, uploadId: string | null): Promise<OwnRecall[]> {
  const { actor, db, now } = ctx
  if (!canAcknowledgeRecalls(actor)) throw forbidden('list recalls')
  const rows =
    uploadId === null
      ? await selectShownRecalls(db, actor.institutionIds, now)
      : isId(uploadId)
        ? await selectRecallsOf(db, uploadId, actor.institutionIds)
        : []
  if (rows.length > 0)
    await recordAudit(ctx, { action: 'recall.list', subjectIds: rows.map(({ upload_id }) => upload_id) })
  return withReplacements(ctx, rows)
}

/** Adds the newest version to recalls of replaced results. */
export async function withReplacements(ctx: UserCtx, rows: readonly RecallRow[]): Promise<OwnRecall[]> {
  const readable = await findUploads(
    ctx,
    rows.flatMap(({ replaced_by }) => replaced_by ?? []),
  )
  const ids = new Set(readable.map(({ id }) => id))
  return rows.map((row) => ({
    ...row,
    replacement: row.replaced_by !== null && ids.has(row.replaced_by) ? row.replaced_by : null,
  }))
}

/** Returns the recalls of an upload, for its page; none for an actor who may not read who opened it. */
export const findRecallsOf = async ({ actor, db }: UserCtx, { id }: { id: string }): Promise<RecallRow[]> =>
  canReadRecalls(actor) ? selectRecallsOf(db, id, null) : []
