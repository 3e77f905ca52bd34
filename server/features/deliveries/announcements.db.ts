import { type SqlBool, sql } from 'kysely'
import type { AnnouncementKind } from '../../../shared/deliveries/announcements.ts'
import type { Delivery, OwnDelivery } from '../../../shared/site/setting-bounds.ts'
import type { Db } from '../../platform/database/database.ts'
import { effectiveStatus } from '../site/effective-status.sql.ts'
import { isReferred } from '../uploads/released/is-referred.sql.ts'
import { getsResultMail } from './gets-result-mail.sql.ts'
import { periodOf, type UnopenedFilter } from './unopened.db.ts'

/** A user with results to announce; the names of the institution are those that its users know. */
export type WaitingRow = {
  user_id: string
  institution_id: string
  institution_name: string
  delivery: Delivery
  own_delivery: OwnDelivery | null
  user_name: string
  email: string
  /** Whether the user may still get mail about the institution's results. */
  is_reachable: boolean
  /** When the oldest row that waits for the digest's hour was written; null if there is none. */
  first_at: Date | null
  /** Whether something is to be sent at once. */
  is_urgent: boolean
}

/** Recalls and what staff ask for are sent at once. */
const isUrgent = sql<boolean>`announcement.kind in ('recall', 'resent')`

/** Selects the users for whom something waits. */
export async function selectWaiting(db: Db): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select waiting.*, coalesce(institution.short_name, institution.name) as institution_name, institution.delivery,
      user_institution.delivery as own_delivery, app_user.name as user_name, app_user.email,
      user_institution.user_id is not null and institution.suspended_at is null and app_user.role = 'institution'
        and ${effectiveStatus} = 'active' as is_reachable
    from (select user_id, institution_id, min(created_at) filter (where not ${isUrgent}) as first_at,
        bool_or(${isUrgent}) as is_urgent
      from announcement where message_id is null group by 1, 2) waiting
    join institution on institution.id = waiting.institution_id
    join app_user on app_user.id = waiting.user_id
    left join user_institution on user_institution.user_id = waiting.user_id
      and user_institution.institution_id = waiting.institution_id
    order by waiting.institution_id, waiting.user_id`.execute(db)
  return rows
}

/**
 * Whether what the row announces is still true: the institution has the result, of this release, and nobody has opened it if the row says so.
 * A recall stays true.
 */
const isValid = sql<SqlBool>`(announcement.kind = 'recall' or exists (
  select from upload where upload.id = announcement.upload_id and upload.state = 'released' and upload.deleted_at is null
    and upload.institution_id = announcement.institution_id
    and upload.released_at = announcement.released_at
    and (announcement.kind = 'new' or upload.first_opened_at is null) and ${isReferred}))`

type Reader = { userId: string; institutionId: string }

/** Deletes what waits for the user and is no longer true; all but recalls with `isUnwanted`, everything without `isReachable`. */
export const deleteWaiting = (
  db: Db,
  { userId, institutionId }: Reader,
  { isReachable, isUnwanted }: { isReachable: boolean; isUnwanted: boolean },
) =>
  db
    .deleteFrom('announcement')
    .where('message_id', 'is', null)
    .where('user_id', '=', userId)
    .where('institution_id', '=', institutionId)
    .where(
      sql<SqlBool>`(${!isReachable} or ${isUnwanted} and announcement.kind <> 'recall' or not ${isValid})`,
    )
    .execute()

/** Selects and locks what waits for the user: what is urgent, and the rows written before `before`. */
export const lockWaiting = (db: Db, { userId, institutionId }: Reader, before: Date) =>
  db
    .selectFrom('announcement')
    .select(['id', 'kind', 'asked_by'])
    .where('message_id', 'is', null)
    .where('user_id', '=', userId)
    .where('institution_id', '=', institutionId)
    .where(sql<SqlBool>`(${isUrgent} or created_at < ${before})`)
    .orderBy('id')
    .forUpdate()
    .execute()

export const updateMessage = (db: Db, ids: readonly string[], messageId: string) =>
  db
    .updateTable('announcement')
    .set({ message_id: messageId })
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .execute()

/** Whether the reader wants no mail about results by now; a recall is sent all the same. */
const isUnwanted = sql<SqlBool>`(announcement.kind <> 'recall' and exists (
  select from user_institution join institution on institution.id = user_institution.institution_id
  where user_institution.institution_id = announcement.institution_id
    and user_institution.user_id = announcement.user_id
    and (institution.delivery = 'none' or user_institution.delivery = 'none')))`

/** Deletes what a mail that was not sent yet counts and is no longer true, or unwanted; returns whether there was anything. */
export const deleteOutdated = async (db: Db, messageId: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('announcement')
    .where('message_id', '=', messageId)
    .where(sql<SqlBool>`(not ${isValid} or ${isUnwanted})`)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0
}

/** Counts by kind what a mail announces. */
export const countAnnounced = (db: Db, messageId: string) =>
  db
    .selectFrom('announcement')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .where('message_id', '=', messageId)
    .groupBy('kind')
    .execute()

/** Selects the recipient of a digest that is queued, with the institution; undefined if it is not queued any more. */
export const selectQueuedDigest = (db: Db, messageId: string) =>
  db
    .selectFrom('message')
    .innerJoin('institution', 'institution.id', 'message.institution_id')
    .innerJoin('app_user', 'app_user.id', 'message.about_id')
    .select([
      'app_user.id as user_id',
      'app_user.name as user_name',
      'app_user.email',
      'message.recipient',
      'message.institution_id',
      sql<string>`coalesce(institution.short_name, institution.name)`.as('institution_name'),
    ])
    .where('message.id', '=', messageId)
    .where('message.state', '=', 'queued')
    .executeTakeFirst()

/** The active users of an institution who want mail about results, for each of the uploads. */
const readers = sql`
  join institution on institution.id = upload.institution_id
  join user_institution on user_institution.institution_id = institution.id
  join app_user on app_user.id = user_institution.user_id
  where ${getsResultMail}`

/**
 * Writes the reminders of the results that were released from `since` to `until` and that nobody has opened, once for each
 * release. Each institution's results are read from their index.
 */
export async function insertReminders(db: Db, since: Date, until: Date): Promise<void> {
  await sql`
    insert into announcement (upload_id, institution_id, user_id, kind, released_at)
    select upload.id, upload.institution_id, user_institution.user_id, 'reminder', upload.released_at
    from (select upload.* from institution own
      cross join lateral (select * from upload where upload.institution_id = own.id and upload.state = 'released'
        and upload.deleted_at is null and upload.first_opened_at is null
        and upload.released_at >= ${since} and upload.released_at < ${until}) upload
      where ${isReferred} and not exists (select from announcement reminded where reminded.upload_id = upload.id
        and reminded.kind = 'reminder' and reminded.released_at = upload.released_at
        and reminded.institution_id = upload.institution_id)) upload
    ${readers}
    on conflict do nothing`.execute(db)
}

/** Writes the rows that announce the institution's unopened results again; returns for how many users. */
export async function insertResent(
  db: Db,
  {
    institutionId,
    askedBy,
    filter,
    now,
  }: { institutionId: string; askedBy: string; filter: UnopenedFilter; now: Date },
): Promise<number> {
  const { since, until } = periodOf(filter, now)
  const { rows } = await sql<{ people: number }>`
    with added as (
      insert into announcement (upload_id, institution_id, user_id, kind, released_at, asked_by)
      select upload.id, upload.institution_id, user_institution.user_id, 'resent',
        upload.released_at, ${askedBy}::uuid
      from (select * from upload where upload.institution_id = ${institutionId}::uuid and upload.state = 'released'
        and upload.deleted_at is null and upload.first_opened_at is null and upload.released_at >= ${since}
        and upload.released_at < ${until} and ${isReferred}) upload
      ${readers}
      on conflict do nothing
      returning user_id)
    select count(distinct user_id)::int as people from added`.execute(db)
  return rows[0]!.people
}

/**
 * Makes what a mail has not announced wait for another one, unless it waits already on request; returns whether there was
 * anything.
 */
export const releaseAnnounced = async (db: Db, messageId: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('announcement')
    .set({ message_id: null })
    .where('message_id', '=', messageId)
    .where(isValid)
    .where(
      sql<SqlBool>`not (announcement.kind = 'resent' and exists (select from announcement waiting
        where waiting.upload_id = announcement.upload_id and waiting.institution_id = announcement.institution_id
          and waiting.user_id = announcement.user_id and waiting.kind = 'resent' and waiting.message_id is null))`,
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

export type CountRow = { kind: AnnouncementKind; count: number }
