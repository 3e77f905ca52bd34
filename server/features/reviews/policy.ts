import { RELEASES, type Release } from '../../../shared/uploads/category-policy.ts'
import { invalidState } from '../../errors.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'

/** What an upload's category requires before and after acceptance. */
export type Policy = {
  reviewRequired: boolean
  /** How many different people must accept the upload: 1 or 2. */
  reviewers: number
  release: Release
  /** Set for `after_hours` only. */
  releaseHours: number | null
}

/**
 * Returns the policy of the upload's category as just read, or the defaults for an upload without a category.
 * If the category is no longer in the list, its policy is unknown: a reviewer must release the upload.
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
 * Four-eyes principle: throws CONFLICT if the reviewer already gave the first of the two required
 * acceptances, even if the upload has since moved to a category that requires only one. `hasAcceptedBefore`:
 * the reviewer gave a first acceptance of an earlier version.
 */
export function requireOtherReviewer(
  upload: UploadRow,
  reviewerId: string,
  hasAcceptedBefore: boolean,
): void {
  const hasAcceptedAlready =
    policyOf(upload).reviewers < 2 ? hasAcceptedBefore : upload.first_reviewer_id === reviewerId
  if (!hasAcceptedAlready) return
  throw invalidState(
    'second acceptance by the same person',
    'Ai acceptat deja această încărcare. A doua verificare o face altcineva.',
  )
}
