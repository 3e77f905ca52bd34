import { sql } from 'kysely'
import type { AccountStatus } from '../../../shared/account-statuses.ts'

/**
 * Of a query of `app_user`: what the account's status comes to. Somebody whose every institution is suspended counts as
 * suspended, whatever their own status: they neither come in nor are written to. Their own status stays for the day when the
 * institution is back.
 */
export const standing = sql<AccountStatus>`case when (
  select bool_and(i.suspended_at is not null)
  from user_institution ui join institution i on i.id = ui.institution_id
  where ui.user_id = app_user.id) then 'suspended' else app_user.status end`
