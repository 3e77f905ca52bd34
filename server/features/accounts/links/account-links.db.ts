import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { effectiveStatus } from '../../site/effective-status.sql.ts'

/** What a one-time link is for and whose, while it can be used; that of an account which stands as suspended cannot. */
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
      sql<boolean>`app_user.totp_secret is not null`.as('has_second_factor'),
    ])
    .executeTakeFirst()

export type AccountLinkRow = NonNullable<Awaited<ReturnType<typeof selectAccountLink>>>

/** Whether a link of the account was made after this moment. */
export const hasLinkSince = async (db: Db, userId: string, since: Date): Promise<boolean> =>
  (await db
    .selectFrom('account_link')
    .where('user_id', '=', userId)
    .where('created_at', '>', since)
    .select('id')
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Ends the account's links of this purpose, and with an invitation all that opened it before; the rows stay, since they say when the last one was made. */
export const expireAccountLinks = (db: Db, userId: string, purpose: 'invitation' | 'reset', now: Date) =>
  db
    .updateTable('account_link')
    .set({ expires_at: now })
    .where('user_id', '=', userId)
    .where('purpose', purpose === 'reset' ? '=' : '<>', 'reset')
    .where('expires_at', '>', now)
    .execute()
