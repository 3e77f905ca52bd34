import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

/** The `removed_reason` of files that the retention job removed; their `removed_by` is null. */
const REMOVED_BY_RETENTION = 'retention'

/** In a state that needs no further work; only uploads in these states expire. */
const IS_FINAL = sql<SqlBool>`upload.state in ('released', 'replaced', 'withdrawn')`

/**
 * Whether the upload is final and was released longer ago than the retention of its category, or than the
 * site's retention if it has no existing category. The slug that the upload's slug redirects to has
 * precedence. Null, not false, if a final upload was never released or is kept for ever.
 */
const isPastRetention = (now: Date, siteYears: number | null) =>
  sql<SqlBool>`(${IS_FINAL} and upload.released_at < ${now}::timestamptz - make_interval(years => (
    select case when category.id is null then ${siteYears}::int else category.retention_years end
    from (select coalesce(
      (select new_slug from category_slug_change where old_slug = upload.category_slug), upload.category_slug) as slug) own
    left join category on category.slug = own.slug)))`

/** Counts the uploads past their retention, and all uploads outside the bin. */
export const countPastRetention = async (
  db: Db,
  now: Date,
  siteYears: number | null,
): Promise<{ due: number; live: number }> =>
  db
    .selectFrom('upload')
    .select((eb) => [
      eb.fn.countAll<number>().as('live'),
      eb.fn.countAll<number>().filterWhere(isPastRetention(now, siteYears)).as('due'),
    ])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()

/** Moves the uploads past their retention to the bin and returns them with their state. */
export const updatePastRetentionToBin = (db: Db, now: Date, siteYears: number | null) =>
  db
    .updateTable('upload')
    .set((eb) => ({ deleted_at: now, updated_at: now, version: eb('version', '+', 1) }))
    .where('deleted_at', 'is', null)
    .where(isPastRetention(now, siteYears))
    .returning(['id', 'patient_id', 'institution_id', 'state'])
    .execute()

/**
 * Restores and returns the uploads in the bin that are not past their retention and still have their files.
 */
export const updateNotPastRetentionFromBin = (db: Db, now: Date, siteYears: number | null) =>
  db
    .updateTable('upload')
    .set((eb) => ({ deleted_at: null, updated_at: now, version: eb('version', '+', 1) }))
    .where('deleted_at', 'is not', null)
    .where(IS_FINAL)
    .where(sql<SqlBool>`${isPastRetention(now, siteYears)} is not true`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('file')
            .whereRef('file.upload_id', '=', 'upload.id')
            .where('file.removed_reason', '=', REMOVED_BY_RETENTION)
            .where('file.removed_by', 'is', null)
            .select('file.id'),
        ),
      ),
    )
    .returning(['id', 'patient_id', 'institution_id'])
    .execute()

/**
 * Returns the uploads in the bin since before `before` that are still past their retention and have files.
 */
export const selectToEmpty = (db: Db, before: Date, now: Date, siteYears: number | null) =>
  db
    .selectFrom('upload')
    .select('id')
    .where('deleted_at', '<', before)
    .where(isPastRetention(now, siteYears))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('file')
          .whereRef('file.upload_id', '=', 'upload.id')
          .where('file.removed_at', 'is', null)
          .select('file.id'),
      ),
    )
    .orderBy('deleted_at')
    .execute()

/**
 * Returns the upload, locked until the transaction ends, if it is in the bin since before `before` and past
 * its retention.
 */
export const lockToEmpty = (db: Db, id: string, before: Date, now: Date, siteYears: number | null) =>
  db
    .selectFrom('upload')
    .select(['id', 'patient_id'])
    .where('id', '=', id)
    .where('deleted_at', '<', before)
    .where(isPastRetention(now, siteYears))
    .forUpdate()
    .executeTakeFirst()

/** Marks an upload's files as removed by retention, deletes their text and thumbnails, and returns them. */
export const updateFilesRemoved = (db: Db, uploadId: string, now: Date) =>
  db
    .updateTable('file')
    .set({
      removed_at: now,
      removed_reason: REMOVED_BY_RETENTION,
      purged_at: now,
      content_text: null,
      cnps: null,
      facts: '{}',
      thumbnail: null,
    })
    .where('upload_id', '=', uploadId)
    .where('removed_at', 'is', null)
    .returning(['id', 'storage_key', 'size'])
    .execute()
