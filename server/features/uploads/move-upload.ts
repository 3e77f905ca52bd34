import type { AuditAction } from '../../../shared/audit/audit-actions.ts'
import { canMove, UPLOAD_STATE_NAMES, type UploadState } from '../../../shared/uploads/upload-states.ts'
import type { Ctx } from '../../context.ts'
import { invalidState, notFound } from '../../errors.ts'
import { type AuditEntry, recordAudit } from '../audit/record-audit.ts'
import type { Clearance } from './clearance.ts'
import { notifyUploadChanged } from './notify-upload-changed.ts'
import { lockUpload, updateUploadState } from './uploads.db.ts'

/** Throws CONFLICT, with the present state for the user, if an upload in `state` may not move to `to`. */
export function requireLegalMove(state: UploadState, to: UploadState): void {
  if (canMove(state, to)) return
  throw invalidState(
    `upload ${state} → ${to}`,
    `Între timp, încărcarea a trecut în starea „${UPLOAD_STATE_NAMES[state]}”.`,
  )
}

/** The states that only the gate opens: nothing else may be accepted or released. */
type ClearedState = 'accepted' | 'released'

/**
 * Moves an upload to another state, records the move (with `more` changes) and publishes it at commit. Throws CONFLICT if
 * the move is not legal, also for the second of two concurrent requests. The caller checks the actor's permission.
 */
export const moveUpload = (
  ctx: Ctx,
  id: string,
  to: Exclude<UploadState, ClearedState>,
  action: AuditAction,
  more: AuditEntry['changes'] = {},
): Promise<void> => changeState(ctx, id, to, action, more)

/** Moves an upload that the gate has cleared in this transaction to `accepted` or `released`, as `moveUpload` does. */
export function moveCleared(
  ctx: Ctx,
  id: string,
  { to, clearance }: { to: ClearedState; clearance: Clearance },
  action: AuditAction,
  more: AuditEntry['changes'] = {},
): Promise<void> {
  clearance.require(id)
  return changeState(ctx, id, to, action, more)
}

/** Every change of state goes through here. */
async function changeState(
  ctx: Ctx,
  id: string,
  to: UploadState,
  action: AuditAction,
  more: AuditEntry['changes'],
): Promise<void> {
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
  await notifyUploadChanged(ctx, upload, { isRevoked: upload.state === 'released' })
}
