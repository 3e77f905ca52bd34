import type { Actor, UserActor } from '../../context.ts'
import { canReadFiles } from '../uploads/uploads.access.ts'

export type QuestionScope =
  | { kind: 'all' }
  | { kind: 'own'; institutionIds: readonly string[] }
  | { kind: 'none' }

/**
 * Which questions an actor may read, besides the right to the upload: an institution's user those of its institutions. Questions are
 * about results, so without the feature `patient::files` nobody reads any.
 */
export function questionScope(actor: Actor): QuestionScope {
  if (actor.kind === 'system') return { kind: 'all' }
  if (actor.kind !== 'user' || !canReadFiles(actor)) return { kind: 'none' }
  return actor.role === 'institution'
    ? { kind: 'own', institutionIds: actor.institutionIds }
    : { kind: 'all' }
}

/** Whether the actor may ask about the results of their institutions. */
export const canAsk = (actor: UserActor): boolean => actor.role === 'institution' && canReadFiles(actor)

/** Whether the actor may answer questions about the uploads that they may read. */
export const canAnswer = (actor: UserActor): boolean => actor.role !== 'institution' && canReadFiles(actor)

/** Whether the actor reads the names of staff in a conversation: not users of institutions, for whom they are the centre. */
export const canReadAuthors = (actor: UserActor): boolean => actor.role !== 'institution'
