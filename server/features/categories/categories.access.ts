import type { UserActor } from '../../context.ts'

/** Whether the actor may save the list of categories: only administrators. */
export const canSaveCategories = (actor: UserActor): boolean => actor.role === 'admin'
