import type { UserActor } from '../../context.ts'
import { canReview } from '../uploads/uploads.access.ts'

/**
 * Whether the actor may read the comment of a rejection, which explains the reason to the author: reviewers and
 * the upload's author. All staff read the verdicts, with the code of the reason, on every upload that they may
 * read: their own, and those of patients, all of whom are patients of every registrar.
 */
export const canReadReasons = (actor: UserActor, upload: { created_by: string | null }): boolean =>
  canReview(actor) || (actor.role !== 'institution' && upload.created_by === actor.id)

/** Whether the actor may read the other notes of reviewers, such as why another CNP was accepted. */
export const canReadReviewerNotes = (actor: UserActor): boolean => canReview(actor)
