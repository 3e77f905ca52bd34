import { PUBLIC_SETTINGS, type PublicSite } from '../../../shared/site/site-settings.ts'
import type { Config } from '../../config.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../platform/database/database.ts'
import { readStoredSettings } from './find-site.ts'
import { selectAccountsOfDomain, selectSettings } from './site.db.ts'

/** Password of the demo organisation's accounts; the sign-in page shows it only there. */
export const DEMO_PASSWORD = 'dosar-demo-2026'
const DEMO_DOMAIN = 'dosar.test'

/**
 * Returns the settings that a page may show before sign-in. In production there are no demo accounts. A
 * stored backend host that the configuration does not permit is left out.
 */
export async function findPublicSite(
  db: Db,
  { production, backendHosts, realtime }: Pick<Config, 'production' | 'backendHosts' | 'realtime'>,
): Promise<PublicSite> {
  const stored = await selectSettings(db)
  const demo = isDemo(stored, production)
  const demoAccounts = demo ? await selectAccountsOfDomain(db, DEMO_DOMAIN) : []
  const site = publicSettings(stored)
  return {
    ...site,
    url_backend: backendHosts.includes(site.url_backend) ? site.url_backend : '',
    demoAccounts,
    demoPassword: demo ? DEMO_PASSWORD : null,
    realtime,
  }
}

const isDemo = (stored: Record<string, unknown>, production: boolean): boolean =>
  stored.demo === true && !production

/** Returns whether the organisation is the demo. */
export const findIsDemo = async ({ db, services }: Pick<Ctx, 'db' | 'services'>): Promise<boolean> =>
  isDemo(await selectSettings(db), services.config.production)

/** Returns the public settings when nothing is stored or the database is unavailable. */
export const defaultPublicSite = ({ realtime }: Pick<Config, 'realtime'>): PublicSite => ({
  ...publicSettings({}),
  demoAccounts: [],
  demoPassword: null,
  realtime,
})

function publicSettings(stored: Record<string, unknown>) {
  const site = readStoredSettings(stored)
  return Object.fromEntries(PUBLIC_SETTINGS.map((name) => [name, site[name]])) as Pick<
    PublicSite,
    (typeof PUBLIC_SETTINGS)[number]
  >
}
