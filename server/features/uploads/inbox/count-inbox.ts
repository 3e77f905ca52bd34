import type { UserCtx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { uploadScope } from '../uploads.access.ts'
import { countInboxRows, type InboxCounts, selectNewResults } from './inbox.db.ts'

/** Returns how many results wait for the actor's own departments, and how many the actor has taken; writes no audit row. */
export async function countInbox({ actor, db }: UserCtx): Promise<InboxCounts> {
  const scope = uploadScope(actor)
  if (scope.kind !== 'released-to') throw forbidden('count inbox')
  return countInboxRows(db, actor.id, scope.institutionIds)
}

/** Returns the ids of the results that `countInbox` counts as new, with when they came, the last first; writes no audit row. */
export async function findNewResults(
  { actor, db }: UserCtx,
  limit: number,
): Promise<{ id: string; at: Date }[]> {
  const scope = uploadScope(actor)
  if (scope.kind !== 'released-to') throw forbidden('find new results')
  return selectNewResults(db, actor.id, scope.institutionIds, limit)
}
