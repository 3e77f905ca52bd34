import { hashPassword } from '../../server/features/accounts/credentials/password.ts'
import { DEMO_PASSWORD } from '../../server/features/site/find-public-site.ts'
import type { Db } from '../../server/platform/database/database.ts'
import { FEATURES } from '../../shared/access/features.ts'
import { makeCategory, makeInstitution, makeUser } from '../factories.ts'
import { DEMO_CATEGORIES, RELEASED_BY_HAND } from './categories.ts'
import { DEMO_ACCOUNTS, DEMO_INSTITUTIONS, DEMO_SETTINGS } from './institutions.ts'
import { drawId, type Random } from './random.ts'
import { after, HOUR } from './time.ts'

/**
 * Inserts the demo's settings, categories, institutions and accounts, created at `opened`. Returns the institutions with
 * their doctors and the ids of the accounts, both in the order of their lists, and the hash of their password.
 */
export async function seedOrganisation(
  db: Db,
  { now, opened, random }: { now: Date; opened: Date; random: Random },
) {
  const atOpening = () => ({ id: drawId(random, opened), created_at: opened, updated_at: opened })

  const settings = { ...DEMO_SETTINGS, features: FEATURES }
  await db
    .insertInto('site_setting')
    .values(
      Object.entries(settings).map(([key, value]) => ({
        key,
        value: JSON.stringify(value),
        updated_at: opened,
      })),
    )
    .execute()
  for (const [position, [slug, name, icon, color]] of DEMO_CATEGORIES.entries()) {
    const release = RELEASED_BY_HAND.has(slug) ? 'by_hand' : 'at_once'
    await makeCategory(db, { id: drawId(random, opened), slug, name, icon, color, position, release })
  }

  const institutions: (Awaited<ReturnType<typeof makeInstitution>> & { doctors: readonly string[] })[] = []
  for (const { doctors, ...facts } of DEMO_INSTITUTIONS) {
    institutions.push({ doctors, ...(await makeInstitution(db, { ...atOpening(), ...facts })) })
  }
  const password_hash = await hashPassword(DEMO_PASSWORD)
  const userIds: string[] = []
  for (const [place, account] of DEMO_ACCOUNTS.entries()) {
    const institution = institutions[place - (DEMO_ACCOUNTS.length - institutions.length)]
    const { id } = await makeUser(db, {
      ...atOpening(),
      ...account,
      password_hash,
      last_sign_in_at: after(now, -(place + 2) * HOUR),
      institutionIds: institution ? [institution.id] : [],
    })
    userIds.push(id)
  }
  return { institutions, userIds, passwordHash: password_hash }
}
