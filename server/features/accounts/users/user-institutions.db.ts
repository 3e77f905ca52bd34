import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

/** Replaces the institutions of an account; those that it had before keep the day on which it joined them. */
export async function replaceUserInstitutions(db: Db, userId: string, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom('user_institution')
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`institution_id <> all(${ids}::uuid[])`)
    .execute()
  if (ids.length === 0) return
  await db
    .insertInto('user_institution')
    .values(ids.map((institution_id) => ({ user_id: userId, institution_id })))
    .onConflict((on) => on.columns(['user_id', 'institution_id']).doNothing())
    .execute()
}

/** Locks the institutions that exist until the transaction ends, so that none is suspended meanwhile. */
export const lockInstitutions = async (db: Db, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : db
        .selectFrom('institution')
        .where('id', 'in', ids)
        .select(['id', 'suspended_at'])
        .orderBy('id')
        .forShare()
        .execute()
