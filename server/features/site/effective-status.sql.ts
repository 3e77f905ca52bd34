import { sql } from 'kysely'
import type { AccountStatus } from '../../../shared/access/account-statuses.ts'

/**
 * The effective status of a row of `app_user`: `suspended` if all its institutions are suspended, otherwise
 * its own. The stored status does not change, so the account regains access with its institution.
 */
export const effectiveStatus = sql<AccountStatus>`case when (
  select bool_and(i.suspended_at is not null)
  from user_institution ui join institution i on i.id = ui.institution_id
  where ui.user_id = app_user.id) then 'suspended' else app_user.status end`
