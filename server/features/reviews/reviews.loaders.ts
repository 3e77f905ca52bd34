import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Hold } from '../../../shared/reviews/holds.ts'
import type { FactPlace } from '../../../shared/uploads/file-facts.ts'
import type { UserCtx } from '../../context.ts'
import { compareFacts, type FoundFact, type Line } from '../matching/compare-facts.ts'
import { type ShownLine, showLines } from '../matching/list-disagreements.ts'
import { findFactsOfFiles, loadComparedFacts } from '../uploads/inspection/find-file-facts.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { comparedPatientOf, compareUpload, listHolds } from './cross-check.ts'
import { canReadReasons, canReadReviewerNotes } from './reviews.access.ts'
import { type ReviewRow, selectReviews } from './reviews.db.ts'

/** A found fact that can be marked in its file: on a page of a PDF or in a picture. */
export type Mark = FoundFact & { what: Line['what']; page: number; box: NonNullable<FactPlace['box']> }

/** Marks beyond these are not drawn; the lines name all that disagrees. */
const MAX_MARKS = 500

export type ShownComparison = {
  lines: ShownLine[]
  marks: Mark[]
  holds: Hold[]
  /** The files that were never read: inspected before facts were kept, or not checked yet. */
  unreadFileIds: string[]
  /** Whether a file says more than is kept. */
  isCut: boolean
}

/** Compares what the files of an upload state with its patient; null without a patient. */
export async function loadComparison(ctx: UserCtx, upload: UploadRow): Promise<ShownComparison | null> {
  if (upload.patient_id === null) return null
  const files = await findFactsOfFiles(ctx, upload.id)
  const comparison = compareUpload(upload, files)
  return {
    lines: showLines(comparison, files),
    marks: listMarks(comparison.lines),
    holds: listHolds(comparison, files),
    unreadFileIds: files.filter(({ facts_read_at }) => facts_read_at === null).map(({ id }) => id),
    isCut: files.some(({ facts, cnps }) => facts.factsCut || cnps?.isCut),
  }
}

/** Returns what can be marked; what disagrees comes first, so that it is never among those left out. */
const listMarks = (lines: readonly Line[]): Mark[] =>
  lines
    .flatMap(({ what, found }) => found.map((fact) => ({ ...fact, what })))
    .sort((one, other) => Number(one.agrees) - Number(other.agrees))
    .flatMap((fact) => {
      const { entry, page, box } = fact.place
      return entry === undefined && page !== undefined && box ? [{ ...fact, page, box }] : []
    })
    .slice(0, MAX_MARKS)

/**
 * Whether a file of the upload names another person; computed from the facts at each reading, so that no change of the
 * patient or of the files can leave it behind. The calls for a list share one statement.
 */
export async function loadIsDisagreeing({ db }: UserCtx, upload: UploadRow): Promise<boolean> {
  if (upload.patient_id === null) return false
  const stated = Map.groupBy(await loadComparedFacts(db, upload.id), ({ file_id }) => file_id)
  for (const [fileId, rows] of stated) {
    const facts = rows.map(({ entry, ...fact }) => ({
      ...fact,
      place: { in: 'text' as const, ...(entry !== null && { entry }) },
    }))
    const { lines } = compareFacts(comparedPatientOf(upload), [{ fileId, facts }])
    if (lines.some(({ result }) => result === 'disagrees')) return true
    // A list has many files, which may state hundreds of names each.
    await nextTurn()
  }
  return false
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
