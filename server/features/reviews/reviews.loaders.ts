import type { UserCtx } from '../../context.ts'
import { findCnpsOfFiles } from '../uploads/inspection/find-cnps.ts'
import { canReadInternalNotes } from '../uploads/uploads.access.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { findMismatches, type Mismatch } from './cross-check.ts'
import { type Policy, policyOf } from './policy.ts'
import { type ReviewRow, selectReviews } from './reviews.db.ts'

/** Returns the CNPs of an upload's files that are not its patient's; none without a patient, or for an institution. */
export const loadMismatches = async (ctx: UserCtx, upload: UploadRow): Promise<Mismatch[]> =>
  upload.patient_id === null || !canReadInternalNotes(ctx.actor)
    ? []
    : findMismatches(upload.patient_cnp, await findCnpsOfFiles(ctx, upload.id))

/** Returns the verdicts on an upload, newest first; none for an institution. */
export const loadReviews = async (ctx: UserCtx, { id }: UploadRow): Promise<ReviewRow[]> =>
  canReadInternalNotes(ctx.actor) ? selectReviews(ctx.db, id) : []

/** Returns the review policy of an upload's category; null for an institution. */
export const readPolicy = ({ actor }: UserCtx, upload: UploadRow): Policy | null =>
  canReadInternalNotes(actor) ? policyOf(upload) : null
