import { type SqlBool, sql } from 'kysely'
import { countRows } from '../../../platform/database/count-rows.ts'
import type { Db } from '../../../platform/database/database.ts'
import { dayStart } from '../../../platform/database/days.sql.ts'
import { keyset, type PageRequest } from '../../../platform/keyset.ts'
import type { UploadScope } from '../uploads.access.ts'
import { uploads, visible } from '../uploads.db.ts'

export type ResultsFilter = {
  /** Released on one of the last days in Romania, today included; null: at any time. */
  days: number | null
  /** Released this many days ago or earlier, by days in Romania; null: at any time. */
  olderThan: number | null
  /** Whether a user of the institution has opened them; null: both. */
  opened: boolean | null
}

/** Selects the ids of the results released to an institution, for one of its indexes in the order of their release. */
function results(
  db: Db,
  scope: UploadScope,
  institutionId: string,
  { days, olderThan, opened }: ResultsFilter,
  now: Date,
) {
  let query = db
    .selectFrom('upload')
    .where(visible(scope))
    .where('upload.state', '=', sql.lit('released'))
    .where('upload.institution_id', '=', institutionId)
  if (opened !== null) query = query.where('upload.first_opened_at', opened ? 'is not' : 'is', null)
  if (days !== null) query = query.where(sql<SqlBool>`upload.released_at >= ${dayStart(now, days - 1)}`)
  if (olderThan !== null)
    query = query.where(sql<SqlBool>`upload.released_at < ${dayStart(now, olderThan - 1)}`)
  return query
}

/** Returns the results released to an institution, newest first. */
export function selectInstitutionResults(
  db: Db,
  { scope, readerId, now }: { scope: UploadScope; readerId: string; now: Date },
  institutionId: string,
  filter: ResultsFilter,
  page: PageRequest,
) {
  const order = {
    by: { 'upload.released_at': 'timestamptz', 'upload.id': 'uuid' },
    direction: 'desc',
  } as const
  const found = keyset(results(db, scope, institutionId, filter, now).select('upload.id'), order, page)
  return uploads(db, scope, readerId)
    .where(sql<SqlBool>`upload.id = any(array(${found}))`)
    .orderBy('upload.released_at', 'desc')
    .orderBy('upload.id', 'desc')
    .execute()
}

/** Counts the results, at most `limit`: no further ones are read. */
export const countInstitutionResults = (
  db: Db,
  { scope, now }: { scope: UploadScope; now: Date },
  institutionId: string,
  filter: ResultsFilter,
  limit: number,
): Promise<number> =>
  countRows(db, results(db, scope, institutionId, filter, now).select('upload.id').limit(limit))

/** Returns when the result that has waited longest for its first opening was released; null if none waits. */
export const selectOldestUnopened = async (
  db: Db,
  { scope, now }: { scope: UploadScope; now: Date },
  institutionId: string,
): Promise<Date | null> =>
  (
    await results(db, scope, institutionId, { days: null, olderThan: null, opened: false }, now)
      .select('upload.released_at')
      .orderBy('upload.released_at')
      .orderBy('upload.id')
      .limit(1)
      .executeTakeFirst()
  )?.released_at ?? null

/**
 * Returns the median of the minutes from release to first opening, of the newest opened results of these days, at most
 * `limit`; null without any. One that was released again after it was opened counts as opened at once.
 */
export const selectMedianToOpening = async (
  db: Db,
  { scope, now }: { scope: UploadScope; now: Date },
  institutionId: string,
  days: number,
  limit: number,
): Promise<number | null> => {
  const { minutes } = await db
    .selectFrom(
      results(db, scope, institutionId, { days, olderThan: null, opened: true }, now)
        .select(['upload.released_at', 'upload.first_opened_at'])
        .orderBy('upload.released_at', 'desc')
        .orderBy('upload.id', 'desc')
        .limit(limit)
        .as('result'),
    )
    .select(
      sql<number | null>`round(extract(epoch from percentile_cont(0.5) within group (
        order by greatest(result.first_opened_at - result.released_at, interval '0'))) / 60)::int`.as(
        'minutes',
      ),
    )
    .executeTakeFirstOrThrow()
  return minutes
}
