import type { UserCtx } from '../../context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getUpload } from './find-upload.ts'
import { type UploadRow, upsertOpening } from './uploads.db.ts'

/** Opens an upload's page. The journal says who looked; for an institution's user it is no longer unread. */
export async function readUpload(ctx: UserCtx, id: string): Promise<UploadRow> {
  const upload = await getUpload(ctx, id)
  if (ctx.actor.role === 'institution') await upsertOpening(ctx.db, id, ctx.actor.id, ctx.now, false)
  await recordAudit(ctx, {
    action: 'upload.read',
    subject: { type: 'upload', id },
    patientId: upload.patient_id,
  })
  return upload
}
