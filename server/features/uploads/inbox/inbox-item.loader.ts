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

/** Returns the marks of a result for a user of its institution; null for all others. The calls for a list share one statement. */
export const loadInboxItem = async (
  { actor, db }: UserCtx,
  { id }: UploadRow,
): Promise<InboxItemRow | null> =>
  isRecipient(actor) ? ((await itemsOf(db, { uploadId: id, readerId: actor.id }))[0] ?? null) : null
