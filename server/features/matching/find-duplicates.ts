import type { UserCtx } from '../../context.ts'
import { findUpload } from '../uploads/find-upload.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { type DuplicateRow, selectDuplicates } from './matching.db.ts'

export type Duplicate = { fileId: string; kind: DuplicateRow['kind']; upload: UploadRow }

/** Returns the other uploads that have a file of this one, of those that the actor may read. */
export async function findDuplicates(ctx: UserCtx, { id }: UploadRow): Promise<Duplicate[]> {
  const rows = await selectDuplicates(ctx.db, id)
  const uploads = await Promise.all(rows.map(({ upload_id }) => findUpload(ctx, upload_id)))
  return rows.flatMap(({ file_id, kind }, index) => {
    const upload = uploads[index]
    return upload ? [{ fileId: file_id, kind, upload }] : []
  })
}
