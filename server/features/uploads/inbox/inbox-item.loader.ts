import type { UserCtx } from '../../../context.ts'
import { batchRows } from '../../../platform/database/batcher.ts'
import { isRecipient } from '../uploads.access.ts'
import type { UploadRow } from '../uploads.db.ts'
import { type InboxItemRow, selectInboxItems } from './inbox.db.ts'

const itemsOf = batchRows(
  selectInboxItems,
  ({ uploadId, readerId }: { uploadId: string; readerId: string }) => `${uploadId} ${readerId}`,
  ({ upload_id, user_id }) => `${upload_id} ${user_id}`,
)

/** A result; a line of an inbox has its marks. */
type Result = UploadRow & Partial<InboxItemRow & { has_marks: boolean }>

const hasMarks = (result: Result): result is Result & InboxItemRow => result.has_marks === true

/**
 * Returns the marks of a result for a user of its institution; null for all others. The calls for a list share one statement,
 * and those of an inbox need none.
 */
export function loadInboxItem(
  { actor, db }: UserCtx,
  result: Result,
): InboxItemRow | null | Promise<InboxItemRow | null> {
  if (!isRecipient(actor)) return null
  if (result.has_marks !== undefined) return hasMarks(result) ? result : null
  return itemsOf(db, { uploadId: result.id, readerId: actor.id }).then(([item]) => item ?? null)
}
