import type { Ctx } from '../../context.ts'
import { notifyUploadChanged } from './notify-upload-changed.ts'
import { type UploadRow, updateReleaseAt, updateUploadVersion } from './uploads.db.ts'

/**
 * Sets when an accepted upload, which the transaction has locked, is released: by a job that starts then. The job of every
 * minute releases it if that one is lost.
 */
export async function scheduleRelease(tx: Ctx, id: string, releaseAt: Date): Promise<void> {
  await updateReleaseAt(tx.db, id, releaseAt)
  await tx.services.jobs.enqueue(tx.db, 'release-due-uploads', {}, { startAt: releaseAt })
}

/**
 * Raises the version of an upload, which the transaction has locked, after a change in another table, so that
 * a change based on the former version is rejected.
 */
export async function raiseUploadVersion(tx: Ctx, upload: UploadRow): Promise<void> {
  await updateUploadVersion(tx.db, upload.id, tx.now)
  await notifyUploadChanged(tx, upload)
}
