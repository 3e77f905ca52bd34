import type { Db } from '../server/platform/database/database.ts'
import type { Storage } from '../server/platform/storage/storage.ts'
import { composeFiles } from './demo/files.ts'
import { seedOrganisation } from './demo/organisation.ts'
import { planPatients } from './demo/patients.ts'
import { drawPlates } from './demo/plates.ts'
import { createNumberDraw, createRandom, drawId } from './demo/random.ts'
import { after, DAY, isoDay } from './demo/time.ts'
import { type DemoReferral, planUploads } from './demo/uploads.ts'
import { makePatient, makeReferral, makeUpload } from './factories.ts'

/**
 * Fills an empty database with the demo organisation, in one transaction. The same `now` gives the same rows and the same
 * files, except storage keys and the salt of the password hash.
 */
export async function seedDemo({ db, storage, now }: { db: Db; storage: Storage; now: Date }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const opened = after(now, -420 * DAY)
    const random = createRandom('organisation')
    const drawNumber = createNumberDraw(createRandom('numbers'))
    const { institutions, userIds } = await seedOrganisation(tx, { now, opened, random })
    const [administrator, reviewer, registrar, ...institutionUsers] = userIds

    const patients = planPatients(now)
    const referrals: DemoReferral[] = []
    for (const { other_ids, ...patient } of patients) {
      await makePatient(tx, { ...patient, number: drawNumber(), other_ids: JSON.stringify(other_ids) })
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
      const upload = await makeUpload(tx, storage, {
        ...plan.row,
        number: drawNumber(),
        files: await composeFiles(plan, plates),
      })
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
