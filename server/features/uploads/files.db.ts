import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'
import type { Inspection } from './inspection.ts'
import type { FileKind } from './recognise-file.ts'
import { FILE_COLUMNS, type FileRow } from './uploads.db.ts'

export const selectFile = (db: Db, id: string): Promise<FileRow | undefined> =>
  db
    .selectFrom('file')
    .select(FILE_COLUMNS)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()

/** Adds a file behind those that the upload has; the transaction holds the upload locked. */
export const insertFile = (
  db: Db,
  file: {
    id: string
    upload_id: string
    name: string
    type: string
    kind: FileKind
    size: number
    sha256: Buffer
    storage_key: string
  },
) =>
  db
    .insertInto('file')
    .values((eb) => ({
      ...file,
      position: eb
        .selectFrom('file')
        .where('upload_id', '=', file.upload_id)
        .select(sql<number>`coalesce(max(position), 0) + 1`.as('position')),
    }))
    .execute()

/** Keeps what the look into a file brought, and whether it is let in. */
export const updateInspected = (db: Db, id: string, inspection: Inspection) => {
  const facts = JSON.stringify(inspection.facts)
  const update = db.updateTable('file').where('id', '=', id)
  if (!inspection.accepted) return update.set({ scan_result: 'refused', facts }).execute()
  const { kind, type, pageCount, text } = inspection
  return update
    .set({ scan_result: 'clean', kind, type, page_count: pageCount, content_text: text, facts })
    .execute()
}
