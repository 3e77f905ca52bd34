import { sql } from 'kysely'

/** When the open invitation of a row of `app_user` expires; null if there is none. */
export const invitationExpiresAt = sql<Date | null>`(
  select max(l.expires_at) from account_link l
  where l.user_id = app_user.id and l.purpose <> 'reset' and l.used_at is null and app_user.status = 'invited')`
