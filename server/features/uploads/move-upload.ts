import type { AuditAction } from '../../../shared/audit/audit-actions.ts'
import { canMove, UPLOAD_STATE_NAMES, type UploadState } from '../../../shared/uploads/upload-states.ts'
import type { Ctx } from '../../context.ts'
import { invalidState, notFound } from '../../errors.ts'
import { type AuditEntry, recordAudit } from '../audit/record-audit.ts'
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

/**
 * Moves an upload to another state, records the move (with `more` changes) and publishes it at commit; every
 * change of state goes through here. Throws CONFLICT if the move is not legal, also for the second of two
 * concurrent requests. The caller checks the actor's permission.
 */
export async function moveUpload(
  ctx: Ctx,
  id: string,
  to: UploadState,
  action: AuditAction,
  more: AuditEntry['changes'] = {},
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
