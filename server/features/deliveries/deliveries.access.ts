import type { UserActor } from '../../context.ts'
import { canReadFiles, canReview } from '../uploads/uploads.access.ts'

/** Whether the actor may read which institutions have not opened their results, and announce these again: staff with the files of patients. */
export const canReadUnopened = (actor: UserActor): boolean =>
  actor.role !== 'institution' && canReadFiles(actor)

/** Whether the actor may read to whom a result was announced, and who has opened it: reviewers with the files of patients. */
export const canReadLedger = (actor: UserActor): boolean => canReview(actor) && canReadFiles(actor)
