import type { UserActor } from '../../context.ts'

/** Administrators see the outgoing mail and send a test message. */
export const canManageMessages = (actor: UserActor): boolean => actor.role === 'admin'
