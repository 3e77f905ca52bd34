import { MAX_FACTS } from '../../../shared/uploads/file-facts.ts'
import type { UserCtx } from '../../context.ts'
import { compareFacts } from '../matching/compare-facts.ts'
import { compareFiles, type ShownLine, showLines } from '../matching/list-disagreements.ts'
import { findFactsOfFiles, loadComparedFacts } from '../uploads/inspection/find-file-facts.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { comparedPatientOf } from './cross-check.ts'
import { canReadReasons, canReadReviewerNotes } from './reviews.access.ts'
import { type ReviewRow, selectReviews } from './reviews.db.ts'

export type ShownComparison = {
  lines: ShownLine[]
  /** The files that were never read: inspected before facts were kept, or not checked yet. */
  unreadFileIds: string[]
  /** Whether a file says more than is kept. */
  isCut: boolean
}

/** Compares what the files of an upload state with its patient; null without a patient. */
export async function loadComparison(ctx: UserCtx, upload: UploadRow): Promise<ShownComparison | null> {
  if (upload.patient_id === null) return null
  const files = await findFactsOfFiles(ctx, upload.id)
  return {
    lines: showLines(compareFiles(comparedPatientOf(upload), files), files),
    unreadFileIds: files.filter(({ facts_read_at }) => facts_read_at === null).map(({ id }) => id),
    isCut: files.some(({ stated }) => stated.length >= MAX_FACTS),
  }
}

/**
 * Whether a file of the upload names another person; computed from the facts at each reading, so that no change of the
 * patient or of the files can leave it behind. The calls for a list share one statement.
 */
export async function loadIsDisagreeing({ db }: UserCtx, upload: UploadRow): Promise<boolean> {
  if (upload.patient_id === null) return false
  const stated = Map.groupBy(await loadComparedFacts(db, upload.id), ({ file_id }) => file_id)
  const files = [...stated].map(([fileId, facts]) => ({
    fileId,
    facts: facts.map(({ entry, ...fact }) => ({
      ...fact,
      place: { in: 'text' as const, ...(entry !== null && { entry }) },
    })),
  }))
  const { lines } = compareFacts(comparedPatientOf(upload), files)
  return lines.some(({ result }) => result === 'disagrees')
}

/** Returns the verdicts on an upload, newest first, without the comments that the actor may not read. */
export async function loadReviews({ actor, db }: UserCtx, upload: UploadRow): Promise<ReviewRow[]> {
  const reviews = await selectReviews(db, upload.id)
  return reviews.map((review) => {
    const isReadable =
      review.verdict === 'rejected' ? canReadReasons(actor, upload) : canReadReviewerNotes(actor)
    return isReadable ? review : { ...review, comment: null, checks: [] }
  })
}
