import type { UserActor } from '../../context.ts'

/** Administrators see the state of the server and retry failed jobs. */
export const canManageSystem = (actor: UserActor): boolean => actor.role === 'admin'
