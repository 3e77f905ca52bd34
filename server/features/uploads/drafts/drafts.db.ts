import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

/** The `removed_reason` of files that their author discarded before their check; they cannot be restored. */
const DISCARDED = 'discarded'

/** Marks a file that was not checked yet as discarded; undefined if it was checked or removed. */
export const markFileDiscarded = (db: Db, id: string, { at, by }: { at: Date; by: string }) =>
  db
    .updateTable('file')
    .set({ removed_at: at, removed_by: by, removed_reason: DISCARDED })
    .where('id', '=', id)
    .where('scan_result', '=', 'pending')
    .where('removed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** Whether a removed file was discarded before its check. */
export const wasDiscarded = sql<boolean>`(file.scan_result = 'pending' and file.removed_reason = ${sql.lit(DISCARDED)})`

/** Gives files to another upload, which the transaction has made or locked, after its own, in the order of `ids`, with their transfers. */
export async function moveFileRows(db: Db, ids: readonly string[], uploadId: string): Promise<void> {
  await sql`
    update file set upload_id = ${uploadId}::uuid, position = moved.position + (
      select coalesce(max(own.position), 0) from file own where own.upload_id = ${uploadId}::uuid)
    from unnest(${[...ids]}::uuid[]) with ordinality as moved (id, position)
    where file.id = moved.id`.execute(db)
  await sql`
    update transfer set upload_id = ${uploadId}::uuid where file_id = any(${[...ids]}::uuid[])`.execute(db)
}

/** Makes the files of an upload files that were not checked. */
export const forgetChecks = (db: Db, uploadId: string) =>
  db
    .updateTable('file')
    .set({
      scan_result: 'pending',
      page_count: null,
      content_text: null,
      cnps: null,
      facts: '{}',
      facts_read_at: null,
      thumbnail: null,
    })
    .where('upload_id', '=', uploadId)
    .where('removed_at', 'is', null)
    .execute()
