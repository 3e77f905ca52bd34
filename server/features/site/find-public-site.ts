import { PUBLIC_SETTINGS, type PublicSite } from '../../../shared/site/site-settings.ts'
import type { Db } from '../../platform/database/database.ts'
import { readStoredSettings } from './find-site.ts'
import { selectAccountsOfDomain, selectSettings } from './site.db.ts'

/** Of the accounts that the demo organisation is made with; the sign-in page shows it there and only there. */
export const DEMO_PASSWORD = 'dosar-demo-2026'
const DEMO_DOMAIN = 'dosar.test'

/**
 * What a page may know of the site before anybody has signed in. In production there is no demo, and of no host that the
 * configuration does not permit is a page told, whatever is stored.
 */
export async function findPublicSite(
  db: Db,
  { production, backendHosts }: { production: boolean; backendHosts: readonly string[] },
): Promise<PublicSite> {
  const stored = await selectSettings(db)
  const demo = stored.demo === true && !production
  const demoAccounts = demo ? await selectAccountsOfDomain(db, DEMO_DOMAIN) : []
  const site = publicSettings(stored)
  return {
    ...site,
    url_backend: backendHosts.includes(site.url_backend) ? site.url_backend : '',
    demoAccounts,
    demoPassword: demo ? DEMO_PASSWORD : null,
  }
}

/** The same where nothing is stored, or the database is away. */
export const defaultPublicSite = (): PublicSite => ({
  ...publicSettings({}),
  demoAccounts: [],
  demoPassword: null,
})

function publicSettings(stored: Record<string, unknown>) {
  const site = readStoredSettings(stored)
  return Object.fromEntries(PUBLIC_SETTINGS.map((name) => [name, site[name]])) as Pick<
    PublicSite,
    (typeof PUBLIC_SETTINGS)[number]
  >
}
