import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../../db/factories.ts'
import { makeCnp } from '../../../../shared/romania/cnp.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { tusRequests } from '../../../../test/tus.ts'

const REPLACE = `mutation ($id: ID!, $version: Int!, $reason: String!, $withdraw: Boolean) {
  replaceUpload(id: $id, version: $version, reason: $reason, withdraw: $withdraw) {
    id state title note version isUpdate replaces { id number } patient { id } institution { id } category { slug } } }`
const SUBMIT = 'mutation ($id: ID!) { submitUpload(id: $id) { state } }'
const ACCEPT = `mutation ($id: ID!, $version: Int!) {
  acceptUpload(id: $id, version: $version, reason: "compared-original", comment: "cu originalul") { state } }`
const WITHDRAW = 'mutation ($id: ID!) { withdrawUpload(id: $id) { state } }'
const EDIT = `mutation ($id: ID!, $version: Int!, $upload: UploadInput!) {
  editUpload(id: $id, version: $version, upload: $upload) { version } }`
const READ = `query ($id: ID!) { upload(id: $id) {
  state version openedAt isUpdate files { id } replaces { id state } replacedBy { id state stateSince } can { replace } } }`
const INBOX = '{ inbox { nodes { id isUpdate openedAt } } }'
const REASON = 'Pagina a doua lipsea'

let server: TestServer
let registrar: TestClient
let reviewer: TestClient
let ownUser: TestClient
let institution: { id: string }
let registrarId: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  const author = await makeUser(db, { features: ['patient::files'] })
  registrarId = author.id
  registrar = await server.signIn(author.email)
  const signIn = async (over: Parameters<typeof makeUser>[1]) =>
    server.signIn((await makeUser(db, over)).email)
  reviewer = await signIn({ features: ['admin::review-files', 'patient::files'] })
  institution = await makeInstitution(db)
  ownUser = await signIn({ role: 'institution', institutionIds: [institution.id] })
})

let patient: { id: string; surname: string }
let former: { id: string; number: number; version: number; files: { id: string }[] }

beforeEach(async () => {
  patient = await makePatient(server.db)
  await makeReferral(server.db, { patient_id: patient.id, institution_id: institution.id })
  former = await makeReleased()
})

const makeReleased = (over: Parameters<typeof makeUpload>[2] = {}) =>
  makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: institution.id,
    created_by: registrarId,
    state: 'released',
    ...over,
  })

const begin = async (client = registrar, more: Record<string, unknown> = {}) =>
  (await client.runQuery(REPLACE, { ...former, reason: REASON, ...more })).replaceUpload
const codeOf = async (client: TestClient, query: string, variables: Record<string, unknown>) => {
  const [error] = (await client.graphql(query, variables)).errors
  return error && { code: error.extensions.code, message: error.message }
}
const read = async (client: TestClient, id: string) => (await client.graphql(READ, { id })).data?.upload
const inbox = async () => (await ownUser.runQuery(INBOX)).inbox.nodes.map(({ id }: { id: string }) => id)

/** Sends a file to the new version, submits it and runs its check. */
async function fileVersion(id: string, text = 'Versiunea corectă', client = registrar) {
  const tus = tusRequests(client.fetch)
  const bytes = Buffer.from(text)
  await tus.patch(await tus.begin(id, bytes, 'corect.txt'), 0, bytes)
  await client.runQuery(SUBMIT, { id })
  await server.runJobs()
}
const accept = async (id: string) => {
  const { version } = await read(reviewer, id)
  return (await reviewer.runQuery(ACCEPT, { id, version })).acceptUpload.state
}

/** What every route answers to the institution about an upload and its file. */
async function askAll(id: string, fileId: string) {
  const paths = [
    `/files/${fileId}`,
    `/files/${fileId}/preview`,
    `/files/${fileId}/thumbnail`,
    `/files/zip/${id}`,
  ]
  const statuses = await Promise.all(paths.map(async (path) => (await ownUser.fetch(path)).status))
  const { data } = await ownUser.graphql(
    `query ($id: ID!, $search: String!) {
      patient(id: $id) { uploads { nodes { id } } } search(query: $search) { uploads { id } } }`,
    { id: patient.id, search: patient.surname },
  )
  return {
    statuses,
    upload: (await ownUser.graphql(READ, { id })).errors[0]?.extensions.code ?? 'ok',
    ofPatient: data?.patient?.uploads.nodes.map((node: { id: string }) => node.id),
    found: data?.search?.uploads.map((node: { id: string }) => node.id),
    inbox: (await inbox()).filter((each: string) => each === id).length,
  }
}

describe('a new version', () => {
  it('goes through the review, and the former one stays visible until its release', async () => {
    await ownUser.runQuery(READ, { id: former.id })
    const begun = await begin()
    expect(begun).toMatchObject({
      state: 'receiving',
      note: REASON,
      isUpdate: false,
      replaces: { id: former.id, number: former.number },
      patient: { id: patient.id },
      institution: { id: institution.id },
    })
    const { id } = begun
    const expectFormer = async () => {
      expect(await read(ownUser, former.id)).toMatchObject({ state: 'released', isUpdate: false })
      expect(await read(ownUser, id)).toBeUndefined()
    }
    await expectFormer()
    await fileVersion(id)
    expect((await read(registrar, id)).state).toBe('in_review')
    expect((await read(registrar, former.id)).replacedBy).toMatchObject({ id, state: 'in_review' })
    await expectFormer()

    expect(await accept(id)).toBe('released')
    expect(await read(registrar, former.id)).toMatchObject({
      state: 'replaced',
      replacedBy: { id, state: 'released' },
      can: { replace: false },
    })
    expect((await read(registrar, id)).replaces).toEqual({ id: former.id, state: 'replaced' })
    const nodes = (await ownUser.runQuery(INBOX)).inbox.nodes
    expect(nodes).toContainEqual({ id, isUpdate: true, openedAt: null })
    expect(nodes).not.toContainEqual(expect.objectContaining({ id: former.id }))
    // The institution reads no link to what it no longer sees.
    expect(await read(ownUser, id)).toMatchObject({ replaces: null, replacedBy: null })
  })

  it('hides the former one from its institution on every route, not from staff', async () => {
    const [{ id: fileId }] = former.files as [{ id: string }]
    const before = await askAll(former.id, fileId)
    expect(before).toMatchObject({ upload: 'ok', ofPatient: [former.id], inbox: 1 })
    expect(before.statuses).toEqual([200, 200, 404, 200])
    const { id } = await begin()
    await fileVersion(id)
    await accept(id)
    const after = await askAll(former.id, fileId)
    expect(after).toMatchObject({ upload: 'NOT_FOUND', ofPatient: [id], inbox: 0 })
    expect(after.statuses).toEqual([404, 404, 404, 404])
    expect([before.found.includes(former.id), after.found.includes(former.id)]).toEqual([true, false])
    expect(after.found).toContain(id)
    expect((await registrar.fetch(`/files/${fileId}`)).status).toBe(200)
    expect((await reviewer.fetch(`/files/${fileId}`)).status).toBe(200)
  })

  it('that is rejected or withdrawn leaves the former one visible, and another one may follow', async () => {
    const { id } = await begin()
    await fileVersion(id)
    const { version } = await read(reviewer, id)
    await reviewer.runQuery(
      'mutation ($id: ID!, $version: Int!) { rejectUpload(id: $id, version: $version, reason: "incomplete") { id } }',
      { id, version },
    )
    expect(await inbox()).toContain(former.id)
    expect(await codeOf(registrar, REPLACE, { ...former, reason: REASON })).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^Are deja o versiune nouă: nr\. \d+\.$/),
    })
    await registrar.runQuery(WITHDRAW, { id })
    expect(await inbox()).toContain(former.id)
    expect((await read(registrar, former.id)).replacedBy).toBeNull()
    const again = await begin()
    await fileVersion(again.id, 'A doua încercare')
    await accept(again.id)
    expect(await inbox()).toEqual(expect.arrayContaining([again.id]))
    expect(await inbox()).not.toContain(former.id)
  })

  it('withdraws the former one at once where a reviewer wants it', async () => {
    expect(await codeOf(registrar, REPLACE, { ...former, reason: REASON, withdraw: true })).toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(await inbox()).toContain(former.id)
    const { id } = await begin(reviewer, { withdraw: true })
    expect(await inbox()).not.toContain(former.id)
    await fileVersion(id, 'Versiunea corectă', reviewer)
    // The reviewer has filed it, and cannot accept it.
    expect((await read(reviewer, id)).state).toBe('in_review')
    expect(await read(reviewer, former.id)).toMatchObject({ state: 'withdrawn', replacedBy: { id } })
  })

  it('waits for a reviewer where the category requires none', async () => {
    const { slug } = await makeCategory(server.db, { review_required: false })
    const cnp = makeCnp({ sex: 'female', birthDate: '1989-03-08', county: 8, serial: 417 })
    patient = await makePatient(server.db, { cnp })
    await makeReferral(server.db, { patient_id: patient.id, institution_id: institution.id })
    former = await makeReleased({ category_slug: slug })
    const { id } = await begin()
    await fileVersion(id, `CNP ${cnp}`)
    expect((await read(registrar, id)).state).toBe('in_review')
  })

  it('replaces the former one also while that is in review again', async () => {
    const { id } = await begin()
    await server.db.updateTable('upload').set({ state: 'in_review' }).where('id', '=', former.id).execute()
    await fileVersion(id)
    await accept(id)
    expect((await read(reviewer, former.id)).state).toBe('replaced')
  })

  it('for another institution is no update there, and the former institution sees neither', async () => {
    const { id } = await begin()
    const other = await makeInstitution(server.db)
    await makeReferral(server.db, { patient_id: patient.id, institution_id: other.id })
    await server.db.updateTable('upload').set({ institution_id: other.id }).where('id', '=', id).execute()
    await fileVersion(id)
    await accept(id)
    expect(await read(reviewer, id)).toMatchObject({ state: 'released', isUpdate: false })
    expect(await inbox()).not.toContain(former.id)
    expect(await inbox()).not.toContain(id)
  })
})

describe('the patient of a new version', () => {
  it('stays that of the former one, while that is not withdrawn', async () => {
    const { id, title } = await begin()
    const other = await makePatient(server.db)
    const move = async (patientId: string | null) => ({
      id,
      version: (await read(registrar, id)).version,
      upload: { title, patientId },
    })
    for (const patientId of [other.id, null])
      expect(await codeOf(registrar, EDIT, await move(patientId))).toMatchObject({ code: 'BAD_USER_INPUT' })
    await reviewer.runQuery(WITHDRAW, { id: former.id })
    expect(await codeOf(registrar, EDIT, await move(other.id))).toBeUndefined()
  })

  it('holds the release where the former one belongs to another patient by now', async () => {
    const { id } = await begin()
    await fileVersion(id)
    const other = await makePatient(server.db)
    await server.db.updateTable('upload').set({ patient_id: other.id }).where('id', '=', former.id).execute()
    const { version } = await read(reviewer, id)
    expect(await codeOf(reviewer, ACCEPT, { id, version })).toEqual({
      code: 'CONFLICT',
      message: 'Versiunea pe care o înlocuiește este acum a altui pacient.',
    })
    expect((await read(reviewer, former.id)).state).toBe('released')
  })
})

describe('replacing is refused', () => {
  it('without a reason, on another version, and in any other state', async () => {
    expect(await codeOf(registrar, REPLACE, { ...former, reason: ' ' })).toMatchObject({
      code: 'BAD_USER_INPUT',
    })
    expect(await codeOf(registrar, REPLACE, { ...former, version: 99, reason: REASON })).toMatchObject({
      code: 'CONFLICT',
    })
    for (const state of ['in_review', 'accepted', 'rejected', 'withdrawn', 'replaced'] as const) {
      const upload = await makeReleased({ state })
      expect([state, await codeOf(registrar, REPLACE, { ...upload, reason: REASON })]).toMatchObject([
        state,
        { code: 'CONFLICT' },
      ])
    }
  })

  it('to institutions, to staff without files, and for an upload that the user cannot read', async () => {
    const noFiles = await server.signIn((await makeUser(server.db, { features: [] })).email)
    for (const client of [ownUser, noFiles])
      expect(await codeOf(client, REPLACE, { ...former, reason: REASON })).toMatchObject({
        code: 'FORBIDDEN',
      })
    expect(
      await codeOf(registrar, REPLACE, {
        id: '01994000-0000-7000-8000-000000000000',
        version: 1,
        reason: REASON,
      }),
    ).toMatchObject({ code: 'NOT_FOUND' })
    expect((await read(ownUser, former.id)).can.replace).toBe(false)
  })

  it('to the second of two at the same moment', async () => {
    const both = await Promise.all([
      registrar.graphql(REPLACE, { ...former, reason: REASON }),
      reviewer.graphql(REPLACE, { ...former, reason: REASON }),
    ])
    expect(both.map(({ errors }) => errors.length).sort()).toEqual([0, 1])
    const { count } = await server.db
      .selectFrom('upload')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('replaces_id', '=', former.id)
      .executeTakeFirstOrThrow()
    expect(count).toBe(1)
  })
})
