import type { Db } from '../../platform/database.ts'

/** The institutions that the account stands for are these and no others. */
export async function replaceUserInstitutions(db: Db, userId: string, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('user_institution').where('user_id', '=', userId).execute()
  if (ids.length === 0) return
  await db
    .insertInto('user_institution')
    .values(ids.map((institution_id) => ({ user_id: userId, institution_id })))
    .execute()
}

/** How many of these institutions there are and are not suspended. */
export const countOpenInstitutions = async (db: Db, ids: readonly string[]): Promise<number> => {
  const { count } = await db
    .selectFrom('institution')
    .where('id', 'in', ids)
    .where('suspended_at', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
