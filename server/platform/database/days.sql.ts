import { type RawBuilder, sql } from 'kysely'

/** Returns the first instant of a day in Romania (yyyy-MM-dd), or of the one `plusDays` later. */
export const startOfDay = (day: string, plusDays = 0): RawBuilder<Date> =>
  sql`((${day}::date + ${plusDays}::int)::timestamp at time zone 'Europe/Bucharest')`
