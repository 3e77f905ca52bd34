import type { Ctx } from '../../context.ts'
import { conflict } from '../../errors.ts'
import { notifyUploadChanged } from './notify-upload-changed.ts'
import { type UploadRow, updateReleaseAt, updateUploadDetails, updateUploadVersion } from './uploads.db.ts'

/**
 * Sets when an accepted upload, which the transaction has locked, is released: by a job that starts then. The job of
 * every minute releases it if that one is lost.
 */
export async function scheduleRelease(tx: Ctx, id: string, releaseAt: Date): Promise<void> {
  await updateReleaseAt(tx.db, id, releaseAt)
  await tx.services.jobs.enqueue(tx.db, 'release-due-uploads', {}, { startAt: releaseAt })
}

type UploadDetails = Parameters<typeof updateUploadDetails>[4]

/** Returns the details of an upload as `changeDetails` takes them. */
export const detailsOf = ({
  patient_id,
  institution_id,
  category_slug,
  title,
  examined_on,
  accession_number,
  referring_doctor,
  note,
}: UploadRow): UploadDetails => ({
  patient_id,
  institution_id,
  category_slug,
  title,
  examined_on,
  accession_number,
  referring_doctor,
  note,
})

/** Changes the details of an upload, which the transaction has locked. Throws CONFLICT on another version. */
export async function changeDetails(
  tx: Ctx,
  { id, version }: Pick<UploadRow, 'id' | 'version'>,
  values: UploadDetails,
): Promise<void> {
  if (!(await updateUploadDetails(tx.db, id, version, tx.now, values))) throw conflict('upload')
}

/**
 * Raises the version of an upload, which the transaction has locked, after a change in another table, so that
 * a change based on the former version is rejected.
 */
export async function raiseUploadVersion(tx: Ctx, upload: UploadRow): Promise<void> {
  await updateUploadVersion(tx.db, upload.id, tx.now)
  await notifyUploadChanged(tx, upload)
}
