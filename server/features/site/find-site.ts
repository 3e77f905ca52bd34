import { type SiteSettings, siteSettings } from '../../../shared/site/site-settings.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../platform/database/database.ts'
import { selectLastSaving, selectSettings } from './site.db.ts'

/** Returns the site's settings with defaults filled in. Nothing in them is secret. */
export async function findSite(db: Db): Promise<SiteSettings> {
  return readStoredSettings(await selectSettings(db))
}

/**
 * Returns stored settings with defaults for those that are missing or no longer valid, so that one bad value
 * does not stop the product.
 */
export function readStoredSettings(stored: Record<string, unknown>): SiteSettings {
  const valid = Object.entries(siteSettings.shape)
    .filter(([name, rule]) => rule.safeParse(stored[name]).success)
    .map(([name]) => [name, stored[name]])
  return siteSettings.parse(Object.fromEntries(valid))
}

/** Returns the product's address without a trailing slash; every link in mail begins with it. */
export const findSiteUrl = async ({ db, services }: Ctx): Promise<string> =>
  (await findSite(db)).url || services.config.url

/** Returns the version of the settings, and who saved it when; null if they were never saved. */
export const findLastSave = (db: Db) => selectLastSaving(db)

/** Returns the stored settings as they are, for the server's start: keys without a row are absent. */
export const findStoredSettings = (db: Db) => selectSettings(db)
