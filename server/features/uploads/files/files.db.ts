import { type SqlBool, sql } from 'kysely'
import type { FileKind } from '../../../../shared/uploads/files.ts'
import type { Db } from '../../../platform/database/database.ts'
import { wasDiscarded } from '../drafts/drafts.db.ts'
import type { FoundCnps } from '../inspection/found-cnps.ts'
import type { FileDetails, Inspection } from '../inspection/inspection.ts'
import { FILE_COLUMNS, type FileRow } from '../uploads.db.ts'

export const selectFile = (db: Db, id: string): Promise<FileRow | undefined> =>
  db
    .selectFrom('file')
    .select(FILE_COLUMNS)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()

/** Adds a file after the upload's other files; the transaction has locked the upload. */
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

/** Saves the result of a file's inspection. */
export const updateInspected = (db: Db, id: string, inspection: Inspection, now: Date) => {
  const facts = JSON.stringify(inspection.facts)
  const update = db.updateTable('file').where('id', '=', id)
  if (!inspection.accepted) return update.set({ scan_result: 'refused', facts }).execute()
  const { kind, type, pageCount, text, isScanned } = inspection
  const cnps = inspection.cnps ? JSON.stringify(inspection.cnps) : null
  return update
    .set({
      scan_result: isScanned ? 'clean' : 'unscanned',
      kind,
      type,
      page_count: pageCount,
      content_text: text,
      facts,
      cnps,
      facts_read_at: now,
    })
    .execute()
}

/**
 * Returns accepted files whose facts were not read, of uploads that wait for a patient, a review or a release, in
 * the order of their ids.
 */
export const selectFilesWithoutFacts = (db: Db, after: string | null, limit: number) =>
  db
    .selectFrom('upload')
    .innerJoin('file', 'file.upload_id', 'upload.id')
    .select([
      'file.id',
      'file.name',
      'file.kind',
      'file.size',
      'file.storage_key',
      'upload.created_by',
      'upload.integration_id',
    ])
    .where('upload.state', 'in', ['unassigned', 'in_review', 'accepted'])
    .where('upload.deleted_at', 'is', null)
    .where('file.facts_read_at', 'is', null)
    .where('file.scan_result', 'in', ['unscanned', 'clean'])
    .where('file.purged_at', 'is', null)
    .$if(after !== null, (query) => query.where('file.id', '>', after))
    .orderBy('file.id')
    .limit(limit)
    .execute()

/** Adds details of the reading; returns undefined if the facts were read before or the file was purged. */
export const updateReadFacts = (db: Db, id: string, details: FileDetails, now: Date) =>
  db
    .updateTable('file')
    .set({ facts_read_at: now, facts: sql`facts || ${JSON.stringify(details)}::jsonb` })
    .where('id', '=', id)
    .where('facts_read_at', 'is', null)
    .where('purged_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** Returns what the cross-check of an upload reads. */
export const selectFileCnps = (db: Db, uploadId: string) =>
  db
    .selectFrom('file')
    .select(['id', 'name', 'scan_result', 'facts', 'facts_read_at', 'cnps'])
    // The text of a file inspected before its CNPs were saved.
    .select(sql<string | null>`case when cnps is null then content_text end`.as('unsearched_text'))
    .where('upload_id', '=', uploadId)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .execute()

export const updateCnps = (db: Db, id: string, cnps: FoundCnps) =>
  db
    .updateTable('file')
    .set({ cnps: JSON.stringify(cnps) })
    .where('id', '=', id)
    .where('content_text', 'is not', null)
    .execute()

/** Returns undefined if the file is already removed. */
export const markFileRemoved = (
  db: Db,
  id: string,
  { at, by, reason }: { at: Date; by: string; reason: string },
) =>
  db
    .updateTable('file')
    .set({ removed_at: at, removed_by: by, removed_reason: reason })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

const removedFiles = (db: Db) =>
  db
    .selectFrom('file')
    .leftJoin('app_user', 'app_user.id', 'file.removed_by')
    .select([
      'file.id',
      'file.upload_id',
      'file.name',
      'file.removed_at',
      'file.removed_reason',
      'app_user.name as removed_by_name',
    ])
    .where('file.removed_at', 'is not', null)
    .where('file.purged_at', 'is', null)
    .where(sql<SqlBool>`not ${wasDiscarded}`)

/** Returns a removed file whose bytes are not yet purged. */
export const selectRemovedFile = (db: Db, id: string) =>
  removedFiles(db).where('file.id', '=', id).executeTakeFirst()

/** Returns the removed files of an upload whose bytes are not yet purged. */
export const selectRemovedFiles = (db: Db, uploadId: string) =>
  removedFiles(db).where('file.upload_id', '=', uploadId).orderBy('file.position').execute()

export type RemovedFileRow = Awaited<ReturnType<typeof selectRemovedFiles>>[number]

export const unmarkFileRemoved = (db: Db, id: string) =>
  db
    .updateTable('file')
    .set({ removed_at: null, removed_by: null, removed_reason: null })
    .where('id', '=', id)
    .where('removed_at', 'is not', null)
    .where('purged_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/**
 * Returns the files removed at or before `before` whose bytes are not yet purged, the longest removed first.
 */
export const selectFilesToPurge = (db: Db, before: Date, limit: number) =>
  db
    .selectFrom('file')
    .select(['id', 'upload_id', 'storage_key'])
    .where('removed_at', '<=', before)
    .where('purged_at', 'is', null)
    .orderBy('removed_at')
    .limit(limit)
    .execute()

/** Returns undefined if the file was restored in between. */
export const markFilePurged = (db: Db, id: string, before: Date, now: Date) =>
  db
    .updateTable('file')
    // What was read and drawn from the file is deleted with it.
    .set({ purged_at: now, content_text: null, cnps: null, facts: '{}', thumbnail: null })
    .where('id', '=', id)
    .where('removed_at', '<=', before)
    .where('purged_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
