import type { Role } from '../../../../shared/access/roles.ts'
import type { Db } from '../../../platform/database/database.ts'
import { findSite } from '../../site/find-site.ts'
import { canUsePassword } from '../accounts.access.ts'

/**
 * Returns whether an account of this role may sign in with a password under the current `login_provider`
 * setting.
 */
export const mayUsePassword = async (db: Db, role: Role): Promise<boolean> =>
  canUsePassword(role, (await findSite(db)).login_provider)
