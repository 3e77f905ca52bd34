import { sql } from 'kysely'
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
import { LIMITS } from '../../../shared/limits.ts'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import { countLockWaits } from '../../../test/locks/lock-waits.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { newId } from '../../platform/ids.ts'
import { replaceFacts } from '../uploads/inspection/facts.db.ts'

const MERGE = `mutation ($survivorId: ID!, $survivorVersion: Int!, $mergedId: ID!, $mergedVersion: Int!, $take: [PatientField!],
  $keepSurname: Boolean) {
  mergePatients(survivorId: $survivorId, survivorVersion: $survivorVersion, mergedId: $mergedId,
    mergedVersion: $mergedVersion, take: $take, keepSurname: $keepSurname) { id version merges { id mergedNumber undoableUntil } }
}`
const UNDO = `mutation ($id: ID!, $keepChanges: Boolean) {
  undoMerge(id: $id, keepChanges: $keepChanges) { survivor { id } restored { id } uploadsToCheck }
}`
const PREVIEW = `query ($survivorId: ID!, $mergedId: ID!) {
  mergePreview(survivorId: $survivorId, mergedId: $mergedId) {
    survivor { id } merged { id } survivorUploads mergedUploads obstacle } }`
const READ = 'query ($id: ID!) { patient(id: $id) { id name referrals { institutionId } } }'
const INBOX = 'query { inbox(first: 100) { nodes { id patient { id name } } } }'
const UPDATE = `mutation ($id: ID!, $version: Int!, $patient: PatientInput!) {
  updatePatient(id: $id, version: $version, patient: $patient) { id } }`
const FILE = 'mutation ($upload: UploadInput!) { createUpload(upload: $upload) { id patient { id } } }'
const REFER = 'mutation ($referral: ReferralInput!) { createReferral(referral: $referral) { id } }'
const ACCEPT = `mutation ($id: ID!, $version: Int!) {
  acceptUpload(id: $id, version: $version, reason: "other", comment: "comparat") { state } }`

const BORN = '1989-03-08'

let server: TestServer
let staff: TestClient
let reviewer: TestClient
let a: { id: string }
let b: { id: string }
let ofA: TestClient
let ofB: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  staff = await server.signIn((await makeUser(server.db)).email)
  const both: Feature[] = ['patient::files', 'admin::review-files']
  reviewer = await server.signIn((await makeUser(server.db, { features: both })).email)
  ;[a, b] = [await makeInstitution(server.db), await makeInstitution(server.db)]
  const user = async (id: string) =>
    server.signIn((await makeUser(server.db, { role: 'institution', institutionIds: [id] })).email)
  ;[ofA, ofB] = [await user(a.id), await user(b.id)]
})

const patient = (over: Parameters<typeof makePatient>[1] = {}) =>
  makePatient(server.db, { surname: 'Unita', given_names: 'Maria', birth_date: BORN, cnp: null, ...over })
const referredBy = async (institution: { id: string }, over: Parameters<typeof makePatient>[1] = {}) => {
  const made = await patient(over)
  await makeReferral(server.db, { patient_id: made.id, institution_id: institution.id })
  return made
}
const released = (patient_id: string, institution: { id: string } | null) =>
  makeEmptyUpload(server.db, { patient_id, institution_id: institution?.id ?? null, state: 'released' })

const row = (id: string) =>
  server.db.selectFrom('patient').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const upload = (id: string) =>
  server.db.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function merge(survivorId: string, mergedId: string, more: object = {}, client = staff) {
  const [survivor, merged] = [await row(survivorId), await row(mergedId)]
  return client.graphql(MERGE, {
    survivorId,
    mergedId,
    survivorVersion: survivor.version,
    mergedVersion: merged.version,
    ...more,
  })
}
async function merged(survivorId: string, mergedId: string, more: object = {}): Promise<string> {
  const { data, errors } = await merge(survivorId, mergedId, more)
  expect(errors).toEqual([])
  return data.mergePatients.merges[0].id
}
const undo = (id: string, more: object = {}) => staff.graphql(UNDO, { id, ...more })
const codeOf = ({ errors }: { errors: { extensions: { code?: string } }[] }) => errors[0]?.extensions.code

type InboxNode = { id: string; patient: { id: string; name: string } }
async function inbox(client: TestClient, among: readonly { id: string }[]): Promise<string[]> {
  const { data } = await client.graphql(INBOX)
  const ids = among.map(({ id }) => id)
  return data.inbox.nodes
    .filter(({ id }: InboxNode) => ids.includes(id))
    .map(({ id, patient }: InboxNode) => `${id} of ${patient.id}`)
    .sort()
}

describe('a merge', () => {
  it('moves uploads and referrals, shows each institution what it saw, and leads the old id on', async () => {
    const one = await referredBy(a)
    const other = await referredBy(b, { given_names: 'Maria Elena', phone: '+40722000111' })
    const uploads = [await released(one.id, a), await released(other.id, b), await released(other.id, null)]
    const [ofOne, ofOther, internal] = uploads
    expect(await inbox(ofA, uploads)).toEqual([`${ofOne!.id} of ${one.id}`])
    await merged(one.id, other.id, { take: ['phone'] })

    expect(await inbox(ofA, uploads)).toEqual([`${ofOne!.id} of ${one.id}`])
    expect(await inbox(ofB, uploads)).toEqual([`${ofOther!.id} of ${one.id}`])
    expect((await upload(internal!.id)).patient_id).toBe(one.id)
    expect(await row(one.id)).toMatchObject({
      given_names: 'Maria',
      phone: '+40722000111',
      merged_into: null,
    })
    for (const client of [staff, ofB]) {
      const { data } = await client.graphql(READ, { id: other.id })
      expect(data.patient).toMatchObject({ id: one.id, name: 'Unita Maria' })
    }
    // Each institution sees its own referrals alone.
    const own = await ofA.graphql(READ, { id: other.id })
    expect(own.data.patient.referrals).toEqual([{ institutionId: a.id }])
    const { data } = await staff.graphql(
      'query ($search: String) { patients(search: $search) { nodes { id } } }',
      {
        search: 'elena unita',
      },
    )
    expect(data.patients.nodes.map(({ id }: { id: string }) => id)).not.toContain(other.id)
  })

  it('leads on through several merges, and not for an institution that never referred either', async () => {
    const [first, second, third] = [await patient(), await referredBy(a), await patient()]
    await merged(second.id, first.id)
    await merged(third.id, second.id)
    for (const client of [staff, ofA])
      expect((await client.graphql(READ, { id: first.id })).data.patient.id).toBe(third.id)
    expect(codeOf(await ofB.graphql(READ, { id: first.id }))).toBe('NOT_FOUND')
  })

  it('keeps the valid CNP of either, with its birth date and sex, and the other surname if asked', async () => {
    const cnp = makeCnp({ sex: 'male', birthDate: '1970-02-03', county: 12, serial: 11 })
    const one = await patient({ sex: 'female' })
    const other = await patient({ surname: 'Fosta', cnp, birth_date: '1970-02-03', sex: 'male' })
    await merged(one.id, other.id, { keepSurname: true })
    expect(await row(one.id)).toMatchObject({
      cnp,
      birth_date: '1970-02-03',
      sex: 'male',
      surname: 'Unita',
      previous_surname: 'Fosta',
    })
    // The name that was not kept still finds the patient, as the previous surname.
    const { data } = await staff.graphql('query { patients(search: "fosta") { nodes { id } } }')
    expect(data.patients.nodes).toEqual([{ id: one.id }])
    const found = await staff.graphql('mutation ($cnp: String!) { findPatientByCnp(cnp: $cnp) { id } }', {
      cnp,
    })
    expect(found.data.findPatientByCnp).toEqual({ id: one.id })
  })

  it('is refused for two CNPs, the same patient, a merged one, an outdated version', async () => {
    const cnps = [1, 2].map((serial) => makeCnp({ sex: 'female', birthDate: BORN, county: 13, serial }))
    const [one, other] = [await patient({ cnp: cnps[0]! }), await patient({ cnp: cnps[1]! })]
    const refused = await merge(one.id, other.id)
    expect(codeOf(refused)).toBe('CONFLICT')
    expect(refused.errors[0]?.message).toContain('CNP-uri diferite')
    const preview = await staff.graphql(PREVIEW, { survivorId: one.id, mergedId: other.id })
    expect(preview.data.mergePreview.obstacle).toBe(refused.errors[0]?.message)

    expect(codeOf(await merge(one.id, one.id))).toBe('BAD_USER_INPUT')
    const third = await patient()
    expect(codeOf(await merge(one.id, third.id, { mergedVersion: 99 }))).toBe('CONFLICT')
    expect(codeOf(await merge(one.id, third.id, { survivorVersion: 99 }))).toBe('CONFLICT')
    await merged(one.id, third.id)
    const fourth = await patient()
    expect(codeOf(await merge(fourth.id, third.id))).toBe('NOT_FOUND')
    expect(codeOf(await merge(third.id, fourth.id))).toBe('NOT_FOUND')
    const unknown = { survivorVersion: 1, mergedId: newId(), mergedVersion: 1 }
    expect(codeOf(await staff.graphql(MERGE, { survivorId: fourth.id, ...unknown }))).toBe('NOT_FOUND')
    expect(codeOf(await staff.graphql(MERGE, { survivorId: "'; --", ...unknown }))).toBe('NOT_FOUND')
  })

  it('is refused if an institution would see an upload that it did not see', async () => {
    const one = await referredBy(a)
    const other = await patient()
    const hidden = await released(other.id, a)
    expect(await inbox(ofA, [hidden])).toEqual([])
    const refused = await merge(one.id, other.id)
    expect(codeOf(refused)).toBe('CONFLICT')
    expect(refused.errors[0]?.message).toContain(`nr. ${hidden.number}`)
    expect(codeOf(await merge(other.id, one.id))).toBe('CONFLICT')
    expect(await inbox(ofA, [hidden])).toEqual([])
    await server.db.updateTable('upload').set({ state: 'withdrawn' }).where('id', '=', hidden.id).execute()
    await merged(one.id, other.id)
  })

  it('makes a form, a first acceptance and a verdict that were based on the patient before void', async () => {
    const [one, other] = [await patient(), await patient()]
    const waiting = await makeUpload(server.db, server.services.storage, { patient_id: other.id })
    const before = await row(other.id)
    await merged(one.id, other.id)
    const input = { surname: 'Suprascrisă', givenNames: 'Maria' }
    expect(
      codeOf(await staff.graphql(UPDATE, { id: other.id, version: before.version, patient: input })),
    ).toBe('CONFLICT')
    const { version } = await row(other.id)
    expect(codeOf(await staff.graphql(UPDATE, { id: other.id, version, patient: input }))).toBe('CONFLICT')
    expect((await row(other.id)).surname).toBe('Unita')
    expect(codeOf(await reviewer.graphql(ACCEPT, { id: waiting.id, version: waiting.version }))).toBe(
      'CONFLICT',
    )
    expect((await upload(waiting.id)).state).toBe('in_review')
  })

  it('compares the files of a moved upload with the survivor', async () => {
    const cnp = makeCnp({ sex: 'female', birthDate: BORN, county: 14, serial: 3 })
    const other = await patient({ cnp })
    const one = await patient()
    const foreign = makeCnp({ sex: 'female', birthDate: BORN, county: 14, serial: 4 })
    const filed = await makeUpload(server.db, server.services.storage, {
      patient_id: one.id,
      files: [{ bytes: Buffer.from('x') }],
    })
    await replaceFacts(server.db, filed.files[0]!.id, [
      { kind: 'cnp', value: foreign, place: { in: 'text' } },
    ])
    const isDisagreeing = async () =>
      (
        await reviewer.graphql('query ($id: ID!) { upload(id: $id) { isDisagreeing } }', {
          id: filed.id,
        })
      ).data.upload.isDisagreeing
    await merged(other.id, one.id)
    expect(await isDisagreeing()).toBe(true)
    expect((await upload(filed.id)).patient_id).toBe(other.id)
  })

  it('files and refers to the survivor what is sent for the merged patient', async () => {
    const [one, other] = [await patient(), await patient()]
    await merged(one.id, other.id)
    expect(
      (await staff.graphql(REFER, { referral: { patientId: other.id, institutionId: b.id } })).errors,
    ).toEqual([])
    const filed = await staff.graphql(FILE, {
      upload: { title: 'Ecografie', patientId: other.id, institutionId: b.id },
    })
    expect(filed.data.createUpload.patient.id).toBe(one.id)
  })

  it('is recorded for both patients, with the CNP masked', async () => {
    const cnp = makeCnp({ sex: 'female', birthDate: BORN, county: 15, serial: 5 })
    const [one, other] = [await patient(), await patient({ cnp })]
    await merged(one.id, other.id)
    const events = await server.db
      .selectFrom('audit_event')
      .select(['patient_id', 'changes'])
      .where('action', '=', 'patient.merge')
      .where('patient_id', 'in', [one.id, other.id])
      .execute()
    expect(events.map(({ patient_id }) => patient_id).sort()).toEqual([one.id, other.id].sort())
    expect(JSON.stringify(events)).not.toContain(cnp)
    expect(JSON.stringify(events)).toContain(cnp.slice(-4))
  })
})

describe('undoing a merge', () => {
  it('returns exactly what was moved and the former values; uploads since stay and are named', async () => {
    const cnp = makeCnp({ sex: 'female', birthDate: BORN, county: 16, serial: 6 })
    const one = await referredBy(a, { phone: '+40722000111' })
    const other = await referredBy(b, { cnp, phone: '+40722000222', notes: 'Notă' })
    const uploads = [await released(one.id, a), await released(other.id, b)]
    const beforeRows = [await row(one.id), await row(other.id)]
    const id = await merged(one.id, other.id, { take: ['phone', 'notes'] })
    const since = await released(one.id, b)
    expect(await inbox(ofB, [since])).toHaveLength(1)

    const { data, errors } = await undo(id)
    expect(errors).toEqual([])
    expect(data.undoMerge).toEqual({
      survivor: { id: one.id },
      restored: { id: other.id },
      uploadsToCheck: [since.number],
    })
    for (const before of beforeRows)
      expect(await row(before.id)).toEqual({
        ...before,
        version: expect.any(Number),
        updated_at: expect.any(Date),
      })
    expect(await inbox(ofA, uploads)).toEqual([`${uploads[0]!.id} of ${one.id}`])
    expect(await inbox(ofB, uploads)).toEqual([`${uploads[1]!.id} of ${other.id}`])
    expect((await upload(since.id)).patient_id).toBe(one.id)
    expect(await inbox(ofB, [since])).toEqual([])
    expect((await staff.graphql(READ, { id: other.id })).data.patient.id).toBe(other.id)
    expect(codeOf(await ofB.graphql(READ, { id: one.id }))).toBe('NOT_FOUND')
    expect(codeOf(await undo(id))).toBe('CONFLICT')
  })

  it('returns to review what was released since, because it was compared with the other patient', async () => {
    const cnp = makeCnp({ sex: 'female', birthDate: BORN, county: 29, serial: 77 })
    const [one, other] = [await patient({ cnp }), await referredBy(b)]
    const filed = await makeUpload(server.db, server.services.storage, {
      patient_id: other.id,
      institution_id: b.id,
      files: [{ bytes: Buffer.from(`CNP ${cnp}`) }],
    })
    await replaceFacts(server.db, filed.files[0]!.id, [{ kind: 'cnp', value: cnp, place: { in: 'text' } }])
    const id = await merged(one.id, other.id)
    const { version } = await upload(filed.id)
    await reviewer.runQuery(ACCEPT, { id: filed.id, version })
    expect(await inbox(ofB, [filed])).toEqual([`${filed.id} of ${one.id}`])

    const { data } = await undo(id)
    expect(data.undoMerge.uploadsToCheck).toEqual([filed.number])
    expect(await upload(filed.id)).toMatchObject({ patient_id: other.id, state: 'in_review' })
    expect(await inbox(ofB, [filed])).toEqual([])
  })

  it('leaves an upload with the patient to whom a person has moved it since', async () => {
    const [one, other, third] = [await patient(), await patient(), await patient()]
    const [moved, back] = [await released(other.id, null), await released(other.id, null)]
    const id = await merged(one.id, other.id)
    await server.db.updateTable('upload').set({ patient_id: third.id }).where('id', '=', moved.id).execute()
    expect((await undo(id)).errors).toEqual([])
    expect((await upload(moved.id)).patient_id).toBe(third.id)
    expect((await upload(back.id)).patient_id).toBe(other.id)
  })

  it('names the values that have changed since, and keeps them on request', async () => {
    const one = await patient({ phone: '+40722000111', email: 'veche@exemplu.test' })
    const other = await patient({ phone: '+40722000222', email: 'alta@exemplu.test' })
    const id = await merged(one.id, other.id, { take: ['phone', 'email'] })
    const { version } = await row(one.id)
    await staff.runQuery(UPDATE, {
      id: one.id,
      version,
      patient: {
        surname: 'Unita',
        givenNames: 'Maria',
        birthDate: BORN,
        phone: '0722000333',
        email: 'alta@exemplu.test',
      },
    })
    const refused = await undo(id)
    expect(codeOf(refused)).toBe('CONFLICT')
    expect(refused.errors[0]?.message).toContain('Telefon')
    expect(refused.errors[0]?.message).not.toContain('E-mail')
    expect((await row(other.id)).merged_into).toBe(one.id)
    expect((await undo(id, { keepChanges: true })).errors).toEqual([])
    expect(await row(one.id)).toMatchObject({ phone: '+40722000333', email: 'veche@exemplu.test' })
    expect(await row(other.id)).toMatchObject({ phone: '+40722000222', merged_into: null })
  })

  it('is refused when the CNP belongs to a third patient, after thirty days, and before a newer merge is undone', async () => {
    const cnp = makeCnp({ sex: 'female', birthDate: BORN, county: 17, serial: 7 })
    const [one, other, third] = [await patient(), await patient({ cnp }), await patient()]
    const id = await merged(one.id, other.id)
    const newer = await merged(third.id, one.id)
    const blocked = await undo(id)
    expect([codeOf(blocked), blocked.errors[0]?.message]).toEqual([
      'CONFLICT',
      expect.stringContaining('mai nouă'),
    ])
    expect((await undo(newer)).errors).toEqual([])

    await server.db.updateTable('patient').set({ cnp: null }).where('id', '=', one.id).execute()
    const fourth = await patient({ cnp })
    const taken = await undo(id, { keepChanges: true })
    expect([codeOf(taken), taken.errors[0]?.message]).toEqual(['CONFLICT', expect.stringContaining('CNP-ul')])
    expect((await row(other.id)).merged_into).toBe(one.id)
    await server.db.updateTable('patient').set({ cnp: null }).where('id', '=', fourth.id).execute()

    const old = new Date(Date.now() - (LIMITS.undoMergeDays * 24 + 1) * 3_600_000)
    await server.db.updateTable('patient_merge').set({ merged_at: old }).where('id', '=', id).execute()
    expect(codeOf(await undo(id, { keepChanges: true }))).toBe('CONFLICT')
    const { data } = await staff.graphql('query ($id: ID!) { patient(id: $id) { merges { id } } }', {
      id: one.id,
    })
    expect(data.patient.merges).toEqual([])
    expect(codeOf(await undo(newId()))).toBe('NOT_FOUND')
    expect(codeOf(await undo('x'))).toBe('NOT_FOUND')
  })
})

describe('at the same moment', () => {
  it('of two merges of one pair, in either direction, exactly one happens', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await patient(), await patient()]
      const [filed, second] = [await released(one.id, null), await released(other.id, null)]
      const results = await Promise.all([merge(one.id, other.id), merge(other.id, one.id)])
      expect(results.map(codeOf).filter((code) => code === undefined)).toHaveLength(1)
      const survivor = (await row(one.id)).merged_into === null ? one.id : other.id
      for (const { id } of [filed, second]) expect((await upload(id)).patient_id).toBe(survivor)
    }
  })

  it('merges of a circle of patients leave no patient merged into a merged one without a survivor', async () => {
    const three = [await patient(), await patient(), await patient()] as const
    await Promise.all(three.map((each, index) => merge(each.id, three[(index + 1) % 3]!.id)))
    const rows = await Promise.all(three.map(({ id }) => row(id)))
    expect(rows.filter(({ merged_into }) => merged_into === null).length).toBeGreaterThan(0)
    for (const { id } of three) expect((await staff.graphql(READ, { id })).errors).toEqual([])
  })

  it('a merge waits for what is being filed or referred for the merged patient, which then moves too', async () => {
    const [one, other] = [await referredBy(a), await referredBy(b)]
    // Holds the filing open after it has read the patient: it waits for this lock before its first change.
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const held = server.db.transaction().execute(async (tx) => {
      await sql`lock table upload, referral in share row exclusive mode`.execute(tx)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const filing = staff.graphql(FILE, {
      upload: { title: 'Ecografie', patientId: other.id, institutionId: b.id },
    })
    const referring = staff.graphql(REFER, { referral: { patientId: other.id, institutionId: a.id } })
    await expect.poll(() => countLockWaits(server.db)).toBe(2)
    const merging = merge(one.id, other.id)
    await expect.poll(() => countLockWaits(server.db)).toBe(3)
    release.resolve()
    await held
    const [filed, referred, done] = await Promise.all([filing, referring, merging])
    expect([filed.errors, referred.errors, done.errors]).toEqual([[], [], []])
    expect((await upload(filed.data.createUpload.id)).patient_id).toBe(one.id)
    const { data } = await staff.graphql(READ, { id: one.id })
    expect(data.patient.referrals).toHaveLength(3)
  })

  it('a verdict counts before the merge, or is refused after it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await patient(), await patient()]
      const waiting = await makeUpload(server.db, server.services.storage, { patient_id: other.id })
      const [verdict, done] = await Promise.all([
        reviewer.graphql(ACCEPT, { id: waiting.id, version: waiting.version }),
        merge(one.id, other.id),
      ])
      expect(done.errors).toEqual([])
      const { patient_id, state } = await upload(waiting.id)
      expect(patient_id).toBe(one.id)
      expect([codeOf(verdict), state]).toEqual(
        verdict.errors.length === 0 ? [undefined, 'released'] : ['CONFLICT', 'in_review'],
      )
    }
  })
})
