import { type SqlBool, sql } from 'kysely'
import type { AccountOrder } from '../../../../shared/access/account-orders.ts'
import type { AccountStatus } from '../../../../shared/access/account-statuses.ts'
import type { Feature } from '../../../../shared/access/features.ts'
import type { Role } from '../../../../shared/access/roles.ts'
import { REVIEWER_FEATURE } from '../../../../shared/access/second-factor.ts'
import { queryWords } from '../../../../shared/romania/names.ts'
import type { Db } from '../../../platform/database/database.ts'
import { type KeysetOrder, keyset, type PageRequest } from '../../../platform/keyset.ts'
import { effectiveStatus } from '../../site/effective-status.sql.ts'
import { hasSecondFactor } from '../credentials/second-factor.sql.ts'
import { invitationExpiresAt } from './invitation.sql.ts'

export type UserFilter = {
  search: string
  role: Role | null
  status: AccountStatus | null
  institutionId: string | null
}

/** The name as it is searched and sorted: in lower case, without diacritics. */
const nameKey = sql<string>`lower(regexp_replace(normalize(name, NFD), '[\u0300-\u036f]', '', 'g'))`

/** Selects accounts as the screens show them, with their institutions ordered by name. */
const listedUsers = (db: Db) =>
  db.selectFrom('app_user').select([
    'id',
    'version',
    'email',
    'name',
    'phone',
    'job_title',
    'role',
    'features',
    'status',
    effectiveStatus.as('effective_status'),
    'created_at',
    'last_sign_in_at',
    hasSecondFactor.as('has_second_factor'),
    nameKey.as('name_key'),
    sql<string>`role || ' ' || ${nameKey}`.as('role_key'),
    sql<string>`${effectiveStatus} || ' ' || ${nameKey}`.as('status_key'),
    sql<number>`coalesce(extract(epoch from last_sign_in_at) * 1000, 0)::bigint`.as('last_sign_in_ms'),
    invitationExpiresAt.as('invitation_expires_at'),
    sql<{ id: string; name: string; isSuspended: boolean }[]>`array(
        select jsonb_build_object(
          'id', i.id, 'name', coalesce(i.short_name, i.name), 'isSuspended', i.suspended_at is not null)
        from user_institution ui join institution i on i.id = ui.institution_id
        where ui.user_id = app_user.id order by coalesce(i.short_name, i.name), i.id)`.as('institutions'),
  ])

/** The column of each order. An account that never signed in has 0 in `last_sign_in_ms`, so that it is last. */
export const ORDER_COLUMNS = {
  status: 'status_key',
  name: 'name_key',
  email: 'email',
  role: 'role_key',
  last_sign_in: 'last_sign_in_ms',
} as const satisfies Record<AccountOrder, string>

const keysetOrder = (order: AccountOrder): KeysetOrder =>
  order === 'last_sign_in'
    ? { by: { [ORDER_COLUMNS[order]]: 'bigint', id: 'uuid' }, direction: 'desc' }
    : { by: { [ORDER_COLUMNS[order]]: 'text', id: 'uuid' }, direction: 'asc' }

/**
 * Selects accounts; every word of the search must occur in the name (without diacritics) or in the address.
 * Unindexed, except by address: there are thousands of accounts at most.
 */
export function selectUsers(
  db: Db,
  { search, role, status, institutionId }: UserFilter,
  order: AccountOrder,
  page: PageRequest,
) {
  let query = db.selectFrom(listedUsers(db).as('app_user')).selectAll()
  for (const word of queryWords(search)) {
    const wanted = `%${word}%`
    query = query.where((eb) => eb.or([eb('email', 'like', wanted), eb('name_key', 'like', wanted)]))
  }
  if (role !== null) query = query.where('role', '=', role)
  if (status !== null) query = query.where('status', '=', status)
  if (institutionId !== null) {
    query = query.where(
      sql<SqlBool>`exists (
        select from user_institution ui where ui.user_id = app_user.id and ui.institution_id = ${institutionId}::uuid)`,
    )
  }
  return keyset(query, keysetOrder(order), page).execute()
}

export type UserRow = Awaited<ReturnType<typeof selectUsers>>[number]

export const selectActiveAdministrators = (db: Db) =>
  db
    .selectFrom('app_user')
    .select(['id', 'name', 'email'])
    .where('role', '=', 'admin')
    .where(effectiveStatus, '=', 'active')
    .orderBy('id')
    .execute()

/** Selects the status of another account that may give verdicts, an active one first; suspended ones are left out. */
export const selectOtherReviewerStatus = (db: Db, userId: string) =>
  db
    .selectFrom('app_user')
    .select('status')
    .where('id', '<>', userId)
    .where('status', 'in', ['active', 'invited'])
    .where((eb) =>
      eb.or([eb('role', '=', 'admin'), sql<SqlBool>`role = 'staff' and ${REVIEWER_FEATURE} = any(features)`]),
    )
    .orderBy('status')
    .limit(1)
    .executeTakeFirst()

/** Selects one account as the screens show it. */
export const selectListedUser = (db: Db, id: string) =>
  listedUsers(db).where('id', '=', id).executeTakeFirst()

/** Locks accounts until the transaction ends, in the order of their ids to prevent deadlocks. */
export const lockUsers = (db: Db, ids: readonly string[]) =>
  db.selectFrom('app_user').selectAll().where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()

export type LockedListedUser = Awaited<ReturnType<typeof lockUsers>>[number]

export const updateUserRow = (
  db: Db,
  id: string,
  now: Date,
  values: {
    email: string
    name: string
    phone: string | null
    job_title: string | null
    role: Role
    features: Feature[]
  },
) =>
  db
    .updateTable('app_user')
    .set((eb) => ({ ...values, updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()

/** Removes the password, so that none works until a new one is set. */
export const clearPassword = (db: Db, id: string) =>
  db.updateTable('app_user').set({ password_hash: null }).where('id', '=', id).execute()

export const updateStatus = (db: Db, id: string, status: AccountStatus, now: Date) =>
  db
    .updateTable('app_user')
    .set((eb) => ({ status, updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()

/** Deletes the account; its links and institutions are deleted by cascade. */
export const deleteUser = (db: Db, id: string) => db.deleteFrom('app_user').where('id', '=', id).execute()

/** Returns whether the account is linked to an identity of an OpenID provider. */
export const hasIdentity = async (db: Db, userId: string): Promise<boolean> =>
  (await db
    .selectFrom('user_identity')
    .where('user_id', '=', userId)
    .select('user_id')
    .limit(1)
    .executeTakeFirst()) !== undefined
