import type { Db } from '../../../platform/database/database.ts'

/** Replaces the institutions of an account. */
export async function replaceUserInstitutions(db: Db, userId: string, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('user_institution').where('user_id', '=', userId).execute()
  if (ids.length === 0) return
  await db
    .insertInto('user_institution')
    .values(ids.map((institution_id) => ({ user_id: userId, institution_id })))
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
