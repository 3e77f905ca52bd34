import type { UserActor } from '../../context.ts'

/** The list of categories is the administrator's to keep. */
export const canSaveCategories = (actor: UserActor): boolean => actor.role === 'admin'
