import type { Actor, UserActor } from '../../context.ts'

export type InstitutionScope = { kind: 'all' } | { kind: 'own'; ids: readonly string[] }

/** Which institutions an actor may read: staff all, an institution's user only its own. */
export const institutionScope = (actor: Actor): InstitutionScope =>
  actor.kind === 'system' || (actor.kind === 'user' && actor.role !== 'institution')
    ? { kind: 'all' }
    : { kind: 'own', ids: actor.kind === 'user' ? actor.institutionIds : [] }

/** Whether the actor may edit the profile of their own institution, where the site's features allow it. */
export const canEditOwnInstitution = (actor: UserActor): boolean =>
  actor.role === 'institution' && actor.features.has('profile::institution')

/** Whether the actor may create and change institutions: only administrators. */
export const canEditInstitutions = (actor: UserActor): boolean => actor.role === 'admin'

/** Whether the actor may read when the accounts of an institution were last used: staff. Institutions read no sessions. */
export const canReadLastUse = (actor: Actor): boolean =>
  actor.kind === 'system' || (actor.kind === 'user' && actor.role !== 'institution')
