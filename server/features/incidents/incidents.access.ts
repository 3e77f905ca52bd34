import type { UserActor } from '../../context.ts'
import { canReview } from '../uploads/uploads.access.ts'

/** Whether the actor may list incidents, record the notices to the authority and the persons, and close incidents. */
export const canManageIncidents = (actor: UserActor): boolean => actor.role === 'admin'

/** Whether the actor may read an incident and its report and add notes: administrators, and reviewers, who open them. */
export const canReadIncidents = (actor: UserActor): boolean => canManageIncidents(actor) || canReview(actor)

/** Whether the actor may read and answer the requests to delete of their own institutions. */
export const canAnswerDeletionRequests = (actor: UserActor): boolean => actor.role === 'institution'
