import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** Uploads by state that still ask for somebody's work, with the longest wait. Small: what is settled is not counted. */
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
    .groupBy('state')
    .execute()

export type WaitingRow = Awaited<ReturnType<typeof selectWaiting>>[number]

/** Uploads decided since then: the first of two acceptances decides nothing yet. */
export const countReviews = async (db: Db, since: Date): Promise<{ accepted: number; rejected: number }> => {
  const row = await db
    .selectFrom('review')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('verdict', '=', 'accepted').as('accepted'),
      eb.fn.countAll<number>().filterWhere('verdict', '=', 'rejected').as('rejected'),
    ])
    .where('created_at', '>=', since)
    .where('first_of_version', 'is', null)
    .executeTakeFirstOrThrow()
  return row
}

/** Released since then, and of those how many nobody of the institution has opened. */
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

/** Uploads filed per day since then, by the calendar of the organisation; a withdrawal later changes nothing. */
export const selectUploadsPerDay = (db: Db, since: Date) =>
  db
    .selectFrom('upload')
    .select([
      sql<string>`to_char(created_at at time zone 'Europe/Bucharest', 'YYYY-MM-DD')`.as('day'),
      sql<number>`count(*)`.as('count'),
    ])
    .where('created_at', '>=', since)
    .where('deleted_at', 'is', null)
    .groupBy('day')
    .orderBy('day')
    .execute()

export type DayRow = Awaited<ReturnType<typeof selectUploadsPerDay>>[number]
