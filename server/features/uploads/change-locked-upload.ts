import type { Ctx } from '../../context.ts'
import { notifyUploadChanged } from './notify-upload-changed.ts'
import { type UploadRow, updateReleaseAt, updateUploadVersion } from './uploads.db.ts'

/** Sets when an accepted upload, locked by the transaction, is released by the job `review.release`. */
export const scheduleRelease = async (tx: Ctx, id: string, releaseAt: Date): Promise<void> => {
  await updateReleaseAt(tx.db, id, releaseAt)
}

/** Raises the version of an upload, locked by the transaction, after a change outside its row, and publishes it. */
export async function raiseUploadVersion(tx: Ctx, upload: UploadRow): Promise<void> {
  await updateUploadVersion(tx.db, upload.id, tx.now)
  await notifyUploadChanged(tx, upload)
}
