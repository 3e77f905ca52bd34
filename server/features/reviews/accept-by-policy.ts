import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { findUploadToChange } from '../uploads/find-upload.ts'
import { findCnpsOfFiles } from '../uploads/inspection/find-cnps.ts'
import { applyReleasePolicy } from './apply-release-policy.ts'
import { confirmsPatient } from './cross-check.ts'
import { policyOf } from './policy.ts'
import { insertReview, selectReviews } from './reviews.db.ts'

/** What the journal and the upload's page say of an acceptance that no person gave. */
const REASON = 'Categoria nu cere verificare, iar fiecare fișier are CNP-ul pacientului și niciun altul.'

/**
 * The job `review.auto`: accepts an upload that has come to review where its category asks for no reviewer and its files
 * themselves say, each of them, that they are this patient's. Everything else waits for a person, and so does for ever
 * what a person has had a say in: what was sent back is not accepted behind their back.
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
