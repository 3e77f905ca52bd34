import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import {
  makeEmptyUpload,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
} from '../../../db/factories.ts'
import { FEATURES } from '../../../shared/access/features.ts'
import { UPLOAD_STATES } from '../../../shared/uploads/upload-state-list.ts'
import {
  ACCEPT_UPLOAD,
  CREATE_UPLOAD,
  READ_UPLOAD_STATE,
  SUBMIT_UPLOAD,
  WITHDRAW_UPLOAD,
} from '../../../test/documents.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { describe as describeFile, tusRequests } from '../../../test/tus.ts'
import { newId } from '../../platform/ids.ts'

const PDF = Buffer.from('%PDF-1.7 raport')

let server: TestServer
let institutionId: string
let patientId: string
beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  institutionId = (await makeInstitution(server.db)).id
  patientId = (await makePatient(server.db, { surname: 'Căldăraru' })).id
  await makeReferral(server.db, { patient_id: patientId, institution_id: institutionId })
})

/** Switches the feature off for the site until the test ends. */
async function switchOff(): Promise<void> {
  const value = JSON.stringify(FEATURES.filter((feature) => feature !== 'patient::files'))
  await server.db.insertInto('site_setting').values({ key: 'features', value }).execute()
  onTestFinished(async () => {
    await server.db.deleteFrom('site_setting').where('key', '=', 'features').execute()
  })
}

async function makeResult(state: 'released' | 'in_review' | 'accepted' | 'unassigned', createdBy?: string) {
  const { id, version, files } = await makeUpload(server.db, server.services.storage, {
    state,
    patient_id: patientId,
    institution_id: institutionId,
    ...(createdBy ? { created_by: createdBy } : {}),
  })
  return { id, version, fileId: files[0]!.id }
}

/** The status of each path that returns a file's bytes. */
const statusesOf = (person: TestClient, { id, fileId }: { id: string; fileId: string }) =>
  Promise.all(
    ['', '/check', '/preview']
      .map((end) => `/files/${fileId}${end}`)
      .concat([`/files/zip/${id}`, `/files/zip/${id}/check`])
      .map(async (path) => {
        const response = await person.fetch(path)
        await response.body?.cancel()
        return response.status
      }),
  )
const OPEN = [200, 204, 200, 200, 204]
const CLOSED = [404, 404, 404, 404, 404]

const codesOf = async (person: TestClient, query: string, variables = {}) =>
  (await person.graphql(query, variables)).errors.map(({ extensions }) => extensions.code)
const findUploads = async (person: TestClient) => {
  const { data } = await person.graphql('{ search(query: "Căldăraru") { uploads { id } } }')
  return data.search.uploads.map(({ id }: { id: string }) => id)
}

it.each([
  ['an institution', () => server.signInAs({ role: 'institution', institutionIds: [institutionId] })],
  ['a registrar', () => server.signInAs({})],
])('while the site has it off, %s reads an upload on no path [3.2] [6.4]', async (_who, enter) => {
  const person = await enter()
  const result = await makeResult('released', person.id)
  expect(await statusesOf(person, result)).toEqual(OPEN)
  expect(await codesOf(person, READ_UPLOAD_STATE, { id: result.id })).toEqual([])
  expect(await findUploads(person)).toContain(result.id)

  await switchOff()
  expect(await statusesOf(person, result)).toEqual(CLOSED)
  expect(await codesOf(person, READ_UPLOAD_STATE, { id: result.id })).toEqual(['NOT_FOUND'])
  expect(await findUploads(person)).toEqual([])
})

it('a registrar without it continues no transfer and files nothing [3.2] [6.4]', async () => {
  const registrar = await server.signInAs({})
  const tus = tusRequests(registrar.fetch)
  const upload = { title: 'Raport', patientId, institutionId }
  const { id } = (await registrar.runQuery(CREATE_UPLOAD, { upload })).createUpload
  const transfer = await tus.begin(id, PDF)
  expect((await tus.patch(transfer, 0, PDF.subarray(0, 5))).status).toBe(204)

  await switchOff()
  expect((await tus.head(transfer)).status).toBe(404)
  expect((await tus.patch(transfer, 5, PDF.subarray(5))).status).toBe(404)
  expect((await tus.terminate(transfer)).status).toBe(404)
  const creation = { 'upload-length': String(PDF.length), 'upload-metadata': describeFile(id, PDF) }
  expect((await tus.create(creation)).status).toBe(404)
  expect(await codesOf(registrar, SUBMIT_UPLOAD, { id })).toEqual(['NOT_FOUND'])
  expect(await codesOf(registrar, CREATE_UPLOAD, { upload })).toEqual(['FORBIDDEN'])
})

it('a reviewer without it keeps the queue and what a review needs, and neither searches nor files [3.2] [6.4]', async () => {
  const reviewer = await server.signInAs({ role: 'admin' })
  const waiting = await makeResult('in_review')
  const own = await makeResult('in_review', reviewer.id)
  await switchOff()
  const { data } = await reviewer.graphql('{ uploads { nodes { id } } }')
  expect(data.uploads.nodes).toEqual(expect.arrayContaining([{ id: waiting.id }, { id: own.id }]))
  expect(await statusesOf(reviewer, waiting)).toEqual(OPEN)
  const { id, version } = waiting
  expect(await codesOf(reviewer, ACCEPT_UPLOAD, { id, version })).toEqual([])
  expect(await findUploads(reviewer)).toEqual([])
  expect(await codesOf(reviewer, CREATE_UPLOAD, { upload: { title: 'Raport', patientId } })).toEqual([
    'FORBIDDEN',
  ])
})

it('a reviewer without it reads what is in review, what has a verdict of theirs and what they filed [3.2] [6.4]', async () => {
  const reviewer = await server.signInAs({ role: 'admin' })
  const made = {
    waiting: await makeResult('in_review'),
    decided: await makeResult('in_review'),
    decidedByAnother: await makeResult('in_review'),
    own: await makeResult('released', reviewer.id),
    released: await makeResult('released'),
    accepted: await makeResult('accepted'),
    draft: { ...(await makeEmptyUpload(server.db, { patient_id: patientId })), fileId: newId() },
  }
  const colleague = await server.signInAs({ role: 'admin' })
  await colleague.runQuery(ACCEPT_UPLOAD, { ...made.decidedByAnother })
  await reviewer.runQuery(ACCEPT_UPLOAD, { ...made.decided })

  const readable = async () => {
    const states = [...UPLOAD_STATES]
    const query = 'query ($states: [UploadState!]) { uploads(states: $states, first: 100) { nodes { id } } }'
    const { nodes } = (await reviewer.runQuery(query, { states })).uploads
    const listed = new Set(nodes.map(({ id }: { id: string }) => id))
    const names: string[] = []
    for (const [name, upload] of Object.entries(made)) {
      const isRead = (await codesOf(reviewer, READ_UPLOAD_STATE, { id: upload.id })).length === 0
      expect(listed.has(upload.id), name).toBe(isRead)
      if (name !== 'draft') expect(await statusesOf(reviewer, upload), name).toEqual(isRead ? OPEN : CLOSED)
      if (isRead) names.push(name)
    }
    return names
  }
  expect(await readable()).toEqual(Object.keys(made))
  await switchOff()
  expect(await readable()).toEqual(['waiting', 'decided', 'own'])
})

it('a reviewer without it still withdraws and edits what is in review, and then no longer reads it [3.2]', async () => {
  const reviewer = await server.signInAs({ role: 'admin' })
  const [withdrawn, edited] = [await makeResult('in_review'), await makeResult('in_review')]
  await switchOff()
  expect(await codesOf(reviewer, WITHDRAW_UPLOAD, { id: withdrawn.id })).toEqual([])
  const edit = `mutation ($id: ID!) { editUpload(id: $id, version: 1, upload: { title: "Fără pacient" }) { state } }`
  expect((await reviewer.runQuery(edit, { id: edited.id })).editUpload.state).toBe('unassigned')
  for (const { id } of [withdrawn, edited])
    expect(await codesOf(reviewer, READ_UPLOAD_STATE, { id })).toEqual(['NOT_FOUND'])
})

it('without it no administrator removes or restores a file [3.2] [6.4]', async () => {
  const admin = await server.signInAs({ role: 'admin' })
  const { id, fileId } = await makeResult('in_review')
  const remove = 'mutation ($id: ID!) { removeFile(id: $id, reason: "Greșit") { id } }'
  const restore = 'mutation ($id: ID!) { restoreFile(id: $id) { id } }'
  const read = 'query ($id: ID!) { upload(id: $id) { can { removeFiles } removedFiles { id } } }'
  await admin.runQuery(remove, { id: fileId })
  expect((await admin.runQuery(read, { id })).upload).toMatchObject({ removedFiles: [{ id: fileId }] })

  await switchOff()
  expect(await codesOf(admin, restore, { id: fileId })).toEqual(['FORBIDDEN'])
  expect(await codesOf(admin, remove, { id: (await makeResult('in_review')).fileId })).toEqual(['FORBIDDEN'])
  expect((await admin.runQuery(read, { id })).upload).toEqual({
    can: { removeFiles: false },
    removedFiles: [],
  })
})

it('a reviewer without it can still end an own upload that waits for its files [3.2]', async () => {
  const reviewer = await server.signInAs({ role: 'admin' })
  const upload = { title: 'Raport', patientId, institutionId }
  const { id } = (await reviewer.runQuery(CREATE_UPLOAD, { upload })).createUpload
  await switchOff()
  expect(await codesOf(reviewer, WITHDRAW_UPLOAD, { id })).toEqual([])
  expect((await reviewer.runQuery(READ_UPLOAD_STATE, { id })).upload.state).toBe('withdrawn')
})
