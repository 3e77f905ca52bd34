import { sql } from 'kysely'
import type { Feature } from '../../../shared/features.ts'
import type { Role } from '../../../shared/roles.ts'
import type { Db } from '../../platform/database.ts'
import type { UserRow } from './accounts.db.ts'

export const insertInvitedUser = (
  db: Db,
  user: {
    id: string
    email: string
    name: string
    role: Role
    features: Feature[]
    phone: string | null
    job_title: string | null
  },
) =>
  db
    .insertInto('app_user')
    .values({ ...user, status: 'invited' })
    .execute()

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

/** The account as the list of accounts shows it. */
export const selectUser = (db: Db, id: string): Promise<UserRow | undefined> =>
  db
    .selectFrom('app_user')
    .where('id', '=', id)
    .select([
      'id',
      'email',
      'name',
      'phone',
      'job_title',
      'role',
      'features',
      'status',
      'last_sign_in_at',
      sql<string[]>`array(
        select coalesce(i.short_name, i.name) from user_institution ui join institution i on i.id = ui.institution_id
        where ui.user_id = app_user.id order by 1)`.as('institutions'),
    ])
    .executeTakeFirst()
