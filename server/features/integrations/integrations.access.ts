import type { UserActor } from '../../context.ts'

/** Administrators create, change, list and revoke integrations. */
export const canManageIntegrations = (actor: UserActor): boolean => actor.role === 'admin'
