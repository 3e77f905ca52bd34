import type { Actor, PublicActor, UserActor } from './actor.ts'

/** Whether the user belongs to the organisation: roles `admin` and `staff` [6.1]. */
export const isStaff = (actor: UserActor): boolean => actor.role !== 'institution'

export const isAdmin = (actor: UserActor): boolean => actor.role === 'admin'

export const isInstitution = (actor: UserActor): boolean => actor.role === 'institution'

/** Whether the user belongs to an institution that may send files. */
export const isSender = (actor: UserActor): boolean =>
  isInstitution(actor) && actor.sendingInstitutionIds.length > 0

/** Whether the actor reads the database as `dosar_guest`: users of institutions, and programs with a public key. */
export const isGuest = (actor: Actor): actor is UserActor | PublicActor =>
  actor.kind === 'public' || (actor.kind === 'user' && isInstitution(actor))
