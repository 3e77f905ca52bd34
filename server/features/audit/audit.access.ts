import type { UserActor } from '../../context.ts'

/** Administrators read every entry of the journal; other staff read their own. */
export const canReadWholeJournal = (actor: UserActor): boolean => actor.role === 'admin'

/** Administrators have the hash chain of the journal verified. */
export const canVerifyJournal = (actor: UserActor): boolean => actor.role === 'admin'
