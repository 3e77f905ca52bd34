import { type Insertable, type SqlBool, sql } from 'kysely'
import type { Role } from '../../../shared/access/roles.ts'
import type { MessageState } from '../../../shared/messages/message-states.ts'
import { countRows } from '../../platform/database/count-rows.ts'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { keyset, type PageRequest } from '../../platform/keyset.ts'
import { effectiveStatus } from '../site/effective-status.sql.ts'

/**
 * Returns the role of an account, which decides how its mail addresses the recipient; null if there is no
 * account.
 */
export const selectRole = async (db: Db, userId: string): Promise<Role | null> =>
  (await db.selectFrom('app_user').where('id', '=', userId).select('role').executeTakeFirst())?.role ?? null

/** Returns the account that has caused a mail; undefined if it is not active. */
export const selectMaker = (db: Db, userId: string) =>
  db
    .selectFrom('app_user')
    .select(['id', 'name', 'email', 'role'])
    .where('id', '=', userId)
    .where(effectiveStatus, '=', 'active')
    .executeTakeFirst()

export const insertMessage = (db: Db, message: Insertable<DB['message']>) =>
  db.insertInto('message').values(message).execute()

/**
 * A notice informs the owner of a change to the account and contains no link to sign in with: it is sent even
 * if the account is suspended.
 */
const isNotice = sql<boolean>`message.kind in (
  'address-changed', 'password-changed', 'passkey-added', 'passkey-removed', 'recovery-codes')`

/** Whether a mail counts the results of an institution that is suspended, or to which its reader does not belong any more. */
const isOfFormerInstitution = sql<boolean>`message.institution_id is not null and not exists (
  select from user_institution join institution on institution.id = user_institution.institution_id
  where user_institution.institution_id = message.institution_id and user_institution.user_id = message.about_id
    and institution.suspended_at is null)`

/** Whether a mail has the link of a share that is over, or a code for one that is over, used or replaced by a later code. */
const isOfClosedShare = sql<boolean>`message.kind in ('share', 'share-code') and exists (
  select from share where share.id = message.about_id and (share.ended_at is not null or share.expires_at <= now()
    or message.kind = 'share-code' and (coalesce(share.mail_code_until, '-infinity') <= now()
      or share.mail_code_sent_at > message.created_at)))`

/**
 * Counts an attempt to send a queued message and returns the message; undefined if it is not queued. `stopped_by` says why it is
 * not sent: `suspended`, its account is effectively suspended and it is no notice, or its reader does not belong to the institution
 * whose results it counts; `ended`, the link or the code in it is over.
 */
export const countAttempt = (db: Db, id: string) =>
  db
    .updateTable('message')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .returning(['id', 'recipient', 'recipient_name', 'subject', 'body', 'created_at'])
    .returning(
      sql<'suspended' | 'ended' | null>`case when ${isOfFormerInstitution} or not ${isNotice} and exists (
          select from app_user
          where message.about_type = 'user' and app_user.id = message.about_id and ${effectiveStatus} = 'suspended')
          then 'suspended'
        when ${isOfClosedShare} then 'ended' end`.as('stopped_by'),
    )
    .executeTakeFirst()

export const updateLastError = (db: Db, id: string, lastError: string) =>
  db.updateTable('message').set({ last_error: lastError }).where('id', '=', id).execute()

/** Replaces the content of a message that is still queued. */
export const updateContent = (db: Db, id: string, content: { subject: string; body: Buffer }) =>
  db.updateTable('message').set(content).where('id', '=', id).where('state', '=', 'queued').execute()

/** Sets the final state of a message; returns its kind and who has caused it. */
export const closeMessage = (
  db: Db,
  id: string,
  end: { state: Exclude<MessageState, 'queued'>; last_error: string | null; sent_at: Date | null },
) =>
  db
    .updateTable('message')
    .set(end)
    .where('id', '=', id)
    .returning(['kind', 'caused_by', 'created_at'])
    .executeTakeFirstOrThrow()

export const deleteBody = (db: Db, id: string) =>
  db.updateTable('message').set({ body: null }).where('id', '=', id).execute()

/**
 * Selects queued messages, oldest first. The state is a literal, so that its partial index is always used.
 */
export const selectQueuedMessages = (db: Db) =>
  db
    .selectFrom('message')
    .where('state', '=', sql.lit('queued'))
    .select(['id', 'kind', 'created_at'])
    .orderBy('created_at')
    .execute()

/** Selects queued messages about these accounts, except notices. */
export const selectQueuedMessagesAbout = async (db: Db, userIds: readonly string[]) =>
  userIds.length === 0
    ? []
    : db
        .selectFrom('message')
        .where('state', '=', 'queued')
        .where('about_type', '=', 'user')
        .where('about_id', 'in', userIds)
        .where(sql<boolean>`not ${isNotice}`)
        .select('id')
        .execute()

/** Reasons for which the product itself has ended a message. */
export const ENDED_ON_PURPOSE: readonly string[] = ['suspended', 'withdrawn', 'postponed', 'ended']

/** Mail that will not be sent any more. The states are literals, so that their partial index can be used. */
const isUndelivered = sql<SqlBool>`message.state in ('failed', 'bounced')`
/** Mail that has failed: it needs an administrator, and what the product has ended itself does not. */
const isFailure = sql<SqlBool>`(${isUndelivered} and coalesce(message.last_error, '') not in (
  ${sql.join(ENDED_ON_PURPOSE.map((reason) => sql.lit(reason)))}))`

/** Selects messages, newest first; with `undeliveredSince` only those written since then that have failed. */
export const selectMessages = (
  db: Db,
  { state, undeliveredSince }: { state: MessageState | null; undeliveredSince: Date | null },
  page: PageRequest,
) =>
  keyset(
    db
      .selectFrom('message')
      .selectAll()
      .$if(state !== null, (query) => query.where('state', '=', state!))
      .$if(undeliveredSince !== null, (query) =>
        query.where(isFailure).where('created_at', '>=', undeliveredSince!),
      ),
    { by: { created_at: 'timestamptz', id: 'uuid' }, direction: 'desc' },
    page,
  ).execute()

/** Counts the mail written since `since` that has failed, up to `limit`. */
export const countUndeliveredSince = (db: Db, since: Date, limit: number): Promise<number> =>
  countRows(
    db,
    db.selectFrom('message').select('id').where(isFailure).where('created_at', '>=', since).limit(limit),
  )

/**
 * Selects the mail written since `since` that has failed, the last first, without its recipients; with `causedBy` only what this
 * user has caused.
 */
export const selectLastUndelivered = (
  db: Db,
  { causedBy, since }: { causedBy: string | null; since: Date },
  limit: number,
) =>
  db
    .selectFrom('message')
    .select(['id', 'kind', 'state', 'failed_at', 'about_type', 'about_id', 'institution_id'])
    .where(isFailure)
    // The first is for the index.
    .where('failed_at', '>=', since)
    .where('created_at', '>=', since)
    .$if(causedBy !== null, (query) => query.where('caused_by', '=', causedBy!))
    .orderBy('failed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
export type UndeliveredMessage = Awaited<ReturnType<typeof selectLastUndelivered>>[number]

/** Selects and locks a mail that will not be sent any more. */
export const lockFailedMessage = (db: Db, id: string) =>
  db
    .selectFrom('message')
    .selectAll()
    .where('id', '=', id)
    .where(isUndelivered)
    .forUpdate()
    .executeTakeFirst()

export const selectAddress = (db: Db, userId: string) =>
  db.selectFrom('app_user').select('email').where('id', '=', userId).executeTakeFirst()

/** Selects a test mail: one that was sent if there is any, else the newest. */
export const selectTestMessageState = (db: Db) =>
  db
    .selectFrom('message')
    .select('state')
    .where('kind', '=', sql.lit('test'))
    .orderBy(sql`state = 'sent'`, 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

export const selectMessage = (db: Db, id: string) =>
  db.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

export type MessageRow = Awaited<ReturnType<typeof selectMessage>>
