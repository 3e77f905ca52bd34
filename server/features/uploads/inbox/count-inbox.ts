import type { UserCtx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { uploadScope } from '../uploads.access.ts'
import { countInboxRows, type InboxCounts } from './inbox.db.ts'

/** Returns how many results wait for the actor's own departments, and how many the actor has taken; writes no audit row. */
export async function countInbox({ actor, db }: UserCtx): Promise<InboxCounts> {
  const scope = uploadScope(actor)
  if (scope.kind !== 'released-to') throw forbidden('count inbox')
  return countInboxRows(db, actor.id, scope.institutionIds)
}
