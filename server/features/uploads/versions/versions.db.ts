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

/** A query of the ids of all versions of the result that are of the upload's patient, and of the versions before it. */
export const versionsAround = (id: string): RawBuilder<unknown> => sql`
  select id from (${versionsOfPatient(id)}) version union select id from (${versionsUpTo(id)}) version`

/** By way of the patient's uploads, which an index has. */
const versionsOfPatient = (id: string) => sql<{ id: string }>`
  with recursive of_patient as materialized (
    select each.id, each.replaces_id from upload own join upload each on each.patient_id = own.patient_id
    where own.id = ${id}::uuid and each.deleted_at is null),
  version as (
    select id, replaces_id from of_patient where id = ${id}::uuid
    union select each.id, each.replaces_id from of_patient each
      join version on each.id = version.replaces_id or each.replaces_id = version.id)
  select id from version order by id`

/** Returns the ids of all versions of the result that are of the upload's patient, in order. */
export const selectVersionsOfPatient = async (db: Db, id: string): Promise<string[]> =>
  (await versionsOfPatient(id).execute(db)).rows.map((version) => version.id)

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
