import type { UserActor } from '../../context.ts'

/** Whether the actor may share released results with persons without an account, and read and end all shares [3.2]. */
export const canShare = (actor: UserActor): boolean =>
  actor.role !== 'institution' && actor.features.has('patient::share')
