import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalidState } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { raiseUploadVersion } from '../uploads/change-locked-upload.ts'
import { getUpload, getUploadToChange } from '../uploads/find-upload.ts'
import { moveBackToReview } from '../uploads/move-upload.ts'
import { canReview } from '../uploads/uploads.access.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { loadFiles } from '../uploads/uploads.loaders.ts'
import { markUndone, selectLastVerdict } from './reviews.db.ts'

/**
 * Undoes the reviewer's own verdict within the seconds that the site allows: the upload is in review again, at its
 * former place in the queue, and nobody outside has seen it. Throws CONFLICT after that time, after the release or
 * another change, and for the verdict of another reviewer.
 */
export function undoVerdict(
  ctx: UserCtx,
  { id, version }: { id: string; version: number },
): Promise<UploadRow> {
  return inTransaction(ctx, async (tx) => {
    if (!canReview(tx.actor)) throw forbidden('undo verdict')
    const upload = await getUploadToChange(tx, id)
    const verdict = await selectLastVerdict(tx.db, id)
    if (verdict?.reviewer_id !== tx.actor.id)
      throw invalidState('not the last verdict', 'Ultimul verdict nu este al tău.')
    if (!canUndo(tx, upload, verdict))
      throw invalidState('too late to undo', 'Verdictul nu mai poate fi anulat: a trecut timpul pentru asta.')
    if (upload.version !== version) throw conflict('upload')
    await requireCheckedFiles(tx, upload)
    await markUndone(tx.db, verdict.id, tx.now)
    if (upload.state === 'in_review') await recordUndoneFirst(tx, upload)
    else await moveBackToReview(tx, id)
    return getUpload(tx, id)
  })
}

/** Throws CONFLICT if the author of a rejected upload has added files since, which nothing has checked. */
async function requireCheckedFiles(tx: UserCtx, upload: UploadRow): Promise<void> {
  const files = await loadFiles(tx, upload)
  if (files.some(({ scan_result }) => scan_result === 'pending'))
    throw invalidState(
      'files were added',
      'Autorul a adăugat deja alte fișiere: respingerea nu mai poate fi anulată.',
    )
}

/** Returns until when the actor can undo their verdict on the upload; null if there is none to undo. */
export async function findUndoUntil(ctx: UserCtx, upload: UploadRow): Promise<Date | null> {
  const verdict = await selectLastVerdict(ctx.db, upload.id)
  const isOwn = verdict?.reviewer_id === ctx.actor.id
  return isOwn && canUndo(ctx, upload, verdict) ? verdict.undo_until : null
}

type Verdict = NonNullable<Awaited<ReturnType<typeof selectLastVerdict>>>

const canUndo = ({ now }: UserCtx, upload: UploadRow, verdict: Verdict): boolean =>
  verdict.undo_until !== null && verdict.undo_until > now && isUnchanged(upload, verdict)

/** Whether the upload is as the verdict has left it. */
function isUnchanged({ state, version }: UploadRow, { verdict, first_of_version }: Verdict): boolean {
  return first_of_version === null ? state === verdict : state === 'in_review' && version === first_of_version
}

/** The first of two acceptances has not moved the upload; another version makes it void. */
async function recordUndoneFirst(tx: UserCtx, upload: UploadRow): Promise<void> {
  const subject = { type: 'upload', id: upload.id }
  await recordAudit(tx, { action: 'upload.undo', subject, patientId: upload.patient_id })
  await raiseUploadVersion(tx, upload)
}
