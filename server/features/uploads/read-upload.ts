import type { UserCtx } from '../../context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getUpload } from './find-upload.ts'
import { recordOpening } from './released/record-opening.ts'
import type { UploadRow } from './uploads.db.ts'

/** Returns an upload for its page, records who read it, and marks it as opened for an institution's user. */
export async function readUpload(ctx: UserCtx, id: string): Promise<UploadRow> {
  const upload = await getUpload(ctx, id)
  await recordOpening(ctx, upload, { downloaded: false }, (tx) =>
    recordAudit(tx, {
      action: 'upload.read',
      subject: { type: 'upload', id },
      patientId: upload.patient_id,
    }),
  )
  return upload
}
