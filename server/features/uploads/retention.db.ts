import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../platform/database.ts'

/**
 * Released longer ago than the term of its category, or of the site (`siteYears`, null: never) where that has none, and
 * in a state that asks for nobody's work.
 */
const isPastTerm = (now: Date, siteYears: number | null) =>
  sql<SqlBool>`upload.state in ('released', 'replaced', 'withdrawn') and upload.released_at < ${now}::timestamptz
    - make_interval(years => coalesce(
        (select retention_years from category where slug = upload.category_slug), ${siteYears}::int))`

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

/** Marks an upload's files as removed, and forgets what stood in them. */
export const updateFilesRemoved = (db: Db, uploadId: string, now: Date, reason: string) =>
  db
    .updateTable('file')
    .set({ removed_at: now, removed_reason: reason, purged_at: now, content_text: null, facts: '{}' })
    .where('upload_id', '=', uploadId)
    .where('removed_at', 'is', null)
    .returning(['storage_key', 'size'])
    .execute()
