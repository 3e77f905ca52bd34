import type { UserCtx } from '../../../context.ts'
import { findUploads } from '../find-upload.ts'
import type { UploadRow } from '../uploads.db.ts'
import { lockForSharing } from './shared-uploads.db.ts'

/** Locks the uploads until the transaction ends and returns those that the actor may read. */
export async function findUploadsToShare(tx: UserCtx, ids: readonly string[]): Promise<UploadRow[]> {
  await lockForSharing(tx.db, ids)
  return findUploads(tx, ids)
}
