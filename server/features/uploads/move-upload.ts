import type { AuditAction } from '../../../shared/audit/audit-actions.ts'
import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import { canMove, UPLOAD_STATE_NAMES } from '../../../shared/uploads/upload-states.ts'
import type { Ctx } from '../../context.ts'
import { invalidState, notFound } from '../../errors.ts'
import { publish } from '../../platform/events.ts'
import { type AuditEntry, recordAudit } from '../audit/record-audit.ts'
import type { Clearance } from './clearance.ts'
import { notifyUploadChanged } from './notify-upload-changed.ts'
import { recallUpload } from './recalls/recall-upload.ts'
import { stopSharing } from './shares/stop-sharing.ts'
import { lockUpload, markUpdate, restoreQueuePlace, updateUploadState } from './uploads.db.ts'

/** Throws CONFLICT, with the present state for the user, if an upload in `state` may not move to `to`. */
export function requireLegalMove(state: UploadState, to: UploadState): void {
  if (!canMove(state, to)) throw changedState(state, `upload ${state} → ${to}`)
}

/** For an action that the present state of an upload does not allow. */
export const changedState = (state: UploadState, message: string) =>
  invalidState(message, `Între timp, încărcarea a trecut în starea „${UPLOAD_STATE_NAMES[state]}”.`)

/** The states that only the gate opens: nothing else may be accepted or released. */
type ClearedState = 'accepted' | 'released'

/**
 * Moves an upload to another state, records the move (with `more` changes) and publishes it at commit; a withdrawal is a
 * recall for those who had opened it. Throws CONFLICT if the move is not legal, also for the second of two concurrent
 * requests. The caller checks the actor's permission.
 */
export async function moveUpload(
  ctx: Ctx,
  id: string,
  to: Exclude<UploadState, ClearedState>,
  action: AuditAction,
  more: AuditEntry['changes'] = {},
): Promise<void> {
  const upload = await changeState(ctx, id, to, action, more)
  if (to === 'withdrawn') await recallUpload(ctx, upload, null)
}

/** Returns an upload whose verdict is undone to review, at the place in the queue that it had before. Throws like `moveUpload`. */
export async function moveBackToReview(ctx: Ctx, id: string): Promise<void> {
  await changeState(ctx, id, 'in_review', 'upload.undo', {})
  await restoreQueuePlace(ctx.db, id)
}

/**
 * Moves an upload that the gate has cleared in this transaction to `accepted` or `released`, as `moveUpload` does. The
 * release of a new version moves the former one to `replaced`, so that its institution sees one of them at any time.
 */
export async function moveCleared(
  ctx: Ctx,
  id: string,
  { to, clearance }: { to: ClearedState; clearance: Clearance },
  action: AuditAction,
  more: AuditEntry['changes'] = {},
): Promise<void> {
  clearance.require(id)
  const upload = await changeState(ctx, id, to, action, more)
  if (to === 'released' && upload.replaces_id) await retireFormer(ctx, upload, upload.replaces_id)
}

/** Moves the version before a released one to `replaced`, from any state that is not final. */
async function retireFormer(ctx: Ctx, upload: LockedUpload, formerId: string): Promise<void> {
  const former = await lockUpload(ctx.db, formerId)
  if (!former) throw notFound('former version')
  if (former.institution_id === upload.institution_id) await markUpdate(ctx.db, upload.id)
  if (!canMove(former.state, 'replaced')) return
  await changeState(
    ctx,
    formerId,
    'replaced',
    'upload.replace',
    { replaced_by: { to: upload.number } },
    upload,
  )
  await recallUpload(ctx, former, upload.id)
}

type LockedUpload = NonNullable<Awaited<ReturnType<typeof lockUpload>>>

/** Returns the upload as it was before. Every change of state goes through here, and ends the sharing of what is no longer released. */
async function changeState(
  ctx: Ctx,
  id: string,
  to: UploadState,
  action: AuditAction,
  more: AuditEntry['changes'],
  newVersion: LockedUpload | null = null,
): Promise<LockedUpload> {
  const upload = await lockUpload(ctx.db, id)
  if (!upload) throw notFound('upload')
  requireLegalMove(upload.state, to)
  await updateUploadState(ctx.db, id, to, ctx.now)
  await recordAudit(ctx, {
    action,
    subject: { type: 'upload', id },
    patientId: upload.patient_id,
    changes: { state: { from: upload.state, to }, ...more },
  })
  if (upload.state === 'released') await stopSharing(ctx, upload, newVersion)
  await notifyUploadChanged(ctx, upload, { isRevoked: upload.state === 'released' })
  if (upload.created_by) await publish(ctx.db, { kind: 'author', id: upload.created_by })
  return upload
}
