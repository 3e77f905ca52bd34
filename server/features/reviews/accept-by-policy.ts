import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { findUploadToChange } from '../uploads/find-upload.ts'
import { findCnpsOfFiles } from '../uploads/inspection/find-cnps.ts'
import { applyReleasePolicy } from './apply-release-policy.ts'
import { confirmsPatient } from './cross-check.ts'
import { policyOf } from './policy.ts'
import { insertReview, selectReviews } from './reviews.db.ts'

/** The reason in the audit log and on the upload's page for an acceptance by the category's policy. */
const REASON = 'Categoria nu cere verificare, iar fiecare fișier are CNP-ul pacientului și niciun altul.'

/**
 * Accepts an upload in review if its category requires no reviewer and every file confirms the patient. Any
 * other upload waits for a reviewer. An upload with an earlier verdict always waits for one, so that an upload
 * sent back by a reviewer is never accepted automatically.
 */
export function acceptByPolicy(ctx: Ctx<SystemActor>, uploadId: string): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const upload = await findUploadToChange(tx, uploadId)
    if (upload?.state !== 'in_review' || policyOf(upload).reviewRequired) return
    if ((await selectReviews(tx.db, uploadId)).length > 0) return
    if (!confirmsPatient(upload.patient_cnp, await findCnpsOfFiles(tx, uploadId))) {
      ctx.services.log.info('upload: its files do not confirm the patient, left to a reviewer', {
        upload: uploadId,
      })
      return
    }
    await insertReview(tx.db, {
      id: newId(),
      upload_id: uploadId,
      reviewer_id: null,
      verdict: 'accepted',
      reason_code: null,
      comment: REASON,
      checks: '[]',
      first_of_version: null,
    })
    await applyReleasePolicy(tx, upload, { reason: { to: REASON } })
  })
}
