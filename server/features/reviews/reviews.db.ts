import type { Db } from '../../platform/database/database.ts'

export const selectReviews = (db: Db, uploadId: string) =>
  db
    .selectFrom('review')
    .leftJoin('app_user', 'app_user.id', 'review.reviewer_id')
    .select([
      'review.id',
      'review.round',
      'review.verdict',
      'review.reason_code',
      'review.comment',
      'review.created_at',
      'review.checks',
      'review.reviewer_id',
      'review.first_of_version',
      'review.opened_file_ids',
      'review.undo_until',
      'review.undone_at',
      'app_user.name as reviewer_name',
    ])
    .where('review.upload_id', '=', uploadId)
    .orderBy('review.round', 'desc')
    .execute()

export type ReviewRow = Awaited<ReturnType<typeof selectReviews>>[number]

/** Inserts the next round of an upload that the transaction has locked. */
export const insertReview = (
  db: Db,
  review: {
    id: string
    upload_id: string
    /** Null: accepted by the category's policy. */
    reviewer_id: string | null
    verdict: 'accepted' | 'rejected'
    reason_code: string | null
    comment: string | null
    /** The holds that the reviewer has given a reason for. */
    checks: string
    /** Null: accepted by the category's policy. */
    opened_file_ids: string[] | null
    /** Null: it cannot be undone. */
    undo_until: Date | null
    first_of_version: number | null
  },
) =>
  db
    .insertInto('review')
    .values((eb) => ({
      ...review,
      round: eb
        .selectFrom('review')
        .where('upload_id', '=', review.upload_id)
        .select((max) => max(max.fn.coalesce(max.fn.max<number>('round'), max.lit(0)), '+', 1).as('round')),
    }))
    .execute()

/** Returns the newest verdict that was not undone. */
export const selectLastVerdict = (db: Db, uploadId: string) =>
  db
    .selectFrom('review')
    .select(['id', 'verdict', 'reviewer_id', 'checks', 'opened_file_ids', 'undo_until', 'first_of_version'])
    .where('upload_id', '=', uploadId)
    .where('undone_at', 'is', null)
    .orderBy('round', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Marks a verdict, whose upload the transaction has locked, as undone. */
export const markUndone = (db: Db, id: string, now: Date) =>
  db.updateTable('review').set({ undone_at: now }).where('id', '=', id).execute()

/**
 * Whether the reviewer gave the first of two acceptances for a version before `version`, since the upload was
 * last rejected; verdicts that were undone do not count.
 */
export const hasAcceptedBefore = async (
  db: Db,
  uploadId: string,
  reviewerId: string,
  version: number,
): Promise<boolean> => {
  const found = await db
    .selectFrom('review')
    .select('id')
    .where('upload_id', '=', uploadId)
    .where('reviewer_id', '=', reviewerId)
    .where('first_of_version', '<', version)
    .where('undone_at', 'is', null)
    .where('round', '>', (eb) =>
      eb
        .selectFrom('review as rejection')
        .where('rejection.upload_id', '=', uploadId)
        .where('rejection.verdict', '=', 'rejected')
        .where('rejection.undone_at', 'is', null)
        .select((max) => max.fn.coalesce(max.fn.max<number>('rejection.round'), max.lit(0)).as('round')),
    )
    .executeTakeFirst()
  return found !== undefined
}

/** Returns the accepted uploads whose release is due at `now`, the longest overdue first. */
export const selectDueForRelease = (db: Db, now: Date) =>
  db
    .selectFrom('upload')
    .select('id')
    .where('state', '=', 'accepted')
    .where('release_at', '<=', now)
    .where('deleted_at', 'is', null)
    .orderBy('release_at')
    .execute()
