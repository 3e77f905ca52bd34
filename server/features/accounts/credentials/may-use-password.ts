import type { Role } from '../../../../shared/access/roles.ts'
import type { Db } from '../../../platform/database/database.ts'
import { findSite } from '../../site/find-site.ts'
import { canUsePassword } from '../accounts.access.ts'

/** Whether an account with this role signs in by password, by the setting `login_provider` in force. */
export const mayUsePassword = async (db: Db, role: Role): Promise<boolean> =>
  canUsePassword(role, (await findSite(db)).login_provider)
