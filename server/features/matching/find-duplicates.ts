import type { Ctx, UserCtx } from '../../context.ts'
import { findUpload, findUploads } from '../uploads/find-upload.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { type DuplicateRow, selectDuplicates, selectFiledCopies } from './matching.db.ts'

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

/**
 * Returns for the files of an upload that were not checked yet the uploads, of those that the actor may read, that have been
 * submitted with the same file: a few for each file.
 */
export async function findFiledCopies(ctx: Ctx, { id }: UploadRow): Promise<Duplicate[]> {
  const rows = await selectFiledCopies(ctx.db, id)
  const uploads = new Map(
    (await findUploads(ctx, [...new Set(rows.map(({ upload_id }) => upload_id))])).map((each) => [
      each.id,
      each,
    ]),
  )
  return rows.flatMap(({ file_id, upload_id, kind }) => {
    const upload = uploads.get(upload_id)
    return upload ? [{ fileId: file_id, kind, upload }] : []
  })
}
