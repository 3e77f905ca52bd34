import type { Actor, UserActor } from '../../context.ts'

export type PatientScope =
  | { kind: 'all' }
  | { kind: 'referred'; institutionIds: readonly string[] }
  | { kind: 'none' }

/**
 * Which patients an actor may read: staff all, an institution's user those referred by one of its
 * institutions, also by a referral that has ended, but not by a mistaken one.
 */
export function patientScope(actor: Actor): PatientScope {
  if (actor.kind === 'system') return { kind: 'all' }
  if (actor.kind !== 'user') return { kind: 'none' }
  if (actor.role !== 'institution') return { kind: 'all' }
  return { kind: 'referred', institutionIds: actor.institutionIds }
}

/** Those of the patients that an actor may read who were referred by one institution. */
export function patientScopeOf(actor: Actor, institutionId: string): PatientScope {
  const scope = patientScope(actor)
  if (scope.kind === 'all') return { kind: 'referred', institutionIds: [institutionId] }
  const own = scope.kind === 'referred' ? scope.institutionIds : []
  return { kind: 'referred', institutionIds: own.filter((id) => id === institutionId) }
}

/** Whether the actor may create and change patients and read their contact data: only staff. */
export const canEditPatients = (actor: UserActor): boolean => actor.role !== 'institution'
