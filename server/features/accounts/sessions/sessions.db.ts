import type { Role } from '../../../../shared/access/roles.ts'
import type { Db } from '../../../platform/database/database.ts'

/** Selects the live sessions of an account, last used first. */
export const selectLiveSessions = (db: Db, userId: string, now: Date) =>
  db
    .selectFrom('session')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .select(['id', 'created_at', 'last_seen_at', 'ip', 'user_agent', 'provider'])
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

export type SessionRow = Awaited<ReturnType<typeof selectLiveSessions>>[number]

export const selectSession = (db: Db, id: string) =>
  db.selectFrom('session').where('id', '=', id).select(['user_id', 'created_at']).executeTakeFirst()

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
 * Ends the live sessions of accounts with these roles and no second factor; returns the distinct user ids.
 */
export const revokeSessionsWithoutFactor = async (
  db: Db,
  roles: readonly Role[],
  now: Date,
): Promise<string[]> =>
  distinctUserIds(
    await revokeLiveSessions(db, now)
      .where('app_user.role', 'in', roles)
      .where('app_user.totp_secret', 'is', null)
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

/** Sets the session's last-seen time, unless it was set since `before`. */
export const touchSession = (db: Db, id: string, before: Date, now: Date) =>
  db
    .updateTable('session')
    .set({ last_seen_at: now })
    .where('id', '=', id)
    .where('last_seen_at', '<', before)
    .execute()
