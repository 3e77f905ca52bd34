import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { type Placeholders, staticQuery } from '../../../platform/database/static-query.ts'

const accepted = (db: Db) =>
  db.selectFrom('file').where('removed_at', 'is', null).where('scan_result', 'in', ['unscanned', 'clean'])

export type FileToDraw = { id: string; kind: 'pdf' | 'image'; storage_key: string }

/** Returns the accepted pictures and PDFs of an upload that have no thumbnail, without PDFs with a password. */
export const selectFilesToDraw = async (db: Db, uploadId: string): Promise<FileToDraw[]> => {
  const files = await accepted(db)
    .select(['id', 'kind', 'storage_key'])
    .where('upload_id', '=', uploadId)
    .where('kind', 'in', ['pdf', 'image'])
    .where('thumbnail', 'is', null)
    .where(sql<SqlBool>`not facts @> '{"locked": true}' and not facts @> '{"unreadable": "locked"}'`)
    .orderBy('position')
    .execute()
  return files as FileToDraw[]
}

export const updateThumbnail = (db: Db, fileId: string, thumbnail: Buffer) =>
  db.updateTable('file').set({ thumbnail }).where('id', '=', fileId).where('removed_at', 'is', null).execute()

/** Returns the thumbnail of a file; null if it has none. */
export const selectThumbnail = async (db: Db, fileId: string): Promise<Buffer | null> => {
  const file = await accepted(db).select('thumbnail').where('id', '=', fileId).executeTakeFirst()
  return file?.thumbnail ?? null
}

const filesWithThumbnail = staticQuery((db, slot: Placeholders<{ fileIds: readonly string[] }>) =>
  accepted(db)
    .select('id')
    .where(sql<SqlBool>`id = any(${slot('fileIds')}::uuid[])`)
    .where('thumbnail', 'is not', null),
)

/** Returns which of the files have a thumbnail. */
export const selectFilesWithThumbnail = (db: Db, fileIds: readonly string[]) =>
  filesWithThumbnail(db, { fileIds })
