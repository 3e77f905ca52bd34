import type { UserActor } from '../../context.ts'
import { canReadFiles } from '../uploads/uploads.access.ts'

/** Whether the actor may share released results with persons without an account, and read and end all shares [3.2]. */
export const canShare = (actor: UserActor): boolean =>
  actor.role !== 'institution' && actor.features.has('patient::share')

/** Whether the actor sees what became of their own shares: on the patient's page, which shows them with the results. */
export const canFollowShares = (actor: UserActor): boolean => canShare(actor) && canReadFiles(actor)
