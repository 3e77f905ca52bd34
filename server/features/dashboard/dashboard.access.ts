import type { UserActor } from '../../context.ts'
import { canReview } from '../uploads/uploads.access.ts'

/** Whether the actor may read the dashboard: reviewers, since it counts their work. It names no patient. */
export const canReadDashboard = (actor: UserActor): boolean => canReview(actor)

/** Whether the actor reads what each person did: administrators, who read it in the audit log too. */
export const canReadWork = (actor: UserActor): boolean => actor.role === 'admin'

/** Whether the actor reads what only administrators can mend: mails, incidents, the audit log's chain. */
export const canReadAlarms = (actor: UserActor): boolean => actor.role === 'admin'
