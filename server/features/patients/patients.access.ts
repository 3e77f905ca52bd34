import type { Actor, UserActor } from '../../context.ts'

/** Staff work with every patient; an institution's user sees those referred to one of its institutions. */
export type PatientScope =
  | { kind: 'all' }
  | { kind: 'referred'; institutionIds: readonly string[] }
  | { kind: 'none' }

export function patientScope(actor: Actor): PatientScope {
  if (actor.kind === 'system') return { kind: 'all' }
  if (actor.kind !== 'user') return { kind: 'none' }
  if (actor.role !== 'institution') return { kind: 'all' }
  return { kind: 'referred', institutionIds: actor.institutionIds }
}

/** Only staff enter and change patients; they also see how to reach them. */
export const canEditPatients = (actor: UserActor): boolean => actor.role !== 'institution'
