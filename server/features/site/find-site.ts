import { type SiteSettings, siteSettings } from '../../../shared/site/site-settings.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../platform/database/database.ts'
import { selectLastSaving, selectSettings } from './site.db.ts'

/** The site's settings, defaults filled in. Public: nothing in them is secret. */
export async function findSite(db: Db): Promise<SiteSettings> {
  return readStoredSettings(await selectSettings(db))
}

/** What is not stored has its default, and so has what is stored but is no setting of now: the house goes on. */
export function readStoredSettings(stored: Record<string, unknown>): SiteSettings {
  const sound = Object.entries(siteSettings.shape)
    .filter(([name, rule]) => rule.safeParse(stored[name]).success)
    .map(([name]) => [name, stored[name]])
  return siteSettings.parse(Object.fromEntries(sound))
}

/** Where people reach the product, without a trailing slash: every link that leaves it begins with this. */
export const findSiteUrl = async ({ db, services }: Ctx): Promise<string> =>
  (await findSite(db)).url || services.config.url

/** Returns the version of the settings, and who saved it when; null where they were never saved. */
export const findLastSave = (db: Db) => selectLastSaving(db)

/** Returns the stored settings as they are, for the start of the server: keys without a row are absent. */
export const findStoredSettings = (db: Db) => selectSettings(db)
