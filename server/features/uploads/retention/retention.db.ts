import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

/** Why a file is removed that no person has removed. */
const RETENTION = 'retention'

/** In a state that asks for nobody's work: only then the bin is for it. */
const IS_FINAL = sql<SqlBool>`upload.state in ('released', 'replaced', 'withdrawn')`

/**
 * Released longer ago than the term of its category, also of the one that its slug has gone to. The term of the site counts
 * where there is no such category. A term that is null is never over.
 */
const isPastTerm = (now: Date, siteYears: number | null) =>
  sql<SqlBool>`(${IS_FINAL} and upload.released_at < ${now}::timestamptz - make_interval(years => (
    select case when category.id is null then ${siteYears}::int else category.retention_years end
    from (select coalesce(
      (select new_slug from category_slug_change where old_slug = upload.category_slug), upload.category_slug) as slug) own
    left join category on category.slug = own.slug)))`

/** How many uploads are past their term, and how many there are outside the bin. */
export const countPastTerm = async (
  db: Db,
  now: Date,
  siteYears: number | null,
): Promise<{ due: number; live: number }> =>
  db
    .selectFrom('upload')
    .select((eb) => [
      eb.fn.countAll<number>().as('live'),
      eb.fn.countAll<number>().filterWhere(isPastTerm(now, siteYears)).as('due'),
    ])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()

/** Puts them into the bin and answers which they were, with the state they are in. */
export const updatePastTermToBin = (db: Db, now: Date, siteYears: number | null) =>
  db
    .updateTable('upload')
    .set((eb) => ({ deleted_at: now, updated_at: now, version: eb('version', '+', 1) }))
    .where('deleted_at', 'is', null)
    .where(isPastTerm(now, siteYears))
    .returning(['id', 'patient_id', 'institution_id', 'state'])
    .execute()

/** Takes back out of the bin what is not past its term, as long as its files are there; answers which they were. */
export const updateNotPastTermFromBin = (db: Db, now: Date, siteYears: number | null) =>
  db
    .updateTable('upload')
    .set((eb) => ({ deleted_at: null, updated_at: now, version: eb('version', '+', 1) }))
    .where('deleted_at', 'is not', null)
    .where(IS_FINAL)
    .where(sql<SqlBool>`${isPastTerm(now, siteYears)} is not true`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('file')
            .whereRef('file.upload_id', '=', 'upload.id')
            .where('file.removed_reason', '=', RETENTION)
            .where('file.removed_by', 'is', null)
            .select('file.id'),
        ),
      ),
    )
    .returning(['id', 'patient_id', 'institution_id'])
    .execute()

/** In the bin since before then, past their term still, and with files. */
export const selectToEmpty = (db: Db, before: Date, now: Date, siteYears: number | null) =>
  db
    .selectFrom('upload')
    .select('id')
    .where('deleted_at', '<', before)
    .where(isPastTerm(now, siteYears))
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

/** The same of one upload, locked until the transaction ends. */
export const lockToEmpty = (db: Db, id: string, before: Date, now: Date, siteYears: number | null) =>
  db
    .selectFrom('upload')
    .select(['id', 'patient_id'])
    .where('id', '=', id)
    .where('deleted_at', '<', before)
    .where(isPastTerm(now, siteYears))
    .forUpdate()
    .executeTakeFirst()

/** Marks an upload's files as removed, their term being over, and forgets what stood in them. */
export const updateFilesRemoved = (db: Db, uploadId: string, now: Date) =>
  db
    .updateTable('file')
    .set({
      removed_at: now,
      removed_reason: RETENTION,
      purged_at: now,
      content_text: null,
      cnps: null,
      facts: '{}',
    })
    .where('upload_id', '=', uploadId)
    .where('removed_at', 'is', null)
    .returning(['storage_key', 'size'])
    .execute()
