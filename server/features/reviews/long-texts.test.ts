import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../db/factories.ts'
import { maskCnp } from '../../../shared/romania/cnp.ts'
import { MAX_FACTS } from '../../../shared/uploads/file-facts.ts'
import { countCalls } from '../../../test/count-calls.ts'
import { CNPS, cnpAt, LONG_TEXTS, repeat } from '../../../test/hostile-files.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

const READ =
  'query ($id: ID!) { upload(id: $id) { state version comparison { holds { kind what value fileId } lines { disagreeing { value } } } } }'
const ACCEPT = `mutation ($id: ID!, $version: Int!, $shownHolds: [ShownHoldInput!]) {
  acceptUpload(id: $id, version: $version, shownHolds: $shownHolds, reason: "other", comment: "listă de control") { state } }`
let server: TestServer
let reviewer: TestClient
let slug: string
let institutionId: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  reviewer = await server.signIn(
    (await makeUser(server.db, { features: ['admin::review-files', 'patient::files'] })).email,
  )
  institutionId = (await makeInstitution(server.db)).id
  slug = (await makeCategory(server.db, { review_required: false })).slug
})

/** Submits an upload with two files of this text and runs the jobs; returns its id. */
async function submit(patientId: string, text: string): Promise<string> {
  const file = {
    bytes: Buffer.from(text),
    name: 'buletin.txt',
    kind: 'other' as const,
    scan_result: 'pending' as const,
  }
  const { id } = await makeUpload(server.db, server.services.storage, {
    state: 'checking',
    patient_id: patientId,
    institution_id: institutionId,
    category_slug: slug,
    files: [file, file],
  })
  await server.services.jobs.enqueue(server.db, 'check-upload', { uploadId: id })
  await server.runJobs()
  return id
}

async function referPatient() {
  const patient = await makePatient(server.db)
  await makeReferral(server.db, { patient_id: patient.id, institution_id: institutionId })
  return patient
}

it.each(LONG_TEXTS)(
  'the server process parses only the saved CNPs while a text is checked, opened and released: %s',
  async (_what, write) => {
    const patient = await referPatient()
    let state = ''
    const parsedCount = await countCalls('/shared/romania/cnp.ts', 'parseCnp', async () => {
      const id = await submit(patient.id, write(patient.cnp!))
      const { data } = await reviewer.graphql(READ, { id })
      state = data.upload.state
      // A text that confirms the patient is already released.
      if (state === 'released') return
      const { version, comparison } = data.upload
      const accepted = await reviewer.graphql(ACCEPT, { id, version, shownHolds: comparison.holds })
      state = accepted.data.acceptUpload.state
    })
    expect(state).toBe('released')
    // Those of two files, at the check, the opening and the acceptance.
    expect(parsedCount).toBeLessThanOrEqual(3 * 2 * MAX_FACTS)
  },
)

it('a file with more CNPs than are kept lists the first ones and reports that there are more', async () => {
  const { id: patientId } = await referPatient()
  const id = await submit(patientId, CNPS.join('\n'))
  const { data } = await reviewer.graphql(
    'query ($id: ID!) { upload(id: $id) { comparison { isCut lines { disagreeing { value fileIds } } } } }',
    { id },
  )
  const { isCut, lines } = data.upload.comparison
  expect(isCut).toBe(true)
  expect(lines[0].disagreeing).toHaveLength(MAX_FACTS)
  expect(lines[0].disagreeing[MAX_FACTS - 1]).toMatchObject({ value: maskCnp(CNPS[MAX_FACTS - 1]!) })
  expect(lines[0].disagreeing[MAX_FACTS - 1].fileIds).toHaveLength(2)
})

it('a file inspected before CNPs were saved is searched when it is opened, in the sandbox, and once', async () => {
  const patient = await referPatient()
  const text = `${cnpAt(7)} ${repeat('0')}`
  const { id } = await makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: institutionId,
    files: [{ bytes: Buffer.from(text), content_text: text, cnps: null }],
  })
  const open = async () => (await reviewer.graphql(READ, { id })).data.upload.comparison.lines[0].disagreeing
  const parsedCount = await countCalls('/shared/romania/cnp.ts', 'parseCnp', async () => {
    expect(await open()).toEqual([{ value: maskCnp(cnpAt(7)) }])
  })
  expect(parsedCount).toBe(1)
  const saved = await server.db
    .selectFrom('file')
    .select('cnps')
    .where('upload_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(saved.cnps).toMatchObject({ found: [cnpAt(7)], isCut: false })
})
