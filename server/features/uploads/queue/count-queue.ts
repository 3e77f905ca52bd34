import type { UploadState } from '../../../../shared/uploads/upload-state-list.ts'
import type { UserCtx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { findUpload } from '../find-upload.ts'
import { canReview, uploadScope } from '../uploads.access.ts'
import { countByState, countUpTo } from './queue-counts.db.ts'

/** The states whose uploads wait for somebody; the others only grow. */
const COUNTED: readonly UploadState[] = ['in_review', 'unassigned', 'rejected', 'accepted', 'quarantined']

export type QueueCount = { state: UploadState; count: number }

/**
 * Returns how many uploads the reviewer may read in each state that waits for somebody, up to `LIMITS.shownCount`. Names
 * no patient, and writes no audit row.
 */
export async function countQueue(ctx: UserCtx): Promise<QueueCount[]> {
  if (!canReview(ctx.actor)) throw forbidden('count the queue')
  return countByState(ctx.db, uploadScope(ctx.actor), COUNTED)
}

export type ReviewPlace = { place: number; count: number }

/**
 * Returns how many uploads in review have waited as long as this one or longer, itself included, and how many there are,
 * both up to `LIMITS.shownCount`. Null for an upload that is not in review, or that the actor may not read.
 */
export async function findReviewPlace(ctx: UserCtx, uploadId: string): Promise<ReviewPlace | null> {
  if (!canReview(ctx.actor)) throw forbidden('count the queue')
  const upload = await findUpload(ctx, uploadId)
  if (upload?.state !== 'in_review') return null
  const scope = uploadScope(ctx.actor)
  const [place, counts] = await Promise.all([
    countUpTo(ctx.db, scope, upload),
    countByState(ctx.db, scope, ['in_review']),
  ])
  return { place, count: counts[0]?.count ?? place }
}
