import type { Role } from '../../../shared/roles.ts'
import type { Db } from '../../platform/database.ts'
import { findSite } from '../site/find-site.ts'

/**
 * Where a provider says who people are, passwords and the links that set them are for administrators: whoever has left the
 * provider's house is out here too, and a provider that is down locks nobody out for good (decision 12).
 */
export const mayUsePassword = async (db: Db, role: Role): Promise<boolean> =>
  role === 'admin' || (await findSite(db)).login_provider === 'local'
