import type { UserActor } from '../../context.ts'

/** Whether the actor may have the words tried by which a category is proposed: staff and administrators. */
export const canTryCategoryWords = (actor: UserActor): boolean => actor.role !== 'institution'
