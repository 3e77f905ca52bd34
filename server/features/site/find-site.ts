import { type SiteSettings, siteSettings } from '../../../shared/site-settings.ts'
import type { Db } from '../../platform/database.ts'
import { selectSettings } from './site.db.ts'

/** The site's settings, defaults filled in. Public: nothing in them is secret. */
export async function findSite(db: Db): Promise<SiteSettings> {
  return siteSettings.parse(await selectSettings(db))
}

/** Where people reach the product, without a trailing slash: every link that leaves it begins with this. */
export const findSiteUrl = async ({ db, url }: { db: Db; url: string }): Promise<string> =>
  (await findSite(db)).url || url
