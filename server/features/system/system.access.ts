import type { UserActor } from '../../context.ts'

/** How the machine fares, and what it did not get done. */
export const canManageSystem = (actor: UserActor): boolean => actor.role === 'admin'
