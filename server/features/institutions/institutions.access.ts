import type { Actor, UserActor } from '../../context.ts'

/** Staff see every institution; an institution's user only its own. */
export type InstitutionScope = { kind: 'all' } | { kind: 'own'; ids: readonly string[] }

export const institutionScope = (actor: Actor): InstitutionScope =>
  actor.kind === 'system' || (actor.kind === 'user' && actor.role !== 'institution')
    ? { kind: 'all' }
    : { kind: 'own', ids: actor.kind === 'user' ? actor.institutionIds : [] }

/** Its user's own institution, where the house lets institutions keep their profile. */
export const canEditOwnInstitution = (actor: UserActor): boolean =>
  actor.role === 'institution' && actor.features.has('profile::institution')

/** Institutions are the administrator's to enter and change. */
export const canEditInstitutions = (actor: UserActor): boolean => actor.role === 'admin'
