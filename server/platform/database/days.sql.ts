import { type RawBuilder, sql } from 'kysely'

/** Returns the first instant of a day in Romania (yyyy-MM-dd), or of the one `plusDays` later. */
export const startOfDay = (day: string, plusDays = 0): RawBuilder<Date> =>
  sql`((${day}::date + ${plusDays}::int)::timestamp at time zone 'Europe/Bucharest')`

/** Returns the first instant of the day in Romania that is `days` before that of `now`. */
export const dayStart = (now: Date, days: number): RawBuilder<Date> =>
  sql`(((${now}::timestamptz at time zone 'Europe/Bucharest')::date - ${days}::int)::timestamp
    at time zone 'Europe/Bucharest')`
