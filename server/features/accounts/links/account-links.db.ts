import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { effectiveStatus } from '../../site/effective-status.sql.ts'

/**
 * Selects the purpose, expiry and owner of a usable one-time link; undefined if it is unknown, used or
 * expired, or its account is effectively suspended.
 */
export const selectAccountLink = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('account_link')
    .innerJoin('app_user', 'app_user.id', 'account_link.user_id')
    .where('account_link.token_hash', '=', tokenHash)
    .where('account_link.used_at', 'is', null)
    .where('account_link.expires_at', '>', now)
    .where(effectiveStatus, '<>', 'suspended')
    .select([
      'account_link.purpose',
      'account_link.expires_at',
      'app_user.name',
      'app_user.email',
      'app_user.role',
      sql<boolean>`app_user.totp_secret is not null`.as('has_second_factor'),
    ])
    .executeTakeFirst()

export type AccountLinkRow = NonNullable<Awaited<ReturnType<typeof selectAccountLink>>>

/** Returns whether a link of the account was created after `since`. */
export const hasLinkSince = async (db: Db, userId: string, since: Date): Promise<boolean> =>
  (await db
    .selectFrom('account_link')
    .where('user_id', '=', userId)
    .where('created_at', '>', since)
    .select('id')
    .limit(1)
    .executeTakeFirst()) !== undefined

/**
 * Expires the account's links of this purpose; `invitation` includes the first administrator's link. The rows
 * are kept because they show when the last link was created.
 */
export const expireAccountLinks = (db: Db, userId: string, purpose: 'invitation' | 'reset', now: Date) =>
  db
    .updateTable('account_link')
    .set({ expires_at: now })
    .where('user_id', '=', userId)
    .where('purpose', purpose === 'reset' ? '=' : '<>', 'reset')
    .where('expires_at', '>', now)
    .execute()
