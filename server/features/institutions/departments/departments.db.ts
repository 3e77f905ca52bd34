import { type SqlBool, sql } from 'kysely'
import { LIMITS } from '../../../../shared/limits.ts'
import type { OwnDelivery } from '../../../../shared/site/setting-bounds.ts'
import type { Db } from '../../../platform/database/database.ts'

/**
 * Lets no other transaction change the departments of the institution until this one ends: two of them could take the same
 * name, wait for each other's doctors, or choose a department that is just removed.
 */
export async function lockDepartments(db: Db, institutionId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`departments of ${institutionId}`}, 0))`.execute(
    db,
  )
}

/** Returns the departments of the institutions, by name. */
export const selectDepartments = (db: Db, institutionIds: readonly string[]) =>
  db
    .selectFrom('department')
    .select(['id', 'institution_id', 'name', 'version'])
    .where(sql<SqlBool>`institution_id = any(${institutionIds}::uuid[])`)
    .orderBy('name_key')
    .execute()

export type DepartmentRow = Awaited<ReturnType<typeof selectDepartments>>[number]

export const selectDepartment = (db: Db, id: string) =>
  db
    .selectFrom('department')
    .select(['id', 'institution_id', 'name', 'version'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Returns the referring doctors of the results that the institution has now, by name. */
export const selectDoctors = (db: Db, institutionId: string) =>
  db
    .selectFrom('institution_doctor')
    .select(['institution_id', 'name', 'department_id'])
    .where('institution_id', '=', institutionId)
    .where(sql<SqlBool>`exists (select from upload where upload.institution_id = institution_doctor.institution_id
      and upload.referring_doctor = institution_doctor.name and upload.state = 'released' and upload.deleted_at is null offset 0)`)
    .orderBy('name')
    .limit(LIMITS.institutionDoctors)
    .execute()

export type DoctorRow = Awaited<ReturnType<typeof selectDoctors>>[number]

/** Adds a department; returns undefined if the institution has one of this name. */
export const insertDepartment = (
  db: Db,
  values: { id: string; institution_id: string; name: string; name_key: string },
) =>
  db
    .insertInto('department')
    .values(values)
    .onConflict((on) => on.columns(['institution_id', 'name_key']).doNothing())
    .returning('id')
    .executeTakeFirst()

/** Returns undefined if `version` is no longer the stored version. */
export const updateDepartmentRow = (
  db: Db,
  { id, version, ...values }: { id: string; version: number; name: string; name_key: string },
  now: Date,
) =>
  db
    .updateTable('department')
    .set({ ...values, updated_at: now, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst()

/** Returns whether another department of the institution has this name. */
export const isNameTaken = async (
  db: Db,
  { id, institution_id, name_key }: { id: string; institution_id: string; name_key: string },
): Promise<boolean> =>
  (await db
    .selectFrom('department')
    .select('id')
    .where('institution_id', '=', institution_id)
    .where('name_key', '=', name_key)
    .where('id', '!=', id)
    .executeTakeFirst()) !== undefined

export const deleteDepartment = (db: Db, id: string, version: number) =>
  db
    .deleteFrom('department')
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst()

/** Makes these doctors, of those that the institution has, the department's, and no others. */
export async function replaceDoctors(
  db: Db,
  { id, institution_id }: { id: string; institution_id: string },
  names: readonly string[],
): Promise<void> {
  await db
    .updateTable('institution_doctor')
    .set({ department_id: null })
    .where('institution_id', '=', institution_id)
    .where('department_id', '=', id)
    .where(sql<SqlBool>`name <> all(${names}::text[])`)
    .execute()
  await db
    .updateTable('institution_doctor')
    .set({ department_id: id })
    .where('institution_id', '=', institution_id)
    .where(sql<SqlBool>`name = any(${names}::text[])`)
    .execute()
}

/** Returns the memberships of a user in these institutions, by the name of the institution. */
export const selectMemberships = (db: Db, userId: string, institutionIds: readonly string[]) =>
  db
    .selectFrom('user_institution')
    .innerJoin('institution', 'institution.id', 'user_institution.institution_id')
    .select([
      'user_institution.institution_id',
      'user_institution.department_id',
      'user_institution.delivery as own_delivery',
      'institution.delivery',
      sql<string>`coalesce(institution.short_name, institution.name)`.as('institution_name'),
    ])
    .where('user_institution.user_id', '=', userId)
    .where(sql<SqlBool>`user_institution.institution_id = any(${institutionIds}::uuid[])`)
    .orderBy('institution.name_key')
    .orderBy('institution.id')
    .execute()

export type MembershipRow = Awaited<ReturnType<typeof selectMemberships>>[number]

export const updateOwnDepartment = (
  db: Db,
  userId: string,
  institutionId: string,
  departmentId: string | null,
) =>
  db
    .updateTable('user_institution')
    .set({ department_id: departmentId })
    .where('user_id', '=', userId)
    .where('institution_id', '=', institutionId)
    .execute()

export const updateOwnDelivery = (
  db: Db,
  userId: string,
  institutionId: string,
  delivery: OwnDelivery | null,
) =>
  db
    .updateTable('user_institution')
    .set({ delivery })
    .where('user_id', '=', userId)
    .where('institution_id', '=', institutionId)
    .execute()
