import type { UserActor } from '../../context.ts'

/** Administrators see the outgoing mail and send a test message. */
export const canManageMessages = ({ role }: Pick<UserActor, 'role'>): boolean => role === 'admin'
