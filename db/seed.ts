import type { Db } from '../server/platform/database/database.ts'
import type { Storage } from '../server/platform/storage/storage.ts'
import { composeFiles } from './demo/files.ts'
import { type DemoMember, planMarks, planQuestion } from './demo/inbox.ts'
import { DEMO_ACCOUNTS, DEMO_COLLEAGUE } from './demo/institutions.ts'
import { logHistory } from './demo/log.ts'
import { planNews } from './demo/news.ts'
import { seedOrganisation } from './demo/organisation.ts'
import { planPatients } from './demo/patients.ts'
import { drawPlates } from './demo/plates.ts'
import { createNumberDraw, createRandom, drawId } from './demo/random.ts'
import { after, DAY, HOUR, isoDay } from './demo/time.ts'
import { type DemoReferral, planUploads } from './demo/uploads.ts'
import { makePatient, makeReferral, makeUpload, makeUser } from './factories.ts'

/**
 * Fills an empty database with the demo organisation, in one transaction. The same `now` gives the same rows and the same
 * files, except storage keys and the salt of the password hash.
 */
export async function seedDemo({ db, storage, now }: { db: Db; storage: Storage; now: Date }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const opened = after(now, -420 * DAY)
    const random = createRandom('organisation')
    const drawNumber = createNumberDraw(createRandom('numbers'))
    const { institutions, userIds, passwordHash } = await seedOrganisation(tx, { now, opened, random })
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
    const numbers = new Map<string, number>()
    for (const plan of plans) {
      const upload = await makeUpload(tx, storage, {
        ...plan.row,
        number: drawNumber(),
        files: await composeFiles(plan, plates),
      })
      numbers.set(upload.id, upload.number)
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

    await logHistory(tx, plans)

    // The institutions work with what they have received, and ask.
    const inboxRandom = createRandom('inbox')
    const colleague = await makeUser(tx, {
      ...DEMO_COLLEAGUE,
      id: drawId(inboxRandom, opened),
      created_at: opened,
      updated_at: opened,
      password_hash: passwordHash,
      last_sign_in_at: after(now, -3 * HOUR),
      institutionIds: [institutions[0]!.id],
    })
    const members = institutions.map(({ id: institutionId }, place): DemoMember[] => {
      const { name } = DEMO_ACCOUNTS.at(place - institutions.length)!
      return [{ id: userOf.get(institutionId)!, name }, ...(place === 0 ? [colleague] : [])]
    })
    for (const [place, { id: institutionId }] of institutions.entries())
      for (const { uploadId, marks } of planMarks(inboxRandom, plans, {
        institutionId,
        members: members[place]!,
        now,
      }))
        await tx
          .updateTable('inbox_item')
          .set(marks)
          .where('upload_id', '=', uploadId)
          .where('institution_id', '=', institutionId)
          .execute()

    const asking = institutions[0]!.id
    const { uploadId, patientId, messages } = planQuestion(plans, {
      institutionId: asking,
      memberId: userOf.get(asking)!,
      staffId: registrar!,
      now,
    })
    const [first, last] = [messages[0]!.created_at, messages.at(-1)!.created_at]
    const question_id = drawId(inboxRandom, first)
    await tx
      .insertInto('question')
      .values({
        id: question_id,
        upload_id: uploadId,
        institution_id: asking,
        patient_id: patientId,
        upload_number: numbers.get(uploadId)!,
        created_at: first,
        changed_at: last,
        state: 'open',
        waiting_since: last,
        message_count: messages.length,
      })
      .execute()
    await tx
      .insertInto('question_message')
      .values(messages.map((message, place) => ({ question_id, position: place + 1, ...message })))
      .execute()

    // About the patient of that question, whom both sides know.
    await tx
      .insertInto('news')
      .values(planNews(createRandom('news'), { patientId, authorIds: [reviewer!, registrar!], now }))
      .execute()

    const requesting = institutions[1]!.id
    const unknown = inboxRandom.pick(
      patients.filter(
        ({ id, cnp }) =>
          cnp && !referrals.some((each) => each.patientId === id && each.institutionId === requesting),
      ),
    )
    const requestedAt = after(now, -5 * HOUR)
    await tx
      .insertInto('access_request')
      .values({
        id: drawId(inboxRandom, requestedAt),
        institution_id: requesting,
        created_by: userOf.get(requesting)!,
        created_at: requestedAt,
        surname: unknown.surname,
        given_names: unknown.given_names,
        birth_date: unknown.birth_date,
        cnp: unknown.cnp,
        purpose: 'Consult de control după internare',
        doctor: institutions[1]!.doctors[0]!,
      })
      .execute()
  })
}
