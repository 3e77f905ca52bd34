import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { dayStart } from '../../platform/database/days.sql.ts'
import { getsResultMail } from './gets-result-mail.sql.ts'

/** Results that nobody at their institution has opened, by the days in Romania of their release. */
export type UnopenedFilter = {
  /** One of the last days, today included; null: at any time. */
  days: number | null
  /** So many days ago or earlier; null: at any time. */
  olderThan: number | null
}

export type UnopenedRow = {
  id: string
  name: string
  phone: string | null
  contacts: string | null
  count: number
  oldest: Date
  people: number
  resent_at: Date | null
}

/** The first and the last instant between which the results were released. */
export const periodOf = ({ days, olderThan }: UnopenedFilter, now: Date) => ({
  since: days === null ? sql<Date>`'-infinity'::timestamptz` : dayStart(now, days - 1),
  until: olderThan === null ? sql<Date>`'infinity'::timestamptz` : dayStart(now, olderThan - 1),
})

/** Selects the institutions with unopened results, the longest waiting first; each counts at most `limit`. */
export async function selectUnopened(
  db: Db,
  filter: UnopenedFilter,
  { now, limit }: { now: Date; limit: number },
): Promise<UnopenedRow[]> {
  const { since, until } = periodOf(filter, now)
  const { rows } = await sql<UnopenedRow>`
    select institution.id, institution.name, institution.phone, institution.contacts, unopened.count, unopened.oldest,
      (select count(*)::int from user_institution join app_user on app_user.id = user_institution.user_id
        where user_institution.institution_id = institution.id and ${getsResultMail}) as people,
      (select max(created_at) from announcement
        where announcement.institution_id = institution.id and announcement.kind = 'resent') as resent_at
    from institution cross join lateral (
      select count(*)::int as count, min(released_at) as oldest from (
        select released_at from upload
        where upload.institution_id = institution.id and upload.state = 'released' and upload.deleted_at is null
          and upload.first_opened_at is null and released_at >= ${since} and released_at < ${until}
        order by released_at limit ${limit}) result) unopened
    where unopened.count > 0
    order by unopened.oldest, institution.id`.execute(db)
  return rows
}
