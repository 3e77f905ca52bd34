import type { Actor, UserActor } from '../../context.ts'

export type NewsScope =
  | { kind: 'all' }
  | { kind: 'shown-to'; institutionIds: readonly string[] }
  | { kind: 'none' }

/**
 * Which news about patients an actor with the feature `patient::news` reads: staff all, an institution's user those for
 * institutions, of patients whom one of its institutions has referred by a referral that has not ended.
 */
export function newsScope(actor: Actor): NewsScope {
  if (actor.kind === 'system') return { kind: 'all' }
  if (actor.kind !== 'user' || !canReadNews(actor)) return { kind: 'none' }
  return actor.role === 'institution'
    ? { kind: 'shown-to', institutionIds: actor.institutionIds }
    : { kind: 'all' }
}

/** Whether the actor reads news about the patients that they may read. */
export const canReadNews = (actor: UserActor): boolean => actor.features.has('patient::news')

/** Whether the actor writes news, and reads who has written and read them, their former texts and what was removed. */
export const canWriteNews = (actor: UserActor): boolean => actor.role !== 'institution' && canReadNews(actor)
