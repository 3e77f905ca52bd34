import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  makeEmptyUpload,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../db/factories.ts'
import type { Feature } from '../../../shared/access/features.ts'
import { todayInRomania } from '../../../shared/romania/day.ts'
import { countLockWaits } from '../../../test/locks/lock-waits.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { newId } from '../../platform/ids.ts'

const REFERRALS = 'referrals { id institutionId doctor referredOn number endedOn isMistaken version }'
const UPDATE = `mutation ($id: ID!, $version: Int!, $referral: ReferralChangesInput!) {
  updateReferral(id: $id, version: $version, referral: $referral) { uploadsNoLongerShown patient { id ${REFERRALS} } } }`
const CREATE = 'mutation ($referral: ReferralInput!) { createReferral(referral: $referral) { id } }'
const READ = `query ($id: ID!) { patient(id: $id) { id ${REFERRALS} } }`
const SEEN = `query { inbox(first: 100) { nodes { id } } patients(first: 100) { nodes { id } } }`
const UPLOAD = 'query ($id: ID!) { upload(id: $id) { id } }'
const NOT_SHOWN = 'query ($id: ID!) { upload(id: $id) { notShown { reason endedOn } } }'
const FILE = 'mutation ($upload: UploadInput!) { createUpload(upload: $upload) { id } }'
const ACCEPT = `mutation ($id: ID!, $version: Int!) {
  acceptUpload(id: $id, version: $version, reason: "other", comment: "comparat") { state } }`

const YESTERDAY = new Date(Date.now() - 86_400_000)
const DAY = {
  yesterday: dayOf(YESTERDAY),
  today: todayInRomania(),
  tomorrow: dayOf(new Date(Date.now() + 86_400_000)),
}

function dayOf(time: Date): string {
  return time.toLocaleDateString('sv-SE', { timeZone: 'Europe/Bucharest' })
}

let server: TestServer
let staff: TestClient
let reviewer: TestClient
let a: { id: string }
let b: { id: string }
let ofA: TestClient
let ofB: TestClient
let ofBoth: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  staff = await server.signIn((await makeUser(server.db)).email)
  const both: Feature[] = ['patient::files', 'admin::review-files']
  reviewer = await server.signIn((await makeUser(server.db, { features: both })).email)
  ;[a, b] = [await makeInstitution(server.db), await makeInstitution(server.db)]
  const user = async (...institutionIds: string[]) =>
    server.signIn((await makeUser(server.db, { role: 'institution', institutionIds })).email)
  ;[ofA, ofB, ofBoth] = [await user(a.id), await user(b.id), await user(a.id, b.id)]
})

type Referral = Awaited<ReturnType<typeof makeReferral>>

const stateOf = async (id: string): Promise<string> =>
  (await server.db.selectFrom('upload').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

const referred = async (over: Partial<Parameters<typeof makeReferral>[1]> = {}) => {
  const patient = await makePatient(server.db)
  const referral = await makeReferral(server.db, { patient_id: patient.id, institution_id: a.id, ...over })
  return { patient, referral }
}
const released = (patient_id: string, institution: { id: string }, released_at = new Date()) =>
  makeEmptyUpload(server.db, { patient_id, institution_id: institution.id, state: 'released', released_at })

const row = (id: string) =>
  server.db.selectFrom('referral').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Changes the referral as it is now. */
async function update({ id }: Referral, changes: object, client = staff, version?: number) {
  const now = await row(id)
  return client.graphql(UPDATE, {
    id,
    version: version ?? now.version,
    referral: {
      institutionId: now.institution_id,
      doctor: now.doctor,
      number: now.number,
      referredOn: now.referred_on,
      ...changes,
    },
  })
}
async function updated(referral: Referral, changes: object): Promise<number[]> {
  const { data, errors } = await update(referral, changes)
  expect(errors).toEqual([])
  return data.updateReferral.uploadsNoLongerShown
}

type Result = { errors: { extensions: { code?: string; fields?: { field: string; message: string }[] } }[] }
const codeOf = ({ errors }: Result) => errors[0]?.extensions.code
const fieldOf = ({ errors }: Result) => errors[0]?.extensions.fields?.[0]

/** Which of these the institution sees, in lists and by their addresses. */
async function sees(client: TestClient, patient: { id: string }, uploads: readonly { id: string }[]) {
  const { data } = await client.graphql(SEEN)
  const listed = new Set(data.inbox.nodes.map(({ id }: { id: string }) => id))
  const seen = uploads.map(({ id }) => listed.has(id))
  for (const [index, { id }] of uploads.entries())
    expect((await client.graphql(UPLOAD, { id })).errors.length === 0).toBe(seen[index])
  const isListed = data.patients.nodes.some(({ id }: { id: string }) => id === patient.id)
  expect((await client.graphql(READ, { id: patient.id })).errors.length === 0).toBe(isListed)
  return [isListed, ...seen]
}

describe('an ended referral', () => {
  it('shows what was released until then and nothing that is released later, also in the row policies', async () => {
    const { patient, referral } = await referred()
    const former = await released(patient.id, a)
    expect(await updated(referral, { endedOn: DAY.today })).toEqual([])
    const waiting = await makeUpload(server.db, server.services.storage, {
      patient_id: patient.id,
      institution_id: a.id,
    })
    expect((await reviewer.graphql(ACCEPT, { id: waiting.id, version: waiting.version })).errors).toEqual([])
    await expect.poll(() => stateOf(waiting.id)).toBe('released')
    expect(await sees(ofA, patient, [former, waiting])).toEqual([true, true, false])
    const guest = server.services.guests.forInstitutions([a.id])
    const rows = await guest.selectFrom('upload').select('id').where('patient_id', '=', patient.id).execute()
    expect(rows).toEqual([{ id: former.id }])
    const { data } = await ofA.graphql(READ, { id: patient.id })
    expect(data.patient.referrals).toMatchObject([{ endedOn: DAY.today, isMistaken: false }])

    // The way back: opened again, it shows both.
    await updated(referral, { endedOn: null })
    expect(await sees(ofA, patient, [former, waiting])).toEqual([true, true, true])
    const actions = await server.db
      .selectFrom('audit_event')
      .select(['action', 'changes'])
      .where('subject_id', '=', referral.id)
      .orderBy('id')
      .execute()
    expect(actions).toEqual([
      { action: 'referral.end', changes: { ended_on: { from: null, to: DAY.today } } },
      { action: 'referral.reopen', changes: { ended_on: { from: DAY.today, to: null } } },
    ])
  })

  it('that ended on an earlier day hides what was released since, and names it', async () => {
    const { patient, referral } = await referred()
    const before = await released(patient.id, a, YESTERDAY)
    const since = await released(patient.id, a)
    const waiting = await makeEmptyUpload(server.db, {
      patient_id: patient.id,
      institution_id: a.id,
      state: 'in_review',
    })
    expect(await updated(referral, { endedOn: DAY.yesterday })).toEqual([since.number, waiting.number])
    expect(await sees(ofA, patient, [before, since])).toEqual([true, true, false])
    // A later change of the doctor leaves the moment of the end.
    const { ended_at } = await row(referral.id)
    await updated(referral, { endedOn: DAY.yesterday, doctor: 'Dr. Ilie' })
    expect(await row(referral.id)).toMatchObject({ ended_at, doctor: 'Dr. Ilie' })
  })

  it('does not end what another referral of the institution shows, nor shows it by one of another institution', async () => {
    const { patient, referral } = await referred()
    const second = await makeReferral(server.db, {
      patient_id: patient.id,
      institution_id: a.id,
      number: '2',
    })
    await makeReferral(server.db, { patient_id: patient.id, institution_id: b.id })
    await updated(referral, { endedOn: DAY.yesterday })
    const upload = await released(patient.id, a)
    expect(await sees(ofA, patient, [upload])).toEqual([true, true])
    expect(await sees(ofBoth, patient, [upload])).toEqual([true, true])
    expect(await updated(second, { endedOn: DAY.yesterday })).toEqual([upload.number])
    expect(await sees(ofA, patient, [upload])).toEqual([true, false])
    expect(await sees(ofBoth, patient, [upload])).toEqual([true, false])
  })

  it('is not offered for new uploads, nor accepted for them', async () => {
    const { patient, referral } = await referred()
    await updated(referral, { endedOn: DAY.today })
    const upload = { title: 'Ecografie', patientId: patient.id, institutionId: a.id }
    const refused = await staff.graphql(FILE, { upload })
    expect([codeOf(refused), fieldOf(refused)]).toEqual([
      'BAD_USER_INPUT',
      { field: 'institutionId', message: expect.stringContaining('s-a încheiat') },
    ])
    await updated(referral, { endedOn: null })
    expect((await staff.graphql(FILE, { upload })).errors).toEqual([])
  })
})

describe('an upload that its institution will not see', () => {
  const notShown = async (upload: { id: string }) =>
    (await reviewer.runQuery(NOT_SHOWN, { id: upload.id })).upload.notShown
  const inReview = (patient_id: string, institution_id: string | null) =>
    makeEmptyUpload(server.db, { patient_id, institution_id, state: 'in_review' })

  it('says so to reviewers before the verdict, and why', async () => {
    const { patient, referral } = await referred()
    const waiting = await inReview(patient.id, a.id)
    const former = await released(patient.id, a)
    expect(await notShown(waiting)).toBeNull()
    await updated(referral, { endedOn: DAY.today })
    const late = await released(patient.id, a, new Date(Date.now() + 60_000))
    const ended = { reason: 'ended', endedOn: DAY.today }
    expect([await notShown(waiting), await notShown(former), await notShown(late)]).toEqual([
      ended,
      null,
      ended,
    ])

    // A second referral shows it, until it turns out to be mistaken: the end of the other is the reason again.
    const second = await makeReferral(server.db, {
      patient_id: patient.id,
      institution_id: a.id,
      number: '2',
    })
    expect(await notShown(waiting)).toBeNull()
    await updated(second, { isMistaken: true })
    expect(await notShown(waiting)).toEqual(ended)
    await updated(referral, { isMistaken: true })
    const mistaken = { reason: 'mistaken', endedOn: null }
    expect([await notShown(waiting), await notShown(former)]).toEqual([mistaken, mistaken])
    expect(await notShown(await inReview(patient.id, b.id))).toEqual({ reason: 'missing', endedOn: null })
    expect(await notShown(await inReview(patient.id, null))).toBeNull()
  })
})

describe('a mistaken referral', () => {
  it('shows neither the patient nor any result, and everything again once it is opened again', async () => {
    const { patient, referral } = await referred()
    const upload = await released(patient.id, a, YESTERDAY)
    expect(await updated(referral, { isMistaken: true })).toEqual([upload.number])
    expect(await sees(ofA, patient, [upload])).toEqual([false, false])
    expect(
      codeOf(await ofA.graphql('mutation ($id: ID!) { revealCnp(patientId: $id) }', { id: patient.id })),
    ).toBe('NOT_FOUND')
    const guest = server.services.guests.forInstitutions([a.id])
    for (const table of ['referral', 'upload', 'patient_name_pair'] as const)
      expect(
        await guest.selectFrom(table).select('patient_id').where('patient_id', '=', patient.id).execute(),
      ).toEqual([])
    expect((await staff.graphql(READ, { id: patient.id })).data.patient.referrals).toMatchObject([
      { endedOn: DAY.today, isMistaken: true },
    ])
    await updated(referral, { endedOn: null, isMistaken: false })
    expect(await sees(ofA, patient, [upload])).toEqual([true, true])
  })
})

describe('a referral that gets another institution', () => {
  it('shows the patient to the right one alone, with the results that are for it, and back', async () => {
    const { patient, referral } = await referred({ doctor: 'Dr. Greșit' })
    const uploads = [await released(patient.id, a), await released(patient.id, b)]
    expect(await sees(ofA, patient, uploads)).toEqual([true, true, false])
    expect(await updated(referral, { institutionId: b.id, doctor: ' Dr. Corect ', number: 'BT 7' })).toEqual([
      uploads[0]!.number,
    ])
    expect(await row(referral.id)).toMatchObject({ doctor: 'Dr. Corect', number: 'BT 7', version: 2 })
    expect(await sees(ofA, patient, uploads)).toEqual([false, false, false])
    expect(await sees(ofB, patient, uploads)).toEqual([true, false, true])
    await updated(referral, { institutionId: a.id })
    expect(await sees(ofA, patient, uploads)).toEqual([true, true, false])
    expect(await sees(ofB, patient, uploads)).toEqual([false, false, false])
  })

  it('stays with a suspended institution, and does not go to one', async () => {
    const suspended = await makeInstitution(server.db, { suspended_at: new Date() })
    const { referral } = await referred({ institution_id: suspended.id })
    expect((await update(referral, { doctor: 'Dr. Ilie' })).errors).toEqual([])
    const { referral: other } = await referred()
    const refused = await update(other, { institutionId: suspended.id })
    expect([codeOf(refused), fieldOf(refused)?.field]).toEqual(['BAD_USER_INPUT', 'institutionId'])
    expect((await row(other.id)).institution_id).toBe(a.id)
  })
})

describe('refused', () => {
  it.each([
    ['an end in the future', { endedOn: DAY.tomorrow }, 'endedOn'],
    ['an end before the referral', { referredOn: DAY.today, endedOn: DAY.yesterday }, 'endedOn'],
    ['a day that does not exist', { endedOn: '2026-02-30' }, 'endedOn'],
    ['a referral in the future', { referredOn: DAY.tomorrow }, 'referredOn'],
    ['a doctor too long', { doctor: 'x'.repeat(500) }, 'doctor'],
  ])('%s, and nothing changes', async (_name, changes, field) => {
    const { referral } = await referred()
    const refused = await update(referral, changes)
    expect([codeOf(refused), fieldOf(refused)?.field]).toEqual(['BAD_USER_INPUT', field])
    expect(await row(referral.id)).toEqual(referral)
  })

  it('the same details as another referral, also as one that has ended, and an unknown institution', async () => {
    const { patient, referral } = await referred({ number: '1' })
    const second = await makeReferral(server.db, {
      patient_id: patient.id,
      institution_id: a.id,
      number: '2',
    })
    expect(fieldOf(await update(second, { number: '1' }))?.message).toBe(
      'Pacientul are deja exact această trimitere.',
    )
    await updated(referral, { endedOn: DAY.today })
    for (const refused of [
      await update(second, { number: '1' }),
      await staff.graphql(CREATE, {
        referral: { patientId: patient.id, institutionId: a.id, doctor: referral.doctor, number: '1' },
      }),
    ])
      expect(fieldOf(refused)?.message).toContain('O poți redeschide')
    expect(codeOf(await update(second, { institutionId: newId() }))).toBe('NOT_FOUND')
    expect(await row(second.id)).toEqual(second)
  })

  it('an unknown referral, one of a deleted patient, and every user of an institution', async () => {
    const { patient, referral } = await referred()
    for (const id of [newId(), 'x'])
      expect(codeOf(await staff.graphql(UPDATE, { id, version: 1, referral: { institutionId: a.id } }))).toBe(
        'NOT_FOUND',
      )
    expect(codeOf(await update(referral, { endedOn: DAY.today }, ofA))).toBe('FORBIDDEN')
    await server.db
      .updateTable('patient')
      .set({ deleted_at: new Date() })
      .where('id', '=', patient.id)
      .execute()
    expect(codeOf(await update(referral, { endedOn: DAY.today }))).toBe('NOT_FOUND')
    expect(await row(referral.id)).toEqual(referral)
  })

  it('a change that is based on an older version, of which exactly one of two at once is done', async () => {
    const { referral } = await referred()
    const results = await Promise.all([
      update(referral, { doctor: 'Dr. Unu' }, staff, 1),
      update(referral, { doctor: 'Dr. Doi' }, staff, 1),
    ])
    expect(results.map(codeOf).sort()).toEqual(['CONFLICT', undefined])
    expect((await row(referral.id)).version).toBe(2)
    expect(codeOf(await update(referral, { endedOn: DAY.today }, staff, 1))).toBe('CONFLICT')
  })
})

it('names no uploads to staff without the feature for files', async () => {
  const without = await server.signIn((await makeUser(server.db, { features: [] })).email)
  const { patient, referral } = await referred()
  await released(patient.id, a)
  const { data } = await update(referral, { isMistaken: true }, without)
  expect(data.updateReferral.uploadsNoLongerShown).toEqual([])
})

it('a release that began before the end and commits after it is not shown', async () => {
  const { patient, referral } = await referred()
  const waiting = await makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: a.id,
  })
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // Keeps the verdict from its upload, after its request has begun.
  const held = server.db.transaction().execute(async (tx) => {
    await tx.selectFrom('upload').select('id').where('id', '=', waiting.id).forUpdate().execute()
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const verdict = reviewer.graphql(ACCEPT, { id: waiting.id, version: waiting.version })
  await expect.poll(() => countLockWaits(server.db)).toBe(1)
  await server.db
    .updateTable('referral')
    .set({ ended_at: new Date() })
    .where('id', '=', referral.id)
    .execute()
  release.resolve()
  await held
  expect((await verdict).errors).toEqual([])
  await expect.poll(() => stateOf(waiting.id)).toBe('released')
  expect(await sees(ofA, patient, [waiting])).toEqual([true, false])
})
