import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
} from '../../../db/factories.ts'
import { ACCEPT_UPLOAD, WITHDRAW_UPLOAD } from '../../../test/documents.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { newId } from '../../platform/ids.ts'

const READ = 'query ($id: ID!) { upload(id: $id) { version state institution { id } can { correct } } }'
const CORRECT = `mutation ($id: ID!, $version: Int!, $institutionId: ID) {
  correctUpload(id: $id, version: $version, upload: { title: "Ecografie", institutionId: $institutionId }, reason: "Alt spital") { state } }`
const EDIT = `mutation ($id: ID!, $version: Int!, $upload: UploadInput!) {
  editUpload(id: $id, version: $version, upload: $upload) { institution { id } } }`
const RELEASE = 'mutation ($id: ID!, $version: Int!) { releaseUpload(id: $id, version: $version) { state } }'
const REQUESTS = '{ deletionRequests { uploadNumber } }'
const INCIDENTS = `query ($id: ID!) { upload(id: $id) { incidents {
  isWrongInstitution formerInstitutionName movedByName reason openings { name institutionName } } } }`

let server: TestServer
let reviewer: TestClient & { id: string }
let clinic: { id: string }
let hospital: { id: string }
let ana: TestClient
let zoe: TestClient
let patient: { id: string }

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  reviewer = await server.signInAs({
    name: 'Radu Matei',
    features: ['admin::review-files', 'patient::files'],
  })
  clinic = await makeInstitution(db, { name: 'Clinica Țară' })
  hospital = await makeInstitution(db, { name: 'Spitalul Mare' })
  ana = await server.signInAs({ role: 'institution', name: 'Ana Pop', institutionIds: [clinic.id] })
  zoe = await server.signInAs({ role: 'institution', name: 'Zoe Țuțea', institutionIds: [hospital.id] })
})
beforeEach(async () => {
  await server.db.deleteFrom('deletion_request').execute()
  patient = await makePatient(server.db)
  for (const { id } of [clinic, hospital])
    await makeReferral(server.db, { patient_id: patient.id, institution_id: id })
})

type Over = Parameters<typeof makeUpload>[2]
const make = (over: Over = {}) =>
  makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: clinic.id,
    state: 'released',
    released_at: new Date(Date.now() - 3_600_000),
    ...over,
  })
const makeNew = (replaces_id: string, over: Over = {}) =>
  make({ replaces_id, state: 'in_review', released_at: null, ...over })
const setState = (id: string, state: 'replaced' | 'withdrawn' | 'in_review' | 'accepted' | 'rejected') =>
  server.db.updateTable('upload').set({ state }).where('id', '=', id).execute()
const versionOf = async (id: string) => (await reviewer.runQuery(READ, { id })).upload.version as number
const open = (client: TestClient, id: string) => client.runQuery(READ, { id })
const correct = async (id: string, institutionId: string | null) =>
  (await reviewer.runQuery(CORRECT, { id, version: await versionOf(id), institutionId })).correctUpload.state
const accept = async (id: string) => {
  await reviewer.runQuery(ACCEPT_UPLOAD, { id, version: await versionOf(id) })
  expect((await reviewer.runQuery(READ, { id })).upload.state).toBe('released')
}

/** The numbers of the results that each institution was asked to delete, once for each request. */
const asked = async () => {
  const numbersOf = async (client: TestClient) =>
    (await client.runQuery(REQUESTS)).deletionRequests
      .map(({ uploadNumber }: { uploadNumber: number }) => uploadNumber)
      .sort()
  return { clinic: await numbersOf(ana), hospital: await numbersOf(zoe) }
}

/** Makes a result that the clinic has opened, and takes it away; returns the number that the clinic knows. */
type Path = () => Promise<number>

async function makeOpened(over: Over = {}) {
  const upload = await make(over)
  await open(ana, upload.id)
  return upload
}

/** Every way in which a result gets another institution, by the file that changes it. */
const PATHS: Record<string, Record<string, Path>> = {
  'correct-upload.ts': {
    'a correction of a released result': async () => {
      const { id, number } = await makeOpened()
      expect(await correct(id, hospital.id)).toBe('in_review')
      return number
    },
    'a correction to no institution': async () => {
      const { id, number } = await makeOpened()
      await correct(id, null)
      return number
    },
    ...Object.fromEntries(
      (['in_review', 'accepted', 'rejected'] as const).map((state) => [
        `a correction of a result that was released, and is ${state}`,
        async () => {
          const { id, number } = await makeOpened()
          await setState(id, state)
          expect(await correct(id, hospital.id)).toBe(state === 'accepted' ? 'in_review' : state)
          return number
        },
      ]),
    ),
    'a correction of a new version that nobody has opened': async () => {
      const { id, number } = await makeOpened()
      await setState(id, 'replaced')
      const next = await makeNew(id, { state: 'released', released_at: new Date() })
      await correct(next.id, hospital.id)
      return number
    },
  },
  'release-cleared.ts': {
    'the release of a new version for another institution': async () => {
      const { id, number } = await makeOpened()
      const next = await makeNew(id, { institution_id: hospital.id })
      await accept(next.id)
      return number
    },
    'the release of a new version for no institution': async () => {
      const { id, number } = await makeOpened()
      await accept((await makeNew(id, { institution_id: null })).id)
      return number
    },
    'the release by a job': async () => {
      const { id, number } = await makeOpened()
      const next = await makeAccepted(id, { release_at: new Date(0) })
      await server.services.jobs.enqueue(server.db, 'release-due-uploads', {})
      await server.runJobs()
      expect((await reviewer.runQuery(READ, next)).upload.state).toBe('released')
      return number
    },
    'the release by hand': async () => {
      const { id, number } = await makeOpened()
      const { slug } = await makeCategory(server.db, { release: 'by_hand' })
      const next = await makeAccepted(id, { category_slug: slug })
      await reviewer.runQuery(RELEASE, { ...next, version: 1 })
      return number
    },
    'the release after a former version that was withdrawn': async () => {
      const { id, number } = await makeOpened()
      const next = await makeNew(id, { institution_id: hospital.id })
      await reviewer.runQuery(WITHDRAW_UPLOAD, { id })
      await accept(next.id)
      return number
    },
    'the release after a former version that was returned to review': async () => {
      const { id, number } = await makeOpened()
      const next = await makeNew(id, { institution_id: hospital.id })
      await setState(id, 'in_review')
      await accept(next.id)
      return number
    },
    'the release after two former versions, of which only the first was opened': async () => {
      const { id, number } = await makeOpened({ state: 'released' })
      await setState(id, 'replaced')
      const second = await makeNew(id, { state: 'released', released_at: new Date() })
      await accept((await makeNew(second.id, { institution_id: hospital.id })).id)
      return number
    },
  },
}

/** A new version for the hospital that the reviewer has accepted. */
async function makeAccepted(replaces: string, over: Over) {
  const upload = await makeNew(replaces, { institution_id: hospital.id, state: 'accepted', ...over })
  await server.db
    .insertInto('review')
    .values({
      id: newId(),
      upload_id: upload.id,
      round: 1,
      reviewer_id: reviewer.id,
      verdict: 'accepted',
      opened_file_ids: upload.files.map((file) => file.id),
    })
    .execute()
  return { id: upload.id }
}

const paths = Object.values(PATHS).flatMap((each) => Object.entries(each))

it.each(paths)('%s asks the institution that had opened it', async (_what, take) => {
  const number = await take()
  expect(await asked()).toEqual({ clinic: [number], hospital: [] })
  const { id } = await server.db
    .selectFrom('upload')
    .select('id')
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  expect((await reviewer.runQuery(INCIDENTS, { id })).upload.incidents).toEqual([
    {
      isWrongInstitution: true,
      formerInstitutionName: 'Clinica Țară',
      movedByName: 'Radu Matei',
      reason: expect.any(String),
      openings: [{ name: 'Ana Pop', institutionName: 'Clinica Țară' }],
    },
  ])
})

it('every path by which a result gets another institution is in the table above, or refuses it', () => {
  const sources = globSync('server/**/*.ts')
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => ({ name: basename(path), text: readFileSync(path, 'utf8') }))
  const namesWith = (pattern: RegExp) =>
    sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name)
  expect(namesWith(/await askFormerInstitutions\(/).sort()).toEqual(Object.keys(PATHS).sort())
  // Only these functions write an upload's institution, or release an upload in the place of another.
  expect(namesWith(/await updateUploadDetails\(/)).toEqual(['change-locked-upload.ts'])
  expect(namesWith(/\.updateTable\('upload'\)[^;]{0,80}institution_id/)).toEqual([])
  const changing = namesWith(/await changeDetails\(/).filter((name) => !(name in PATHS))
  // Changes drafts of institutions, refuses it after a release (below), moves drafts that were never released, asks everybody (`incidents.test.ts`), refuses
  // it after a release, submits drafts that were never released.
  expect(changing.sort()).toEqual([
    'edit-sent-upload.ts',
    'edit-upload.ts',
    'move-files.ts',
    'move-to-patient.ts',
    'return-to-draft.ts',
    'submit-for-integration.ts',
  ])
  expect(namesWith(/to: 'released', clearance/)).toEqual(['release-cleared.ts'])
})

describe('before the verdict', () => {
  it('an upload that was released keeps its institution, and is corrected instead', async () => {
    const { id } = await makeOpened()
    for (const state of ['in_review', 'rejected'] as const) {
      await setState(id, state)
      for (const institutionId of [hospital.id, null]) {
        const upload = { title: 'Ecografie', patientId: patient.id, institutionId }
        const { errors } = await reviewer.graphql(EDIT, { id, version: await versionOf(id), upload })
        expect(errors[0]).toMatchObject({
          extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'institutionId' }] },
          message: expect.stringContaining('„Corectează”'),
        })
      }
      expect((await reviewer.runQuery(READ, { id })).upload).toMatchObject({
        institution: { id: clinic.id },
        can: { correct: true },
      })
    }
    expect(await asked()).toEqual({ clinic: [], hospital: [] })
  })

  it('an upload that was never released gets another one, and nobody is asked', async () => {
    const { id } = await make({ state: 'in_review', released_at: null })
    const upload = { title: 'Ecografie', patientId: patient.id, institutionId: hospital.id }
    await reviewer.runQuery(EDIT, { id, version: 1, upload })
    expect((await reviewer.runQuery(READ, { id })).upload).toMatchObject({
      institution: { id: hospital.id },
      can: { correct: false },
    })
    expect(await asked()).toEqual({ clinic: [], hospital: [] })
  })
})

it.each(['in_review', 'accepted', 'rejected'] as const)(
  'a correction takes along the new version that is %s, and that would go to the wrong institution again',
  async (state) => {
    const { id } = await makeOpened()
    const next = await makeNew(id, { state, ...(state === 'accepted' && { release_at: new Date() }) })
    await correct(id, hospital.id)
    expect((await reviewer.runQuery(READ, { id: next.id })).upload).toMatchObject({
      state: state === 'accepted' ? 'in_review' : state,
      institution: { id: hospital.id },
    })
    const elsewhere = await makeOpened()
    const other = await makeNew(elsewhere.id, { institution_id: hospital.id })
    await correct(elsewhere.id, null)
    expect((await reviewer.runQuery(READ, { id: other.id })).upload.institution.id).toBe(hospital.id)
  },
)

describe('nobody is asked', () => {
  it('for a new version that goes to the same institution', async () => {
    const { id } = await makeOpened()
    await accept((await makeNew(id)).id)
    expect(await asked()).toEqual({ clinic: [], hospital: [] })
  })

  it('who has opened nothing', async () => {
    const { id } = await make()
    await accept((await makeNew(id, { institution_id: hospital.id })).id)
    expect(await asked()).toEqual({ clinic: [], hospital: [] })
  })

  it('twice for the same opening, also where the result comes back', async () => {
    const { id, number } = await makeOpened()
    await correct(id, hospital.id)
    await accept(id)
    await open(zoe, id)
    await correct(id, clinic.id)
    await accept(id)
    expect(await asked()).toEqual({ clinic: [number], hospital: [number] })
    await correct(id, hospital.id)
    expect(await asked()).toEqual({ clinic: [number], hospital: [number] })
    await accept(id)
    await correct(id, clinic.id)
    await accept(id)
    await open(ana, id)
    await correct(id, null)
    expect(await asked()).toEqual({ clinic: [number, number], hospital: [number] })
  })

  it('for a former version that belongs to another patient', async () => {
    const { id } = await makeOpened()
    const next = await makeNew(id, { institution_id: hospital.id })
    await reviewer.runQuery(WITHDRAW_UPLOAD, { id })
    const other = await makePatient(server.db)
    await makeReferral(server.db, { patient_id: other.id, institution_id: hospital.id })
    await server.db.updateTable('upload').set({ patient_id: other.id }).where('id', '=', next.id).execute()
    await accept(next.id)
    expect(await asked()).toEqual({ clinic: [], hospital: [] })
  })
})
