import type { UserActor } from '../../context.ts'
import { canReview } from '../uploads/uploads.access.ts'

/**
 * Whether the actor may search institutions: staff and administrators, since other users see only their own.
 */
export const canFindInstitutions = (actor: UserActor): boolean => actor.role !== 'institution'

/**
 * Whether the actor's search includes uploads created by others. Staff with neither patient files nor the
 * review queue have no list of them, and an institution's user finds what its list of results shows.
 */
export const canFindOthersUploads = (actor: UserActor): boolean =>
  actor.role === 'institution' || actor.features.has('patient::files') || canReview(actor)
