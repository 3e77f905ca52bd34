import type { Db } from '../../../platform/database/database.ts'
import { findSite } from '../../site/find-site.ts'

/**
 * Whether an OpenID provider is the house's way in. A provider that is only configured is none: where the house has gone
 * back to passwords, nobody comes in past them.
 */
export const mayUseProvider = async (db: Db): Promise<boolean> =>
  (await findSite(db)).login_provider === 'oidc'
