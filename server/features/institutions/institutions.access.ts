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

/** Whether the actor belongs to institutions, and may choose a department there. */
export const isMember = (actor: UserActor): boolean => actor.role === 'institution'

/** Whether the actor may read the departments and the referring doctors of institutions that they may read. */
export const canReadDepartments = (actor: UserActor): boolean => isMember(actor) || canEditInstitutions(actor)

/** Whether the actor may name the departments of institutions that they may read, and their doctors. */
export const canEditDepartments = (actor: UserActor): boolean =>
  canEditInstitutions(actor) || canEditOwnInstitution(actor)

/** Whether the actor may read when the accounts of an institution were last used: staff. Institutions read no sessions. */
export const canReadLastUse = (actor: Actor): boolean =>
  actor.kind === 'system' || (actor.kind === 'user' && actor.role !== 'institution')
