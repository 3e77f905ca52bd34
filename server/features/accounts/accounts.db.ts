import { type ExpressionBuilder, type Insertable, type SqlBool, sql } from 'kysely'
import type { SignInProvider } from '../../../shared/site/sign-in-providers.ts'
import type { Db } from '../../platform/database/database.ts'
import { type Placeholders, staticQuery } from '../../platform/database/static-query.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { effectiveStatus } from '../site/effective-status.sql.ts'
import { hasPasskey, hasSecondFactor } from './credentials/second-factor.sql.ts'

const idleHours = (eb: ExpressionBuilder<DB, 'session'>) =>
  eb.selectFrom('site_setting').where('key', '=', 'session_idle_hours').select('value')

/** The columns of an account from which its rights follow. */
const actorColumns = (eb: ExpressionBuilder<DB, 'app_user'>) =>
  [
    'app_user.id',
    'app_user.name',
    'app_user.email',
    'app_user.role',
    'app_user.features',
    // Suspended institutions are left out; the account keeps access to its other institutions.
    sql<string[]>`array(
      select ui.institution_id::text from user_institution ui join institution i on i.id = ui.institution_id
      where ui.user_id = app_user.id and i.suspended_at is null)`.as('institution_ids'),
    sql<string[]>`array(
      select ui.institution_id::text from user_institution ui join institution i on i.id = ui.institution_id
      where ui.user_id = app_user.id and i.suspended_at is null and i.may_upload)`.as(
      'sending_institution_ids',
    ),
    eb.selectFrom('site_setting').where('key', '=', 'features').select('value').as('site_features'),
    eb.selectFrom('site_setting').where('key', '=', 'self_review').select('value').as('self_review'),
  ] as const

const actorQuery = (db: Db) =>
  db
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .where('session.revoked_at', 'is', null)
    .where(effectiveStatus, '=', 'active')
    .select((eb) => [
      'session.id as session_id',
      'session.expires_at',
      'session.last_seen_at',
      'session.proved_at',
      'session.shared',
      idleHours(eb).as('idle_hours'),
    ])
    .select(actorColumns)

/** Selects the rights of an account, undefined unless it is effectively active. */
export const selectActiveAccount = (db: Db, id: string) =>
  db
    .selectFrom('app_user')
    .where('app_user.id', '=', id)
    .where(effectiveStatus, '=', 'active')
    .select(actorColumns)
    .executeTakeFirst()

/**
 * Selects the users of the given sessions that are live; skips a session whose account is not effectively
 * active.
 */
export const selectActorsBySessions = staticQuery(
  (db, slot: Placeholders<{ sessionIds: readonly string[]; now: Date }>) =>
    actorQuery(db)
      .where(sql<SqlBool>`session.id = any(${slot('sessionIds')}::uuid[])`)
      .where('session.expires_at', '>', slot('now')),
)

/**
 * Selects the user of a live session by the hash of the session cookie's token; undefined if there is none.
 */
export const selectActorByToken = (db: Db, tokenHash: Buffer, now: Date) =>
  actorQuery(db)
    .where('session.token_hash', '=', tokenHash)
    .where('session.expires_at', '>', now)
    .executeTakeFirst()

/** Selects an unexpired session and the state of its account, from which follows whether it still signs its user in. */
export const selectUnexpiredSession = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .where('session.token_hash', '=', tokenHash)
    .where('session.expires_at', '>', now)
    .select((eb) => [
      'session.revoked_at',
      'session.last_seen_at',
      'session.shared',
      idleHours(eb).as('idle_hours'),
      'app_user.role',
      'app_user.features',
      effectiveStatus.as('effective_status'),
      hasSecondFactor.as('has_second_factor'),
    ])
    .executeTakeFirst()

export type ActorRow = NonNullable<Awaited<ReturnType<typeof selectActorByToken>>>

/** Selects accounts with their effective status, by which every sign-in is decided. */
const accounts = (db: Db) =>
  db
    .selectFrom('app_user')
    .selectAll('app_user')
    .select([effectiveStatus.as('effective_status'), hasPasskey.as('has_passkey')])

export const selectUserByEmail = (db: Db, email: string) =>
  accounts(db).where('email', '=', email).executeTakeFirst()

export const selectUser = (db: Db, id: string) => accounts(db).where('id', '=', id).executeTakeFirst()

/**
 * Locks an account until the transaction ends and returns it; undefined if there is none. A sign-in, or a
 * change of how the account signs in, locks the account first and decides by the returned row. Inserting rows
 * that only reference the account does not wait for the lock.
 */
export async function lockUser(db: Db, id: string) {
  await db.selectFrom('app_user').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  // Read after the lock: the transaction that held the lock may have suspended the institution, which is
  // another row.
  return selectUser(db, id)
}

export type LockedUser = NonNullable<Awaited<ReturnType<typeof lockUser>>>

/** Returns whether the database contains any account. */
export const hasAnyUser = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('app_user').select('id').limit(1).executeTakeFirst()) !== undefined

export const insertUser = (
  db: Db,
  user: Pick<Insertable<DB['app_user']>, 'id' | 'email' | 'name' | 'role' | 'status'> &
    Partial<Pick<Insertable<DB['app_user']>, 'features' | 'phone' | 'job_title'>>,
) => db.insertInto('app_user').values(user).execute()

export const insertSession = (
  db: Db,
  session: {
    id: string
    token_hash: Buffer
    user_id: string
    expires_at: Date
    ip: string | null
    user_agent: string | null
    provider?: SignInProvider
    proved_at?: Date
    last_seen_at?: Date
    shared?: boolean
  },
) => db.insertInto('session').values(session).execute()

export const revokeSessionByToken = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .updateTable('session')
    .set({ revoked_at: now })
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .returning(['id', 'user_id'])
    .executeTakeFirst()

export const touchLastSignIn = (db: Db, userId: string, now: Date) =>
  db.updateTable('app_user').set({ last_sign_in_at: now }).where('id', '=', userId).execute()

export const insertAccountLink = (
  db: Db,
  link: {
    id: string
    token_hash: Buffer
    user_id: string
    purpose: 'first-administrator' | 'invitation' | 'reset'
    expires_at: Date
  },
) => db.insertInto('account_link').values(link).execute()

/**
 * Marks a link as used and returns its user and purpose. Of several concurrent calls only the first gets the
 * row.
 */
export const useAccountLink = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .updateTable('account_link')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['user_id', 'purpose'])
    .executeTakeFirst()

export const deleteAccountLinks = (db: Db, userId: string) =>
  db.deleteFrom('account_link').where('user_id', '=', userId).execute()

/** Sets the password and makes an invited account active; a suspended account stays suspended. */
export const updatePassword = (db: Db, userId: string, passwordHash: string, now: Date) =>
  db
    .updateTable('app_user')
    .set((eb) => ({
      password_hash: passwordHash,
      status: sql<'active' | 'suspended'>`case status when 'invited' then 'active' else status end`,
      updated_at: now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', userId)
    .execute()

/** Makes an invited account active whose user has signed in without using the invitation link. */
export const activateUser = (db: Db, userId: string, now: Date) =>
  db
    .updateTable('app_user')
    .set((eb) => ({ status: 'active', updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', userId)
    .where('status', '=', 'invited')
    .execute()

export const revokeSessionsOfUser = (db: Db, userId: string, now: Date) =>
  db
    .updateTable('session')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()

/**
 * Selects the user of a usable link; undefined if it is unknown, used or expired, or its account is
 * effectively suspended.
 */
export const selectUserByAccountLink = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('account_link')
    .innerJoin('app_user', 'app_user.id', 'account_link.user_id')
    .where('account_link.token_hash', '=', tokenHash)
    .where('account_link.used_at', 'is', null)
    .where('account_link.expires_at', '>', now)
    .where(effectiveStatus, '<>', 'suspended')
    .selectAll('app_user')
    .executeTakeFirst()

/** Selects the first administrator while that account has no password yet. */
export const selectPendingAdministrator = (db: Db) =>
  db
    .selectFrom('app_user')
    .innerJoin('account_link', 'account_link.user_id', 'app_user.id')
    .where('account_link.purpose', '=', 'first-administrator')
    .where('app_user.status', '=', 'invited')
    .select(['app_user.id', 'app_user.email'])
    .executeTakeFirst()

/**
 * Blocks other transactions from creating or changing accounts until this transaction ends; reads are not
 * blocked.
 */
export const lockAccounts = (db: Db) => sql`lock table app_user in share row exclusive mode`.execute(db)
