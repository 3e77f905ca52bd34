import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import type { UploadScope } from '../uploads.access.ts'
import { visible } from '../uploads.db.ts'

const versions = (db: Db) =>
  db.selectFrom('upload').select(['id', 'number', 'state', 'state_since', 'patient_id', 'institution_id'])

/** A query of the ids of the upload and of the versions before it. */
export const versionsUpTo = (id: string): RawBuilder<unknown> => sql`
  with recursive version as (
    select id, replaces_id from upload where id = ${id}::uuid
    union select former.id, former.replaces_id from upload former join version on former.id = version.replaces_id)
  select id from version`

/** Another version of an upload, without its details. */
export type VersionRow = NonNullable<Awaited<ReturnType<typeof selectVersion>>>

export const selectVersion = (db: Db, scope: UploadScope, id: string) =>
  versions(db).where('id', '=', id).where(visible(scope)).executeTakeFirst()

/** Returns the upload that replaces this one, or will once it is released. */
export const selectFollowing = (db: Db, scope: UploadScope, id: string) =>
  versions(db)
    .where('replaces_id', '=', id)
    .where('state', '!=', 'withdrawn')
    .where(visible(scope))
    .executeTakeFirst()
