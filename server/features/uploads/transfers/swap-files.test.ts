import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../../db/factories.ts'
import { sha256 } from '../../../../test/sha256.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { tusRequests } from '../../../../test/tus.ts'
import { upsertSettings } from '../../site/site.db.ts'

const REMOVE = `mutation ($id: ID!, $reason: String!) { removeFile(id: $id, reason: $reason) {
  version files { id name } removedFiles { id name reason } } }`
const RESTORE = 'mutation ($id: ID!) { restoreFile(id: $id) { files { id } } }'
const SUBMIT = 'mutation ($id: ID!, $files: [String!]) { submitUpload(id: $id, files: $files) { state } }'
const READ = `query ($id: ID!) { upload(id: $id) { state version files { id name scanResult } removedFiles { name }
  reviews { verdict reasonCode } can { addFiles removeFiles submit } } }`
const REJECT = `mutation ($id: ID!, $version: Int!) {
  rejectUpload(id: $id, version: $version, reason: "incomplete") { version } }`
const UNDO = 'mutation ($id: ID!, $version: Int!) { undoVerdict(id: $id, version: $version) { state } }'

let server: TestServer
let author: TestClient
let colleague: TestClient
let reviewer: TestClient
let guest: TestClient
let authorId: string
let institution: { id: string }

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  const { id, email } = await makeUser(db, { features: ['patient::files'] })
  authorId = id
  author = await server.signIn(email)
  const signIn = async (over: Parameters<typeof makeUser>[1]) =>
    server.signIn((await makeUser(db, over)).email)
  colleague = await signIn({ features: ['patient::files'] })
  reviewer = await signIn({ features: ['admin::review-files', 'patient::files'] })
  institution = await makeInstitution(db)
  guest = await signIn({ role: 'institution', institutionIds: [institution.id] })
})

let upload: { id: string; files: { id: string }[] }

beforeEach(async () => {
  const patient = await makePatient(server.db)
  await makeReferral(server.db, { patient_id: patient.id, institution_id: institution.id })
  const text = (name: string) =>
    ({ name, bytes: Buffer.from(name), kind: 'other', type: 'text/plain' }) as const
  upload = await makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: institution.id,
    created_by: authorId,
    files: [text('bun.txt'), text('greșit.txt')],
  })
  await reviewer.runQuery(REJECT, { id: upload.id, version: 1 })
})

const hash = (name: string) => sha256(Buffer.from(name)).toString('hex')
const read = async (client: TestClient = reviewer) => (await client.runQuery(READ, { id: upload.id })).upload
const codeOf = async (client: TestClient, query: string, variables: Record<string, unknown>) =>
  (await client.graphql(query, variables)).errors[0]?.extensions.code
async function send(name: string, client = author) {
  const tus = tusRequests(client.fetch)
  return tus.patch(await tus.begin(upload.id, Buffer.from(name), name), 0, Buffer.from(name))
}

it('the author swaps a file of a rejected upload: it is checked and reviewed again, the former file is kept', async () => {
  expect((await read(author)).can).toEqual({ addFiles: true, removeFiles: true, submit: true })
  const wrong = upload.files[1]!
  const { removeFile } = await author.runQuery(REMOVE, { id: wrong.id, reason: 'Era al altei examinări' })
  expect(removeFile).toMatchObject({
    files: [{ name: 'bun.txt' }],
    removedFiles: [{ id: wrong.id, reason: 'Era al altei examinări' }],
  })
  expect((await send('corect.txt')).status).toBe(204)
  // Nothing has checked the new file, so that no route serves it.
  const [, added] = (await read()).files
  expect(added).toMatchObject({ name: 'corect.txt', scanResult: 'pending' })
  expect((await reviewer.fetch(`/files/${added.id}`)).status).toBe(409)
  expect(
    await author.runQuery(SUBMIT, { id: upload.id, files: [hash('bun.txt'), hash('corect.txt')] }),
  ).toEqual({
    submitUpload: { state: 'checking' },
  })
  await server.runJobs()
  expect(await read()).toMatchObject({
    state: 'in_review',
    files: [{ name: 'bun.txt' }, { name: 'corect.txt', scanResult: 'unscanned' }],
    removedFiles: [{ name: 'greșit.txt' }],
    reviews: [{ verdict: 'rejected', reasonCode: 'incomplete' }],
    can: { addFiles: false },
  })
  expect((await reviewer.fetch(`/files/${wrong.id}`)).status).toBe(404)
  // Only until it is sent again.
  expect(await codeOf(author, REMOVE, { id: added.id, reason: 'încă una' })).toBe('FORBIDDEN')
  expect(await codeOf(author, RESTORE, { id: wrong.id })).toBe('FORBIDDEN')
})

it('a file can be left out or restored, and a file that the check refuses is quarantined', async () => {
  const wrong = upload.files[1]!
  await author.runQuery(REMOVE, { id: wrong.id, reason: 'greșit' })
  expect((await author.runQuery(RESTORE, { id: wrong.id })).restoreFile.files).toHaveLength(2)
  await author.runQuery(REMOVE, { id: wrong.id, reason: 'greșit' })
  expect(await author.runQuery(SUBMIT, { id: upload.id })).toEqual({ submitUpload: { state: 'in_review' } })
  await reviewer.runQuery(REJECT, { id: upload.id, version: (await read()).version })
  const tus = tusRequests(author.fetch)
  const bytes = Buffer.from('MZ\u0090\u0000 un program')
  await tus.patch(await tus.begin(upload.id, bytes, 'raport.pdf'), 0, bytes)
  await author.runQuery(SUBMIT, { id: upload.id })
  await server.runJobs()
  expect((await read()).state).toBe('quarantined')
})

it('nothing is sent again without files, with unfinished ones, or with others than the author sees', async () => {
  for (const { id } of upload.files) await author.runQuery(REMOVE, { id, reason: 'greșit' })
  expect(await codeOf(author, SUBMIT, { id: upload.id })).toBe('CONFLICT')
  const tus = tusRequests(author.fetch)
  const bytes = Buffer.from('corect.txt')
  const path = await tus.begin(upload.id, bytes, 'corect.txt')
  await tus.patch(path, 0, bytes.subarray(0, 3))
  expect(await codeOf(author, SUBMIT, { id: upload.id })).toBe('CONFLICT')
  await tus.patch(path, 3, bytes.subarray(3))
  expect(await codeOf(author, SUBMIT, { id: upload.id, files: [hash('altul.txt')] })).toBe('CONFLICT')
  expect((await read()).state).toBe('rejected')
  // The files that were removed do not count against the limit of an upload.
  await upsertSettings(server.db, { upload_files: 2 })
  expect((await send('încă unul.txt')).status).toBe(204)
  await expect(send('prea mult.txt')).rejects.toThrow('POST responded 409')
  await upsertSettings(server.db, { upload_files: 20 })
  expect(await author.runQuery(SUBMIT, { id: upload.id })).toEqual({ submitUpload: { state: 'checking' } })
})

it('the files of a rejected upload are changed by its author only', async () => {
  const { id } = upload.files[0]!
  for (const client of [colleague, reviewer]) {
    await expect(send('corect.txt', client)).rejects.toThrow('POST responded 404')
    expect(await codeOf(client, REMOVE, { id, reason: 'greșit' })).toBe('FORBIDDEN')
    expect(await codeOf(client, SUBMIT, { id: upload.id })).toBe('FORBIDDEN')
  }
  await expect(send('corect.txt', guest)).rejects.toThrow('POST responded 404')
  expect(await codeOf(guest, REMOVE, { id, reason: 'greșit' })).toBe('FORBIDDEN')
  // An unknown file is answered in the same way.
  expect(await codeOf(colleague, REMOVE, { id: upload.id, reason: 'greșit' })).toBe('FORBIDDEN')
})

it('a rejection is not undone over a file that was added since and that nothing has checked', async () => {
  await upsertSettings(server.db, { undo_seconds: 10 })
  await author.runQuery(SUBMIT, { id: upload.id })
  const { rejectUpload } = await reviewer.runQuery(REJECT, { id: upload.id, version: (await read()).version })
  await send('corect.txt')
  const { errors } = await reviewer.graphql(UNDO, { id: upload.id, version: rejectUpload.version })
  expect(errors[0]).toMatchObject({
    message: 'Autorul a adăugat deja alte fișiere: respingerea nu mai poate fi anulată.',
    extensions: { code: 'CONFLICT' },
  })
  expect((await read()).state).toBe('rejected')
})
