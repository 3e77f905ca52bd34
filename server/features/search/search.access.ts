import type { UserActor } from '../../context.ts'
import { canReview } from '../uploads/uploads.access.ts'

/** Institutions are looked up by staff; an institution's user has its own before it. */
export const canFindInstitutions = (actor: UserActor): boolean => actor.role !== 'institution'

/**
 * Staff with neither the patients' files nor the review queue have no list of other people's uploads: a search is none
 * either. An institution's user finds what its list of results shows.
 */
export const canFindOthersUploads = (actor: UserActor): boolean =>
  actor.role === 'institution' || actor.features.has('patient::files') || canReview(actor)
