import { LIMITS } from '../../../shared/limits.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { canFollowShares } from './shares.access.ts'
import { type GuessedShare, selectGuessedOf, selectPatientsOf } from './shares.db.ts'

/**
 * Returns the actor's shares that wrong proofs have locked or ended in the last days, the last first. Without whom they are
 * for, and without an audit row.
 */
export async function findGuessedShares(ctx: UserCtx, limit: number): Promise<GuessedShare[]> {
  if (!canFollowShares(ctx.actor)) throw forbidden('find shares')
  const since = new Date(ctx.now.getTime() - LIMITS.notificationDays * 24 * 3_600_000)
  return selectGuessedOf(ctx.db, ctx.actor.id, since, ctx.now, limit)
}

/** Returns the ids of the patients of these shares, by the share; none for an actor who may not follow them. Writes no audit row. */
export async function findPatientsOfShares(
  { actor, db }: UserCtx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (!canFollowShares(actor) || ids.length === 0) return new Map()
  return new Map((await selectPatientsOf(db, ids)).map(({ id, patient_id }) => [id, patient_id]))
}
