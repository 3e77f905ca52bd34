import { RELEASES, type Release } from '../../../shared/categories.ts'
import { wrongState } from '../../errors.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'

export type Policy = {
  reviewRequired: boolean
  /** How many different people must accept it, 1 or 2. */
  reviewers: number
  release: Release
  /** Set for `after_hours` alone. */
  releaseHours: number | null
}

/** What the upload's category asks for as it is read; without one, or with one that has left the list, the defaults. */
export const policyOf = (upload: UploadRow): Policy => ({
  reviewRequired: upload.category_review_required ?? true,
  reviewers: upload.category_reviewers ?? 1,
  release: RELEASES.find((release) => release === upload.category_release) ?? 'at_once',
  releaseHours: upload.category_release_hours,
})

/** Nobody is both of the two people who must accept an upload. */
export function refuseOwnSecond(upload: UploadRow, reviewerId: string): void {
  if (policyOf(upload).reviewers < 2 || upload.first_reviewer_id !== reviewerId) return
  throw wrongState(
    'second acceptance by the same person',
    'Ai acceptat deja această încărcare. A doua verificare o face altcineva.',
  )
}
