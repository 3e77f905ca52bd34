import type { Db } from '../../platform/database.ts'

export const insertUserInstitutions = (db: Db, userId: string, institutionIds: readonly string[]) =>
  db
    .insertInto('user_institution')
    .values(institutionIds.map((institution_id) => ({ user_id: userId, institution_id })))
    .execute()

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
