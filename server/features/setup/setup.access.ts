import type { UserActor } from '../../context.ts'

/** Administrators see what is left to set up, and say that backups are arranged. */
export const canSetUp = (actor: UserActor): boolean => actor.role === 'admin'
