import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../db/factories.ts'
import { FEATURES } from '../../../shared/access/features.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import { countCalls } from '../../../test/count-calls.ts'
import { makeReport } from '../../../test/inspection/drafts.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { tusRequests } from '../../../test/tus.ts'
import { upsertSettings } from '../site/site.db.ts'
import * as uploadRules from '../uploads/uploads.access.ts'

const CREATE = `mutation ($institutionId: ID!, $upload: SentUploadInput!) {
  createSentUpload(institutionId: $institutionId, upload: $upload) { id number state version } }`
const EDIT = `mutation ($id: ID!, $version: Int!, $upload: SentUploadInput!) {
  editSentUpload(id: $id, version: $version, upload: $upload) { id version patient { id name } } }`
const SUBMIT =
  'mutation ($id: ID!, $files: [String!]) { submitSentUpload(id: $id, files: $files) { id state } }'
const WITHDRAW = 'mutation ($id: ID!) { withdrawSentUpload(id: $id) { id state } }'
const DISCARD =
  'mutation ($uploadId: ID!, $fileId: ID!) { discardSentFile(uploadId: $uploadId, fileId: $fileId) { id } }'
const DRAFT = `query ($id: ID!) { sentDraft(id: $id) { id institutionId state version title categorySlug patient { id name }
  files { id name sha256 } transfers { id } proposal { categorySlug title examinedOn }
  checks { file { name } state refusalFacts unreadable people isKnown patients { id name } comparison { what result } } } }`
const LIST = `{ sentUploads { nodes { id institutionId number title state patient { id name } senderName isOwn fileCount isResult
  rejectionCode rejectionComment refusedFiles { name facts } } endCursor } }`
const STAFF =
  'query ($id: ID!) { upload(id: $id) { state version source sentBy authorName patient { id } institution { id } } }'
const UNDER_WAY = 'query ($id: ID!) { patient(id: $id) { underWay { filedOn categoryName } } }'

type Sender = { id: string; client: TestClient; tus: ReturnType<typeof tusRequests> }

let server: TestServer
let clinic: { id: string }
let other: { id: string }
let ana: Sender
let ion: Sender
let stranger: Sender
let reviewer: TestClient
let serial = 0

const sender = async (institutionIds: string[], name: string): Promise<Sender> => {
  const { id, email } = await makeUser(server.db, { role: 'institution', institutionIds, name })
  const client = await server.signIn(email)
  return { id, client, tus: tusRequests(client.fetch) }
}

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  clinic = await makeInstitution(db, { name: 'Clinica Trimite', short_name: 'Trimite', may_upload: true })
  other = await makeInstitution(db, { may_upload: true })
  ana = await sender([clinic.id], 'Ana Trimite')
  ion = await sender([clinic.id], 'Ion Coleg')
  stranger = await sender([other.id], 'Străin')
  const { email } = await makeUser(db, { features: ['patient::files', 'admin::review-files'] })
  reviewer = await server.signIn(email)
})

beforeEach(() => setMayUpload(true))

const setMayUpload = (may_upload: boolean) =>
  server.db.updateTable('institution').set({ may_upload }).where('id', '=', clinic.id).execute()

/** Makes a patient whom the institutions have referred. */
async function makePerson(...institutionIds: string[]) {
  serial += 1
  const cnp = makeCnp({ sex: 'female', birthDate: `19${40 + (serial % 50)}-05-06`, county: 14, serial })
  const patient = await makePatient(server.db, {
    surname: `Trimisescu${'abcdefghijklmnopqrstuvwxyz'[serial % 26]}`,
    given_names: 'Ana',
    cnp,
  })
  for (const institution_id of institutionIds)
    await makeReferral(server.db, { patient_id: patient.id, institution_id })
  return patient
}
const DETAILS = { title: 'Analize aduse de pacient' }

const create = (by: Sender, upload: object = {}, institutionId = clinic.id) =>
  by.client.graphql(CREATE, { institutionId, upload: { ...DETAILS, ...upload } })

async function begin(by: Sender, upload: object = {}, institutionId = clinic.id): Promise<string> {
  const { data, errors } = await create(by, upload, institutionId)
  expect(errors).toEqual([])
  return data.createSentUpload.id
}

async function send(by: Sender, uploadId: string, name: string, bytes: Buffer): Promise<void> {
  const response = await by.tus.patch(await by.tus.begin(uploadId, bytes, name), 0, bytes)
  expect(response.status).toBe(204)
}

/** Sends a report of the patient and submits it; returns the id. */
async function sendReport(by: Sender, patient: Awaited<ReturnType<typeof makePerson>>, over: object = {}) {
  const id = await begin(by, { patientId: patient.id, ...over })
  await send(by, id, 'raport.pdf', await makeReport(patient))
  await by.client.runQuery(SUBMIT, { id })
  await server.runJobs()
  return id
}

const readDraft = async (by: Sender, id: string) => (await by.client.runQuery(DRAFT, { id })).sentDraft
const list = async (by: Sender) => (await by.client.runQuery(LIST)).sentUploads.nodes
const find = async (by: Sender, id: string) => (await list(by)).find((each: { id: string }) => each.id === id)
const readAsStaff = async (id: string) => (await reviewer.runQuery(STAFF, { id })).upload
const codesOf = ({ errors }: Awaited<ReturnType<TestClient['graphql']>>) =>
  errors.map(({ extensions }) => extensions.code)

async function accept(id: string): Promise<void> {
  const { upload } = await reviewer.runQuery(
    'query ($id: ID!) { upload(id: $id) { version files { id } } }',
    { id },
  )
  await reviewer.runQuery(
    `mutation ($id: ID!, $version: Int!, $opened: [ID!]) {
      acceptUpload(id: $id, version: $version, openedFileIds: $opened) { id } }`,
    { id, version: upload.version, opened: upload.files.map((file: { id: string }) => file.id) },
  )
  await server.db
    .updateTable('upload')
    .set({ release_at: new Date(0) })
    .where('id', '=', id)
    .execute()
  await server.runJobs()
}

describe('files that a user of an institution sends', () => {
  it('come to review with their source, and both sides see what becomes of them', async () => {
    const patient = await makePerson(clinic.id)
    const id = await begin(ana, { patientId: patient.id })
    expect(await list(ana)).toEqual([])
    await send(ana, id, 'raport.pdf', await makeReport(patient))
    await server.runJobs()
    const draft = await readDraft(ana, id)
    expect(draft).toMatchObject({
      institutionId: clinic.id,
      state: 'receiving',
      patient: { id: patient.id },
    })
    expect(draft.checks).toMatchObject([
      { state: 'READ', people: 1, isKnown: false, patients: [{ id: patient.id }] },
    ])
    await ana.client.runQuery(SUBMIT, { id, files: [draft.files[0].sha256] })
    expect(await find(ana, id)).toMatchObject({
      institutionId: clinic.id,
      state: 'checking',
      isOwn: true,
      fileCount: 1,
    })
    await server.runJobs()
    expect(await readAsStaff(id)).toMatchObject({
      state: 'in_review',
      source: 'institution',
      sentBy: 'Trimite',
      authorName: 'Ana Trimite',
      institution: { id: clinic.id },
    })
    // A colleague follows it and no more; another institution sees nothing.
    expect(await find(ion, id)).toMatchObject({
      state: 'in_review',
      title: DETAILS.title,
      patient: { id: patient.id, name: `${patient.surname} Ana` },
      senderName: 'Ana Trimite',
      isOwn: false,
      isResult: false,
    })
    expect(await list(stranger)).toEqual([])
    await accept(id)
    expect(await find(ana, id)).toMatchObject({ state: 'released', isResult: true })
    const result = 'query ($id: ID!) { upload(id: $id) { files { id } sentBy } }'
    const { upload } = await ana.client.runQuery(result, { id })
    expect(upload).toMatchObject({ files: [{}], sentBy: null })
    expect((await ana.client.get(`/files/${upload.files[0].id}`)).status).toBe(200)
  })

  it('without a patient wait for staff, with what was read', async () => {
    const patient = await makePerson(clinic.id)
    const id = await begin(ana)
    await send(ana, id, 'raport.pdf', await makeReport(patient))
    await ana.client.runQuery(SUBMIT, { id })
    await server.runJobs()
    expect(await readAsStaff(id)).toMatchObject({ state: 'unassigned', sentBy: 'Trimite', patient: null })
    const { upload } = await reviewer.runQuery(
      'query ($id: ID!) { upload(id: $id) { proposal { patients { id } } } }',
      { id },
    )
    expect(upload.proposal.patients).toEqual([{ id: patient.id }])
    expect(await find(ion, id)).toMatchObject({ state: 'unassigned', patient: null, title: DETAILS.title })
  })

  it('wait for a reviewer also in a category that requires none', async () => {
    const { slug } = await makeCategory(server.db, { review_required: false })
    const patient = await makePerson(clinic.id)
    const id = await sendReport(ana, patient, { categorySlug: slug })
    expect(await readAsStaff(id)).toMatchObject({ state: 'in_review' })
    // The same file of staff is accepted: the policy itself would have.
    const { email, id: registrarId } = await makeUser(server.db, { features: ['patient::files'] })
    await server.signIn(email)
    const staffs = await makeUpload(server.db, server.services.storage, {
      state: 'checking',
      created_by: registrarId,
      patient_id: patient.id,
      institution_id: clinic.id,
      category_slug: slug,
      files: [{ bytes: await makeReport(patient), name: 'raport.pdf', scan_result: 'pending' }],
    })
    await server.services.jobs.enqueue(server.db, 'check-upload', { uploadId: staffs.id })
    await server.runJobs()
    expect(await readAsStaff(staffs.id)).toMatchObject({ state: 'released' })
    // Nor when staff choose the category afterwards.
    await server.services.jobs.enqueue(server.db, 'accept-by-policy', { uploadId: id })
    await server.runJobs()
    expect(await readAsStaff(id)).toMatchObject({ state: 'in_review' })
    await accept(id)
    expect(await readAsStaff(id)).toMatchObject({ state: 'released' })
  })

  it('that are hostile come to quarantine, and the sender reads why', async () => {
    const patient = await makePerson(clinic.id)
    const id = await begin(ana, { patientId: patient.id })
    await send(ana, id, 'program.pdf', Buffer.from('MZ\x90\0 un program'))
    await server.runJobs()
    expect((await readDraft(ana, id)).checks).toMatchObject([
      { state: 'REFUSED', refusalFacts: { reason: 'executable' } },
    ])
    await ana.client.runQuery(SUBMIT, { id })
    await server.runJobs()
    expect(await find(ana, id)).toMatchObject({
      state: 'quarantined',
      refusedFiles: [{ name: 'program.pdf', facts: { reason: 'executable' } }],
    })
    await ana.client.runQuery(WITHDRAW, { id })
    expect(await find(ana, id)).toBeUndefined()
  })

  it('that are rejected come back with the reason, and are sent anew', async () => {
    const patient = await makePerson(clinic.id)
    const id = await sendReport(ana, patient)
    const { version } = await readAsStaff(id)
    await reviewer.runQuery(
      `mutation ($id: ID!, $version: Int!) {
        rejectUpload(id: $id, version: $version, reason: "incomplete", comment: "Lipsește pagina 2.") { id } }`,
      { id, version },
    )
    expect(await find(ion, id)).toMatchObject({
      state: 'rejected',
      rejectionCode: 'incomplete',
      rejectionComment: 'Lipsește pagina 2.',
    })
    expect(codesOf(await ana.client.graphql(SUBMIT, { id }))).not.toEqual([])
    await expect(ana.tus.begin(id, Buffer.from('alt fișier'), 'x.txt')).rejects.toThrow()
    expect(await readAsStaff(id)).toMatchObject({ state: 'rejected' })
    await ana.client.runQuery(WITHDRAW, { id })
    expect(await readAsStaff(id)).toMatchObject({ state: 'withdrawn' })
  })
})

it('what staff have given to another institution is no longer withdrawn by who has sent it', async () => {
  const [own, foreign] = [await makePerson(clinic.id), await makePerson(other.id)]
  const give = (id: string, institution_id: string | null) =>
    server.db
      .updateTable('upload')
      .set({ patient_id: foreign.id, institution_id })
      .where('id', '=', id)
      .execute()
  const id = await sendReport(ana, own)
  for (const institution of [other.id, null]) {
    await give(id, institution)
    expect(codesOf(await ana.client.graphql(WITHDRAW, { id }))).toEqual(['FORBIDDEN'])
    expect(await readAsStaff(id)).toMatchObject({ state: 'in_review' })
  }
  await give(id, clinic.id)
  expect((await ana.client.runQuery(WITHDRAW, { id })).withdrawSentUpload.state).toBe('withdrawn')
})

describe('the checks of a draft', () => {
  it('say of a patient of others only that the facts are not those of the chosen patient', async () => {
    const [own, foreign] = [await makePerson(clinic.id), await makePerson(other.id)]
    const nobody = {
      ...foreign,
      cnp: makeCnp({ sex: 'male', birthDate: '1931-02-03', county: 22, serial: 77 }),
    }
    const answers = []
    for (const stated of [foreign, nobody]) {
      const id = await begin(ana, { patientId: own.id })
      await send(ana, id, 'raport.pdf', await makeReport(stated))
      await server.runJobs()
      const { checks } = await readDraft(ana, id)
      expect(JSON.stringify(checks)).not.toContain(stated.cnp!.slice(-4))
      expect(checks).toMatchObject([
        { comparison: [{ what: 'cnp', result: 'disagrees' }, { what: 'name' }, { what: 'birth-date' }] },
      ])
      answers.push(checks)
    }
    // The answer about a registered patient is that about one who does not exist.
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0][0].patients).toEqual([])
    // The same document without a chosen patient proposes nobody either, and its own reader the patient.
    const id = await begin(ana)
    await send(ana, id, 'raport.pdf', await makeReport(foreign))
    await server.runJobs()
    expect((await readDraft(ana, id)).checks).toMatchObject([{ patients: [], comparison: [] }])
    const theirs = await begin(stranger, {}, other.id)
    await send(stranger, theirs, 'raport.pdf', await makeReport(foreign))
    await server.runJobs()
    expect((await readDraft(stranger, theirs)).checks).toMatchObject([{ patients: [{ id: foreign.id }] }])
  })

  it('compare nothing with a patient who is no longer the institution’s', async () => {
    const patient = await makePerson(clinic.id)
    const id = await begin(ana, { patientId: patient.id })
    await send(ana, id, 'raport.pdf', await makeReport(patient))
    await server.runJobs()
    expect((await readDraft(ana, id)).checks[0].comparison).not.toEqual([])
    await server.db
      .updateTable('referral')
      .set({ ended_at: new Date(), mistaken: true })
      .where('patient_id', '=', patient.id)
      .execute()
    expect(await readDraft(ana, id)).toMatchObject({
      patient: null,
      checks: [{ state: 'READ', patients: [], comparison: [] }],
    })
  })

  it('know the same file of the institution alone', async () => {
    const shared = await makePerson(clinic.id, other.id)
    const bytes = await makeReport(shared)
    await makeUpload(server.db, server.services.storage, {
      state: 'released',
      patient_id: shared.id,
      institution_id: other.id,
      files: [{ bytes }],
    })
    const isKnown = async (by: Sender, institutionId: string) => {
      const id = await begin(by, { patientId: shared.id }, institutionId)
      await send(by, id, 'copie.pdf', bytes)
      await server.runJobs()
      return (await readDraft(by, id)).checks[0].isKnown
    }
    expect(await isKnown(ana, clinic.id)).toBe(false)
    expect(await isKnown(stranger, other.id)).toBe(true)
    const first = await begin(ana, { patientId: shared.id })
    await send(ana, first, 'prima.pdf', bytes)
    await ana.client.runQuery(SUBMIT, { id: first })
    expect(await isKnown(ion, clinic.id)).toBe(true)
  })
})

describe('sending is refused', () => {
  it('for a patient of others, an unknown one, and one whose referral has ended', async () => {
    const [foreign, ended] = [await makePerson(other.id), await makePerson()]
    await makeReferral(server.db, { patient_id: ended.id, institution_id: clinic.id, ended_at: new Date() })
    const unknown = '00000000-0000-7000-8000-000000000000'
    const [one, two] = [
      await create(ana, { patientId: foreign.id }),
      await create(ana, { patientId: unknown }),
    ]
    expect(codesOf(one)).toEqual(['NOT_FOUND'])
    expect(one.errors).toEqual(two.errors)
    expect(codesOf(await create(ana, { patientId: ended.id }))).toEqual(['BAD_USER_INPUT'])
    const id = await begin(ana)
    const edit = (patientId: string) =>
      ana.client.graphql(EDIT, { id, version: 1, upload: { ...DETAILS, patientId } })
    expect(codesOf(await edit(foreign.id))).toEqual(['NOT_FOUND'])
    expect(codesOf(await edit(ended.id))).toEqual(['BAD_USER_INPUT'])
  })

  it('at the submission, if the referral has ended since', async () => {
    const patient = await makePerson(clinic.id)
    const id = await begin(ana, { patientId: patient.id })
    await send(ana, id, 'raport.pdf', await makeReport(patient))
    await server.db
      .updateTable('referral')
      .set({ ended_at: new Date() })
      .where('patient_id', '=', patient.id)
      .execute()
    expect(codesOf(await ana.client.graphql(SUBMIT, { id }))).toEqual(['BAD_USER_INPUT'])
  })

  it('in the name of another institution, and to staff', async () => {
    expect(codesOf(await create(ana, {}, other.id))).toEqual(['NOT_FOUND'])
    const asStaff = await reviewer.graphql(CREATE, { institutionId: clinic.id, upload: DETAILS })
    expect(codesOf(asStaff)).toEqual(['FORBIDDEN'])
    // The operations of staff stay closed to institutions.
    const staffs = await ana.client.graphql(
      'mutation ($upload: UploadInput!) { createUpload(upload: $upload) { id } }',
      { upload: DETAILS },
    )
    expect(codesOf(staffs)).toEqual(['FORBIDDEN'])
  })

  it('beyond the drafts that a user may have', async () => {
    const user = await sender([clinic.id], 'Cu multe ciorne')
    for (let count = 0; count < LIMITS.sentDrafts; count += 1) await begin(user)
    expect(codesOf(await create(user))).toEqual(['TOO_MANY'])
    let sentDrafts: { id: string }[] = []
    const readings = await countCalls('/uploads.db.ts', 'selectUpload', async () => {
      sentDrafts = (await user.client.runQuery('{ sentDrafts { id } }')).sentDrafts
    })
    expect(sentDrafts).toHaveLength(LIMITS.sentDrafts)
    // All are read at once: a document may ask for the list several times.
    expect(readings).toBe(0)
    await user.client.runQuery(WITHDRAW, { id: sentDrafts[0]!.id })
    expect(codesOf(await create(user))).toEqual([])
  })

  /** What ends the right to send, and how it is given back. */
  const ENDINGS: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    ['may-upload is off', () => setMayUpload(false), () => setMayUpload(true)],
    [
      'the institution is suspended',
      () =>
        server.db
          .updateTable('institution')
          .set({ suspended_at: new Date() })
          .where('id', '=', clinic.id)
          .execute(),
      () =>
        server.db
          .updateTable('institution')
          .set({ suspended_at: null })
          .where('id', '=', clinic.id)
          .execute(),
    ],
    [
      'patient::files is off',
      () => upsertSettings(server.db, { features: FEATURES.filter((each) => each !== 'patient::files') }),
      () => server.db.deleteFrom('site_setting').where('key', '=', 'features').execute(),
    ],
  ]

  it.each(ENDINGS)('at each step once %s', async (_name, end, restore) => {
    const patient = await makePerson(clinic.id)
    const bytes = await makeReport(patient)
    const id = await begin(ana, { patientId: patient.id })
    const path = await ana.tus.begin(id, bytes, 'raport.pdf')
    expect((await ana.tus.patch(path, 0, bytes.subarray(0, 100))).status).toBe(204)
    await end()
    try {
      for (const answer of [
        await create(ana, { patientId: patient.id }),
        await ana.client.graphql(EDIT, { id, version: 1, upload: DETAILS }),
        await ana.client.graphql(SUBMIT, { id }),
        await ana.client.graphql(WITHDRAW, { id }),
        await ana.client.graphql(DISCARD, { uploadId: id, fileId: id }),
        await ana.client.graphql(DRAFT, { id }),
        await ana.client.graphql(LIST),
      ])
        expect(codesOf(answer)).toEqual([expect.stringMatching(/^(FORBIDDEN|UNAUTHENTICATED)$/)])
      for (const response of [
        await ana.tus.head(path),
        await ana.tus.patch(path, 100, bytes.subarray(100)),
        await ana.tus.terminate(path),
        await ana.tus.createWithBody(id, bytes),
      ])
        expect([401, 404]).toContain(response.status)
    } finally {
      await restore()
    }
    expect(await server.db.selectFrom('file').select('id').where('upload_id', '=', id).execute()).toEqual([])
    expect((await ana.tus.patch(path, 100, bytes.subarray(100))).status).toBe(204)
  })

  it('in the middle of a transfer, whose last byte no longer makes a file', async () => {
    const patient = await makePerson(clinic.id)
    const bytes = await makeReport(patient)
    const id = await begin(ana, { patientId: patient.id })
    const path = await ana.tus.begin(id, bytes, 'raport.pdf')
    // The right ends after the first bytes were read, which happens only once the request was allowed.
    let reads = 0
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          reads += 1
          if (reads === 1) return controller.enqueue(bytes.subarray(0, 100))
          if (reads > 2) return controller.close()
          await setMayUpload(false)
          controller.enqueue(bytes.subarray(100))
        },
      },
      { highWaterMark: 0 },
    )
    const response = await ana.client.fetch(path, {
      method: 'PATCH',
      headers: {
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
      },
      body,
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(409)
    await setMayUpload(true)
    expect(await server.db.selectFrom('file').select('id').where('upload_id', '=', id).execute()).toEqual([])
  })

  it('to colleagues and to others for a draft, which does not exist for them', async () => {
    const patient = await makePerson(clinic.id)
    const id = await begin(ana, { patientId: patient.id })
    const bytes = await makeReport(patient)
    await send(ana, id, 'raport.pdf', bytes)
    await server.runJobs()
    const { files } = await readDraft(ana, id)
    const path = await ana.tus.begin(id, Buffer.from('altul'), 'altul.txt')
    const attempts = async (by: Sender) => {
      for (const answer of [
        await by.client.graphql(DRAFT, { id }),
        await by.client.graphql(EDIT, { id, version: 1, upload: DETAILS }),
        await by.client.graphql(SUBMIT, { id }),
        await by.client.graphql(WITHDRAW, { id }),
        await by.client.graphql(DISCARD, { uploadId: id, fileId: files[0].id }),
        await by.client.graphql('query ($id: ID!) { upload(id: $id) { id } }', { id }),
      ])
        expect(codesOf(answer)).toEqual(['NOT_FOUND'])
      expect((await by.tus.head(path)).status).toBe(404)
      expect((await by.tus.createWithBody(id, bytes)).status).toBe(404)
      expect(await find(by, id)).toBeUndefined()
      expect((await by.client.runQuery('{ sentDrafts { id } }')).sentDrafts).not.toContainEqual({ id })
    }
    for (const by of [ion, stranger]) await attempts(by)
    // Also with the condition of the scope removed: the rule of the upload says the same.
    const removed = vi.spyOn(uploadRules, 'sentScope').mockImplementation(() => ({ kind: 'all' }))
    const scope = vi.spyOn(uploadRules, 'scopeToChange').mockImplementation(() => ({ kind: 'all' }))
    try {
      expect(codesOf(await stranger.client.graphql(WITHDRAW, { id }))).toEqual(['FORBIDDEN'])
      expect(codesOf(await stranger.client.graphql(SUBMIT, { id }))).toEqual(['NOT_FOUND'])
      expect(codesOf(await ion.client.graphql(SUBMIT, { id }))).toEqual(['FORBIDDEN'])
      expect(codesOf(await stranger.client.graphql(DRAFT, { id }))).toEqual(['NOT_FOUND'])
      expect(scope).toHaveBeenCalled()
    } finally {
      removed.mockRestore()
      scope.mockRestore()
    }
    // No bytes of what was sent before the release, also to the sender.
    for (const by of [ana, ion, stranger])
      for (const address of [`/files/${files[0].id}`, `/files/${files[0].id}/preview`, `/files/zip/${id}`])
        expect((await by.client.get(address)).status).toBe(404)
  })
})

describe('the database shows a guest', () => {
  it('what its institutions have sent and ordered, without any condition', async () => {
    const [own, foreign] = [await makePerson(clinic.id), await makePerson(other.id)]
    const sent = await sendReport(ana, own)
    await begin(ana, { patientId: own.id })
    const moved = await sendReport(ana, own)
    // Staff have given it to a patient of others, with a title that names the patient.
    await server.db
      .updateTable('upload')
      .set({ patient_id: foreign.id, title: foreign.surname })
      .where('id', '=', moved)
      .execute()
    const guest = server.services.guests.forInstitutions([clinic.id])
    const stranger = server.services.guests.forInstitutions([other.id])
    const read = async (db: typeof guest) => db.selectFrom('sent_upload').selectAll().execute()
    const rows = await read(guest)
    expect(rows.find(({ id }) => id === sent)).toMatchObject({ patient_id: own.id, title: DETAILS.title })
    expect(rows.find(({ id }) => id === moved)).toMatchObject({ patient_id: null, title: null })
    expect(rows.every(({ state }) => state !== 'receiving' && state !== 'withdrawn')).toBe(true)
    expect((await read(stranger)).filter(({ id }) => id === sent || id === moved)).toEqual([])
    expect(await read(server.services.guests.forInstitutions([]))).toEqual([])
    expect(await find(ana, moved)).toMatchObject({ patient: null, title: null })
    for (const change of [
      sql`insert into upload (id, title, source, state) values (gen_random_uuid(), 'x', 'institution', 'receiving')`,
      sql`update upload set state = 'released'`,
      sql`update sent_upload set state = 'released'`,
      sql`insert into transfer (id, upload_id, user_id, name, size, sha256, state) select '0', id, created_by, 'x', 1, '', 'receiving' from upload`,
      sql`select from transfer`,
      sql`select from file_reading`,
      sql`select from file_fact`,
      sql`select from review`,
    ])
      await expect(change.execute(guest)).rejects.toMatchObject({
        code: expect.stringMatching(/^(42501|55000)$/),
      })
  })
})

describe('the examinations under way of a patient', () => {
  it('are those that the institution has ordered, with day and category, and nothing else', async () => {
    const patient = await makePerson(clinic.id, other.id)
    const { slug } = await makeCategory(server.db, { name: 'Tomografie' })
    const at = new Date('2026-03-04T22:30:00Z')
    const upload = (over: Parameters<typeof makeUpload>[2]) =>
      makeUpload(server.db, server.services.storage, {
        patient_id: patient.id,
        institution_id: clinic.id,
        created_at: at,
        ...over,
      })
    await upload({ state: 'in_review', category_slug: slug })
    await upload({ state: 'checking', created_at: new Date('2026-03-06T10:00:00Z') })
    const accepted = await upload({ state: 'accepted', created_at: new Date('2026-03-07T10:00:00Z') })
    for (const state of [
      'rejected',
      'quarantined',
      'withdrawn',
      'receiving',
      'released',
      'replaced',
    ] as const)
      await upload({ state, category_slug: slug })
    await upload({ state: 'in_review', institution_id: other.id, category_slug: slug })
    await upload({ state: 'in_review', institution_id: null })
    await upload({ state: 'in_review', deleted_at: new Date() })
    await upload({ state: 'in_review', replaces_id: accepted.id })
    await upload({ state: 'in_review', released_at: new Date() })
    await upload({
      state: 'in_review',
      source: 'institution',
      sender_institution_id: clinic.id,
      created_by: ana.id,
    })
    const read = async (by: TestClient) => (await by.runQuery(UNDER_WAY, { id: patient.id })).patient.underWay
    expect(await read(ana.client)).toEqual([
      // In Romania it was already the next day.
      { filedOn: '2026-03-05', categoryName: 'Tomografie' },
      { filedOn: '2026-03-06', categoryName: null },
      { filedOn: '2026-03-07', categoryName: null },
    ])
    expect(await read(stranger.client)).toEqual([{ filedOn: '2026-03-05', categoryName: 'Tomografie' }])
    expect(await read(reviewer)).toEqual([])
    const guest = server.services.guests.forInstitutions([other.id])
    const { rows } =
      await sql`select * from examination_under_way where patient_id = ${patient.id}::uuid`.execute(guest)
    expect(rows).toHaveLength(1)
    // A referral that has ended shows nothing that is released later.
    await server.db
      .updateTable('referral')
      .set({ ended_at: new Date() })
      .where('patient_id', '=', patient.id)
      .where('institution_id', '=', clinic.id)
      .execute()
    expect(await read(ana.client)).toEqual([])
  })

  it('of a patient of others do not exist', async () => {
    const patient = await makePerson(other.id)
    expect(codesOf(await ana.client.graphql(UNDER_WAY, { id: patient.id }))).toEqual(['NOT_FOUND'])
  })
})
