import type { UserActor } from '../../context.ts'

/**
 * Whether the actor may search institutions: staff and administrators, since other users see only their own.
 */
export const canFindInstitutions = (actor: UserActor): boolean => actor.role !== 'institution'
