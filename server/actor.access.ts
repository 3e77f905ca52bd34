import type { UserActor } from './context.ts'

/** Whether the user belongs to the organisation: roles `admin` and `staff` [6.1]. */
export const isStaff = (actor: UserActor): boolean => actor.role !== 'institution'

export const isAdmin = (actor: UserActor): boolean => actor.role === 'admin'

export const isInstitution = (actor: UserActor): boolean => actor.role === 'institution'
