import { inTransaction, type UserCtx, withSending } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { blockMerges } from '../patients/merge-lock.ts'
import { getUploadToChange } from '../uploads/find-upload.ts'
import { submitUpload } from '../uploads/submit-upload.ts'
import { canSend } from '../uploads/uploads.access.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { requireOpenReferral } from './sent-input.ts'

/**
 * Submits an upload that a user of an institution sends, as `submitUpload` does. Throws BAD_USER_INPUT if the referral of its
 * patient has ended since.
 */
export async function submitSentUpload(
  ctx: UserCtx,
  input: Parameters<typeof submitUpload>[1],
): Promise<UploadRow> {
  if (!canSend(ctx.actor)) throw forbidden('submit sent upload')
  return inTransaction(withSending(ctx), async (tx) => {
    await blockMerges(tx)
    const upload = await getUploadToChange(tx, input.id)
    if (upload.state === 'receiving' && upload.patient_id)
      await requireOpenReferral(tx, upload.patient_id, upload.sender_institution_id!)
    return submitUpload(tx, input)
  })
}
