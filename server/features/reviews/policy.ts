import { RELEASES, type Release } from '../../../shared/uploads/categories.ts'
import { invalidState } from '../../errors.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'

export type Policy = {
  reviewRequired: boolean
  /** How many different people must accept it, 1 or 2. */
  reviewers: number
  release: Release
  /** Set for `after_hours` alone. */
  releaseHours: number | null
}

/**
 * What the upload's category asks for as it is read; without one, the defaults. Of one that has left the list nobody knows
 * any more what it asked for: nothing goes out by itself.
 */
export const policyOf = (upload: UploadRow): Policy => ({
  reviewRequired: upload.category_review_required ?? true,
  reviewers: upload.category_reviewers ?? 1,
  release:
    RELEASES.find((release) => release === upload.category_release) ??
    (upload.category_slug === null ? 'at_once' : 'by_hand'),
  releaseHours: upload.category_release_hours,
})

/**
 * Nobody is both of the two people who must accept an upload: also not by moving it, in between, to a category that asks for
 * one. `hasAcceptedBefore`: this person was the first of two, of what the upload was before it was changed.
 */
export function requireSecondReviewer(
  upload: UploadRow,
  reviewerId: string,
  hasAcceptedBefore: boolean,
): void {
  const isSecond =
    policyOf(upload).reviewers < 2 ? hasAcceptedBefore : upload.first_reviewer_id === reviewerId
  if (!isSecond) return
  throw invalidState(
    'second acceptance by the same person',
    'Ai acceptat deja această încărcare. A doua verificare o face altcineva.',
  )
}
