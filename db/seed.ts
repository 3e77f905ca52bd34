import { hashPassword } from '../server/features/accounts/password.ts'
import { DEMO_PASSWORD } from '../server/features/site/find-public-site.ts'
import type { Db } from '../server/platform/database.ts'
import type { Storage } from '../server/platform/storage.ts'
import { FEATURES } from '../shared/features.ts'
import { DEMO_CATEGORIES } from './demo/categories.ts'
import { composeFiles } from './demo/files.ts'
import { DEMO_ACCOUNTS, DEMO_INSTITUTIONS, DEMO_SETTINGS } from './demo/institutions.ts'
import { planPatients } from './demo/patients.ts'
import { drawPlates } from './demo/plates.ts'
import { createRandom, drawId } from './demo/random.ts'
import { after, DAY, HOUR, isoDay } from './demo/time.ts'
import { type DemoReferral, planUploads } from './demo/uploads.ts'
import {
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from './factories.ts'

/**
 * Fills an empty database with the demo organisation, all of it or nothing. The same `now` gives the same rows and the
 * same files, but for what must never repeat: storage keys and the salt of the password hash.
 */
export async function seedDemo({ db, storage, now }: { db: Db; storage: Storage; now: Date }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const opened = after(now, -420 * DAY)
    const random = createRandom('organisation')
    const atOpening = () => ({ id: drawId(random, opened), created_at: opened, updated_at: opened })

    const settings = { ...DEMO_SETTINGS, features: FEATURES }
    await tx
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
      await makeCategory(tx, { id: drawId(random, opened), slug, name, icon, color, position })
    }

    const institutions: (Awaited<ReturnType<typeof makeInstitution>> & { doctors: readonly string[] })[] = []
    for (const { doctors, ...facts } of DEMO_INSTITUTIONS) {
      institutions.push({ doctors, ...(await makeInstitution(tx, { ...atOpening(), ...facts })) })
    }
    const password_hash = await hashPassword(DEMO_PASSWORD)
    const users = []
    for (const [place, account] of DEMO_ACCOUNTS.entries()) {
      const institution = institutions[place - (DEMO_ACCOUNTS.length - institutions.length)]
      users.push(
        await makeUser(tx, {
          ...atOpening(),
          ...account,
          password_hash,
          last_sign_in_at: after(now, -(place + 2) * HOUR),
          institutionIds: institution ? [institution.id] : [],
        }),
      )
    }
    const [administrator, reviewer, registrar, ...institutionUsers] = users.map(({ id }) => id)

    const patients = planPatients(now)
    const referrals: DemoReferral[] = []
    for (const { other_ids, ...patient } of patients) {
      await makePatient(tx, { ...patient, other_ids: JSON.stringify(other_ids) })
      const first = random.integer(0, institutions.length - 1)
      const referring = random.chance(0.3) ? [first, (first + 1) % institutions.length] : [first]
      for (const { id: institutionId, name: institution, doctors } of referring.map(
        (place) => institutions[place]!,
      )) {
        const doctor = random.pick(doctors)
        await makeReferral(tx, {
          id: drawId(random, patient.created_at),
          patient_id: patient.id,
          institution_id: institutionId,
          doctor,
          referred_on: isoDay(patient.created_at),
          number: `BT ${random.integer(100_000, 999_999)}`,
          created_by: registrar!,
          created_at: patient.created_at,
        })
        referrals.push({ patientId: patient.id, institutionId, institution, doctor })
      }
    }

    const userOf = new Map(institutions.map(({ id }, place) => [id, institutionUsers[place]!]))
    const plans = planUploads(now, patients, referrals, {
      registrarId: registrar!,
      reviewerIds: [reviewer!, administrator!],
      institutionUsers: userOf,
      uploaders: new Map(
        [...userOf].filter(([id]) => institutions.find((each) => each.id === id)?.may_upload),
      ),
    })
    const plates = await drawPlates()
    for (const plan of plans) {
      const upload = await makeUpload(tx, storage, { ...plan.row, files: await composeFiles(plan, plates) })
      if (plan.reviews.length > 0) {
        const rows = plan.reviews.map((review) => ({
          id: drawId(random, review.created_at),
          upload_id: upload.id,
          ...review,
        }))
        await tx.insertInto('review').values(rows).execute()
      }
      if (plan.opening)
        await tx
          .insertInto('upload_opening')
          .values({ upload_id: upload.id, ...plan.opening })
          .execute()
    }
  })
}
