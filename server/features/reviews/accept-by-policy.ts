import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { findUploadToChange } from '../uploads/find-upload.ts'
import { applyReleasePolicy } from './apply-release-policy.ts'
import { canRelease } from './can-release.ts'
import { policyOf } from './policy.ts'
import { insertReview, selectReviews } from './reviews.db.ts'

/** The reason in the audit log and on the upload's page for an acceptance by the category's policy. */
const REASON = 'Categoria nu cere verificare, iar fiecare fișier are CNP-ul pacientului și niciun altul.'

/**
 * Accepts an upload in review if its category requires no reviewer and the gate clears it: every file confirms the patient.
 * Any other upload waits for a reviewer. The release does not wait for an undo, since no person has given the verdict. A
 * new version and an upload with an earlier verdict always wait for a reviewer, since something was wrong before, as does what
 * an integration or a user of an institution has filed.
 */
export function acceptByPolicy(ctx: Ctx<SystemActor>, uploadId: string): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const upload = await findUploadToChange(tx, uploadId)
    if (upload?.state !== 'in_review' || policyOf(upload).reviewRequired) return
    if (upload.created_by === null || upload.source === 'institution') return
    if (upload.replaces_id !== null || (await selectReviews(tx.db, uploadId)).length > 0) return
    const { clearance } = await canRelease(tx, upload, { by: 'policy' })
    if (!clearance) {
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
      opened_file_ids: null,
      undo_until: null,
      first_of_version: null,
    })
    await applyReleasePolicy(tx, upload, clearance, { changes: { reason: { to: REASON } } })
  })
}
