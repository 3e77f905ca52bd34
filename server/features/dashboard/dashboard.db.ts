import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** Groups of a batch are no uploads before they are filed. */
const isListed = sql<SqlBool>`(batch_id is null or filed_at is not null)`

/**
 * Counts the uploads in each state that still needs work, with the longest wait; final states are not
 * counted.
 */
export const selectWaiting = (db: Db) =>
  db
    .selectFrom('upload')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count'), eb.fn.min('state_since').as('oldest')])
    .where('state', 'in', [
      'receiving',
      'checking',
      'quarantined',
      'unassigned',
      'in_review',
      'accepted',
      'rejected',
    ])
    .where('deleted_at', 'is', null)
    .where(isListed)
    .groupBy('state')
    .execute()

export type WaitingRow = Awaited<ReturnType<typeof selectWaiting>>[number]

/**
 * Counts the verdicts since `since`, without first acceptances of two, which decide nothing yet, and without those that
 * were undone.
 */
export const countReviews = async (db: Db, since: Date): Promise<{ accepted: number; rejected: number }> => {
  const row = await db
    .selectFrom('review')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('verdict', '=', 'accepted').as('accepted'),
      eb.fn.countAll<number>().filterWhere('verdict', '=', 'rejected').as('rejected'),
    ])
    .where('created_at', '>=', since)
    .where('first_of_version', 'is', null)
    .where('undone_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row
}

/**
 * Counts the uploads released since `since`, and those of them that no user of the institution has opened.
 */
export const countReleased = async (db: Db, since: Date): Promise<{ released: number; unopened: number }> => {
  const row = await db
    .selectFrom('upload')
    .select([
      sql<number>`count(*)`.as('released'),
      sql<number>`count(*) filter (where not exists (
        select from upload_opening where upload_opening.upload_id = upload.id))`.as('unopened'),
    ])
    .where('state', '=', 'released')
    .where('deleted_at', 'is', null)
    .where('released_at', '>=', since)
    .executeTakeFirstOrThrow()
  return row
}

/**
 * Counts the uploads created per day since `since`, by days in Romania; uploads withdrawn later are included.
 */
export const selectUploadsPerDay = (db: Db, since: Date) =>
  db
    .selectFrom('upload')
    .select([
      sql<string>`to_char(created_at at time zone 'Europe/Bucharest', 'YYYY-MM-DD')`.as('day'),
      sql<number>`count(*)`.as('count'),
    ])
    .where('created_at', '>=', since)
    .where('deleted_at', 'is', null)
    .where(isListed)
    .groupBy('day')
    .orderBy('day')
    .execute()

export type DayRow = Awaited<ReturnType<typeof selectUploadsPerDay>>[number]
