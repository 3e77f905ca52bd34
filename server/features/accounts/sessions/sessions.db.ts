import { type SqlBool, sql } from 'kysely'
import type { Role } from '../../../../shared/access/roles.ts'
import { REVIEWER_FEATURE, type SecondFactorGroup } from '../../../../shared/access/second-factor.ts'
import type { Db } from '../../../platform/database/database.ts'
import { hasSecondFactor } from '../credentials/second-factor.sql.ts'

/** Selects the live sessions of an account, last used first. */
export const selectLiveSessions = (db: Db, userId: string, now: Date) =>
  db
    .selectFrom('session')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .select(['id', 'created_at', 'last_seen_at', 'ip', 'user_agent', 'provider', 'shared'])
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

export type SessionRow = Awaited<ReturnType<typeof selectLiveSessions>>[number]

/**
 * Ends a live session, only if it belongs to `userId` unless that is null. Returns its user; undefined if
 * there was none.
 */
export const revokeSession = (db: Db, id: string, userId: string | null, now: Date) =>
  db
    .updateTable('session')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .$if(userId !== null, (query) => query.where('user_id', '=', userId ?? ''))
    .returning('user_id')
    .executeTakeFirst()

/** Ends all sessions of an account except one; returns how many were ended. */
export const revokeOtherSessions = async (
  db: Db,
  userId: string,
  keptId: string,
  now: Date,
): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('id', '<>', keptId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Builds the update that ends live sessions, for the caller to narrow by session and account; it returns user
 * ids.
 */
const revokeLiveSessions = (db: Db, now: Date) =>
  db
    .updateTable('session')
    .from('app_user')
    .set({ revoked_at: now })
    .whereRef('app_user.id', '=', 'session.user_id')
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', now)
    .returning('session.user_id')

const distinctUserIds = (ended: readonly { user_id: string }[]): string[] => [
  ...new Set(ended.map(({ user_id }) => user_id)),
]

/**
 * Ends the live sessions of accounts of these groups and no second factor; returns the distinct user ids.
 */
export const revokeSessionsWithoutFactor = async (
  db: Db,
  groups: readonly SecondFactorGroup[],
  now: Date,
): Promise<string[]> =>
  distinctUserIds(
    await revokeLiveSessions(db, now)
      .where((eb) =>
        eb.or([
          eb('app_user.role', 'in', groups as readonly Role[]),
          ...(groups.includes('reviewer')
            ? [sql<SqlBool>`app_user.role = 'staff' and ${REVIEWER_FEATURE} = any(app_user.features)`]
            : []),
        ]),
      )
      .where(hasSecondFactor, '=', false)
      .execute(),
  )

/**
 * Ends the live sessions that began with a password, except administrators'; returns the distinct user ids.
 */
export const revokePasswordSessions = async (db: Db, now: Date): Promise<string[]> =>
  distinctUserIds(
    await revokeLiveSessions(db, now)
      .where('app_user.role', '<>', 'admin')
      .where('session.provider', '=', 'local')
      .execute(),
  )

/** Sets the time of the session's last use, unless it was set since `before`. */
export const touchSession = (db: Db, id: string, before: Date, now: Date) =>
  db
    .updateTable('session')
    .set({ last_seen_at: now })
    .where('id', '=', id)
    .where('last_seen_at', '<', before)
    .execute()

/** Sets when the session's user last proved their identity. */
export const setProvedAt = (db: Db, id: string, now: Date) =>
  db.updateTable('session').set({ proved_at: now }).where('id', '=', id).execute()
