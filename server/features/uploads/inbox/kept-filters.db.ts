import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

export type KeptFilters = {
  view: string | null
  since: string | null
  until: string | null
  category_slug: string | null
  doctor: string | null
  institution_id: string | null
  department_id: string | null
  all_departments: boolean
}

/**
 * Returns what a user has kept, without an institution that is none of these, and without a department or a doctor that
 * none of these has; undefined if the user has kept nothing. The category is as it was.
 */
export const selectKeptFilters = (
  db: Db,
  userId: string,
  institutionIds: readonly string[],
): Promise<KeptFilters | undefined> => {
  const isOwn = sql<SqlBool>`institution_id = any(${institutionIds}::uuid[])`
  return db
    .selectFrom('kept_inbox_filter')
    .select(({ selectFrom }) => [
      'view',
      'since',
      'until',
      'category_slug',
      'all_departments',
      sql<string | null>`case when ${isOwn} then institution_id end`.as('institution_id'),
      selectFrom('department')
        .select('department.id')
        .whereRef('department.id', '=', 'kept_inbox_filter.department_id')
        .where(sql<SqlBool>`department.institution_id = any(${institutionIds}::uuid[])`)
        .as('department_id'),
      selectFrom('institution_doctor')
        .select('name')
        .whereRef('name', '=', 'kept_inbox_filter.doctor')
        .where(sql<SqlBool>`institution_doctor.institution_id = any(${institutionIds}::uuid[])`)
        .limit(1)
        .as('doctor'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Replaces what the user has kept. */
export const upsertKeptFilters = (db: Db, userId: string, filters: KeptFilters) =>
  db
    .insertInto('kept_inbox_filter')
    .values({ user_id: userId, ...filters })
    .onConflict((on) => on.column('user_id').doUpdateSet(filters))
    .execute()
