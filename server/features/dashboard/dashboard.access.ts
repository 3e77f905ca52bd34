import type { UserActor } from '../../context.ts'
import { canReview } from '../uploads/uploads.access.ts'

/** The dashboard counts the work of reviewers; it names no patient. */
export const canReadDashboard = (actor: UserActor): boolean => canReview(actor)
