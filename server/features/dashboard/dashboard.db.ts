import { type RawBuilder, sql } from 'kysely'
import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import type { Db } from '../../platform/database/database.ts'

/** States that still need work, besides `receiving`. */
const WAITING = ['checking', 'quarantined', 'unassigned', 'in_review', 'accepted', 'rejected'] as const

/**
 * Counts the uploads in each state that still needs work, with the longest wait; final states are not
 * counted, nor are the groups of a batch, which are no uploads before they are filed.
 */
export const selectWaiting = (db: Db) => {
  const ofStates = (states: readonly UploadState[]) =>
    db
      .selectFrom('upload')
      .select((eb) => ['state', eb.fn.countAll<number>().as('count'), eb.fn.min('state_since').as('oldest')])
      .where('state', 'in', states)
      .where('deleted_at', 'is', null)
      .groupBy('state')
  const drafts = ofStates(['receiving']).where((eb) =>
    eb.or([eb('batch_id', 'is', null), eb('filed_at', 'is not', null)]),
  )
  return ofStates(WAITING).unionAll(drafts).execute()
}

export type WaitingRow = Awaited<ReturnType<typeof selectWaiting>>[number]

/**
 * Counts the uploads released since `since`, and those of them that have an institution where nobody has opened them.
 */
export const countReleased = async (
  db: Db,
  since: RawBuilder<Date>,
): Promise<{ released: number; unopened: number }> => {
  const row = await db
    .selectFrom('upload')
    .select([
      sql<number>`count(*)`.as('released'),
      sql<number>`count(*) filter (where first_opened_at is null and institution_id is not null)`.as(
        'unopened',
      ),
    ])
    .where('state', '=', 'released')
    .where('deleted_at', 'is', null)
    .where('released_at', '>=', since)
    .executeTakeFirstOrThrow()
  return row
}

/** Counts the uploads released from `since` until before `until` that no user of the institution has opened. */
export const countUnopened = async (
  db: Db,
  since: RawBuilder<Date>,
  until: RawBuilder<Date>,
): Promise<number> => {
  const { count } = await db
    .selectFrom('upload')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'released')
    .where('deleted_at', 'is', null)
    .where('released_at', '>=', since)
    .where('released_at', '<', until)
    .where('first_opened_at', 'is', null)
    .where('institution_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the open incidents whose notice to the authority is not decided: how many, and since when the oldest is known. */
export const selectRunningIncidents = async (db: Db) => {
  const { count, oldest } = await db
    .selectFrom('incident')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('discovered_at').as('oldest')])
    .where('closed_at', 'is', null)
    .where('authority', 'is', null)
    .executeTakeFirstOrThrow()
  return { count, oldest: oldest as Date | null }
}

export type DayRow = { day: string; count: number }

const DAY = sql`to_char(created_at at time zone 'Europe/Bucharest', 'YYYY-MM-DD')`

/**
 * Counts the uploads created per day since `since`, by days in Romania; uploads withdrawn later are included, the groups of
 * a batch are not. These are subtracted, since the others are counted in an index alone.
 */
export const selectUploadsPerDay = async (db: Db, since: RawBuilder<Date>): Promise<DayRow[]> => {
  const { rows } = await sql<DayRow>`
    select uploads.day, (uploads.count - coalesce(groups.count, 0))::int as count
    from (select ${DAY} as day, count(*) as count from upload
        where created_at >= ${since} and deleted_at is null group by 1) uploads
      left join (select ${DAY} as day, count(*) as count from upload
        where created_at >= ${since} and deleted_at is null and batch_id is not null and filed_at is null group by 1) groups
      on groups.day = uploads.day
    order by uploads.day`.execute(db)
  return rows
}
