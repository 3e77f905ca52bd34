import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../server/platform/database/database.ts'
import { DAY, HOUR } from '../demo/time.ts'

/** First working hour and number of working hours, in UTC: 8 to 17 in Romania. */
const OPENS = 6
const HOURS = 9
/** Age of the first row. */
const WEEKS = 8 * 52
/** An age in days that is older than every row. */
export const OLDEST_DAYS = WEEKS * 7 + 7

/**
 * Creates temporary SQL functions for pseudo-random values; the same arguments give the same value at every run.
 * `chance(n, of)` is from 0 up to, not including, 1; `pick(words, upto, chance)` is a word; `moment(share)` is the time in
 * the working hours before `now` by which that share of all rows was created; `id_at(moment, n, of)` is a UUIDv7.
 */
export async function createDraws(db: Db, now: Date): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create function pg_temp.chance(n bigint, of text) returns float8 language sql stable
    return (hashint8extended(n, hashtext(of)) & x'1FFFFFFFFFFFFF'::bigint)::float8 / 9007199254740992`)
  await run(`create function pg_temp.pick(words text[], upto float8[], chance float8) returns text language sql stable
    return words[1 + width_bucket(chance, upto)]`)
  const { monday, days } = workingTime(now)
  await run(`create function pg_temp.working_day(days float8) returns timestamptz language sql stable
    return to_timestamp(floor(1000 * (${monday / 1000}
      + (floor(days / 6) * 7 + mod(floor(days)::int, 6)) * 86400 + (${OPENS} + (days - floor(days)) * ${HOURS}) * 3600)) / 1000)`)
  await run(`create function pg_temp.moment(share float8) returns timestamptz language sql stable
    return pg_temp.working_day(share * ${days})`)
  await run(`create function pg_temp.id_at(at timestamptz, n bigint, of text) returns uuid language sql stable
    return overlay(overlay(md5(of || n) placing
      lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '7' from 1) placing '8' from 17)::uuid`)
}

/**
 * Returns the first Monday (UTC, milliseconds) and the number of working days from it until `now`; Sundays
 * are left out.
 */
function workingTime(now: Date): { monday: number; days: number } {
  const midnight = Math.floor(now.getTime() / DAY) * DAY
  const sinceMonday = (now.getUTCDay() + 6) % 7
  const worked = (now.getTime() - midnight - OPENS * HOUR) / (HOURS * HOUR)
  const today = sinceMonday < 6 ? Math.min(Math.max(worked, 0), 1) : 0
  return { monday: midnight - (sinceMonday + WEEKS * 7) * DAY, days: WEEKS * 6 + sinceMonday + today }
}

/** Returns SQL that draws one of the weighted words; `chance` is an SQL expression. */
export function pickWeighted(
  items: readonly (readonly [string, number])[],
  chance: RawBuilder<unknown>,
): RawBuilder<string> {
  const total = items.reduce((sum, [, weight]) => sum + weight, 0)
  let sum = 0
  const upto = items.map(([, weight]) => {
    sum += weight
    return sum / total
  })
  const words = items.map(([word]) => word)
  return sql`pg_temp.pick(${words}::text[], ${upto}::float8[], ${chance})`
}

/** Returns SQL that draws one of equally likely words. */
export const pick = (items: readonly string[], chance: RawBuilder<unknown>): RawBuilder<string> =>
  pickWeighted(
    items.map((item) => [item, 1] as const),
    chance,
  )

/** Returns SQL of a chance for the column or expression `n` and a purpose, as in `chance('n', 'sex')`. */
export const chance = (n: string, of: string): RawBuilder<number> =>
  sql`pg_temp.chance(${sql.raw(n)}, ${sql.lit(of)})`
