import { type SqlBool, sql } from 'kysely'
import { effectiveStatus } from '../site/effective-status.sql.ts'

/**
 * Whether the user gets mail about the institution's results, of rows of `institution`, `user_institution` and `app_user`. The
 * trigger `announce_release` (migration 0067) repeats a part of it, only to write fewer rows: `announceResults` decides.
 */
export const getsResultMail = sql<SqlBool>`(institution.suspended_at is null and institution.delivery <> 'none'
  and user_institution.delivery is distinct from 'none'
  and app_user.role = 'institution' and ${effectiveStatus} = 'active')`
