import type { Db } from '../../../platform/database/database.ts'
import { findSite } from '../../site/find-site.ts'

/**
 * Returns whether users sign in through the OpenID provider. A configured provider does not count while the
 * `login_provider` setting is `local`, so that it cannot be used to bypass passwords.
 */
export const mayUseProvider = async (db: Db): Promise<boolean> =>
  (await findSite(db)).login_provider === 'oidc'
