import type { UserCtx } from '../../context.ts'
import { findCnpsOfFiles } from '../uploads/inspection/find-cnps.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { findMismatches, type Mismatch } from './cross-check.ts'
import { canReadReasons, canReadReviewerNotes } from './reviews.access.ts'
import { type ReviewRow, selectReviews } from './reviews.db.ts'

/** Returns the CNPs of an upload's files that are not its patient's; none without a patient. */
export const loadMismatches = async (ctx: UserCtx, upload: UploadRow): Promise<Mismatch[]> =>
  upload.patient_id === null ? [] : findMismatches(upload.patient_cnp, await findCnpsOfFiles(ctx, upload.id))

/** Returns the verdicts on an upload, newest first, without the comments that the actor may not read. */
export async function loadReviews({ actor, db }: UserCtx, upload: UploadRow): Promise<ReviewRow[]> {
  const reviews = await selectReviews(db, upload.id)
  return reviews.map((review) => {
    const isReadable =
      review.verdict === 'rejected' ? canReadReasons(actor, upload) : canReadReviewerNotes(actor)
    return isReadable ? review : { ...review, comment: null }
  })
}
