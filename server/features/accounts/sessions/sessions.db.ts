import type { Role } from '../../../../shared/access/roles.ts'
import type { Db } from '../../../platform/database/database.ts'

/** The live sessions of an account, last used first. */
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

/** Ends a live session, of this account alone where one is given; whose it was, or nothing. */
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

/** Ends every session of an account but one; answers how many that were. */
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

/** Ends live sessions, those that the caller narrows it to by session and account; tells whose they were. */
const revokeLiveSessions = (db: Db, now: Date) =>
  db
    .updateTable('session')
    .from('app_user')
    .set({ revoked_at: now })
    .whereRef('app_user.id', '=', 'session.user_id')
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', now)
    .returning('session.user_id')

const eachOwner = (ended: readonly { user_id: string }[]): string[] => [
  ...new Set(ended.map(({ user_id }) => user_id)),
]

/** Ends the live sessions of everybody in these roles who has no second factor; answers whose they were, each once. */
export const revokeSessionsWithoutFactor = async (
  db: Db,
  roles: readonly Role[],
  now: Date,
): Promise<string[]> =>
  eachOwner(
    await revokeLiveSessions(db, now)
      .where('app_user.role', 'in', roles)
      .where('app_user.totp_secret', 'is', null)
      .execute(),
  )

/** Ends the live sessions that began with a password, but those of administrators; answers whose they were, each once. */
export const revokePasswordSessions = async (db: Db, now: Date): Promise<string[]> =>
  eachOwner(
    await revokeLiveSessions(db, now)
      .where('app_user.role', '<>', 'admin')
      .where('session.provider', '=', 'local')
      .execute(),
  )

/** Notes that a session is in use, unless that was noted since `before`. */
export const touchSession = (db: Db, id: string, before: Date, now: Date) =>
  db
    .updateTable('session')
    .set({ last_seen_at: now })
    .where('id', '=', id)
    .where('last_seen_at', '<', before)
    .execute()
