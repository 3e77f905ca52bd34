import type { UserActor } from '../../context.ts'

/** Administrators change the site's settings, its logo and its favicon. */
export const canEditSettings = (actor: UserActor): boolean => actor.role === 'admin'

/** Administrators create, list and revoke API keys. */
export const canManageApiKeys = (actor: UserActor): boolean => actor.role === 'admin'
