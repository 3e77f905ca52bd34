import type { Actor, UserActor } from '../../context.ts'

export type AccessRequestScope =
  | { kind: 'all' }
  | { kind: 'own'; institutionIds: readonly string[] }
  | { kind: 'none' }

/** Which requests for access an actor may read: staff all, an institution's user those of its institutions. */
export function accessRequestScope(actor: Actor): AccessRequestScope {
  if (actor.kind === 'system') return { kind: 'all' }
  if (actor.kind !== 'user') return { kind: 'none' }
  return actor.role === 'institution'
    ? { kind: 'own', institutionIds: actor.institutionIds }
    : { kind: 'all' }
}

/** Whether the actor may request access to a patient whom their institution does not find. */
export const canRequestAccess = (actor: UserActor): boolean => actor.role === 'institution'

/** Whether the actor may read the CNPs of requests, compare them with the patients, and decide: staff. */
export const canDecideAccess = (actor: UserActor): boolean => actor.role !== 'institution'
