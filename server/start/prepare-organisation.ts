import { createSystemContext } from '../context.ts'
import { writeFirstAdministratorLink } from '../features/accounts/links/first-administrator-link.ts'
import { createFirstAdministrator } from '../features/accounts/users/create-first-administrator.ts'
import { hasAccounts } from '../features/accounts/users/has-accounts.ts'
import { findPublicSite } from '../features/site/find-public-site.ts'
import { findStoredSettings } from '../features/site/find-site.ts'
import type { Services } from '../services.ts'

/**
 * Fills an empty database: with the demo, or in production with the first administrator. Returns the text for
 * the operator: the demo accounts or where the administrator's link is.
 */
export async function prepareOrganisation(services: Services): Promise<string> {
  const { config, db, storage } = services
  if (config.production) {
    const { demo } = await findStoredSettings(db)
    if (demo === true) {
      throw new Error(
        'this database holds the demo organisation, whose passwords are public; set another DATA_DIR or DATABASE_URL',
      )
    }
    const link = await createFirstAdministrator(createSystemContext(services), config.adminEmail)
    return writeFirstAdministratorLink(config, link, process.stdout.isTTY === true)
  }
  if (!(await hasAccounts(db))) {
    // Imported only here: no other start needs the code that writes the demo's documents.
    const { seedDemo } = await import('../../db/seed.ts')
    await seedDemo({ db, storage, now: new Date() })
  }
  const { demoAccounts, demoPassword } = await findPublicSite(db, config)
  const accounts = demoAccounts.map(({ email, role }) => `  ${email} (${role})`)
  return demoPassword ? [...accounts, `  password: ${demoPassword}`].join('\n') : ''
}
