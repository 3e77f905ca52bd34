import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../../db/factories.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { createSystemContext } from '../../../context.ts'
import { newId } from '../../../platform/ids.ts'
import { purgeFiles } from '../retention/purge-files.ts'

const REMOVE = `mutation ($id: ID!, $reason: String!) { removeFile(id: $id, reason: $reason) {
  id version files { id } removedFiles { id name reason removedByName } can { removeFiles } } }`
const RESTORE = 'mutation ($id: ID!) { restoreFile(id: $id) { id files { id } removedFiles { id } } }'
const ACCEPT =
  'mutation ($id: ID!, $version: Int!) { acceptUpload(id: $id, version: $version, reason: "compared-original", comment: "cu originalul") { state } }'
const READ = '{ id version files { id } removedFiles { id } can { removeFiles } }'
const DAY_MS = 24 * 60 * 60 * 1000

let server: TestServer
let remover: TestClient
let registrar: TestClient
let reviewer: TestClient
let institution: { id: string }
let ownUser: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  const signIn = async (over: Parameters<typeof makeUser>[1]) =>
    server.signIn((await makeUser(db, over)).email)
  remover = await signIn({ name: 'Ioana Dinu', features: ['admin::remove-files', 'patient::files'] })
  registrar = await signIn({ features: ['patient::files'] })
  reviewer = await signIn({ features: ['admin::review-files', 'patient::files'] })
  institution = await makeInstitution(db)
  ownUser = await signIn({ role: 'institution', institutionIds: [institution.id] })
})

/** Creates an upload with two files, released to the institution. */
async function fileUpload(over: Parameters<typeof makeUpload>[2] = {}) {
  const patient = await makePatient(server.db)
  await makeReferral(server.db, { patient_id: patient.id, institution_id: institution.id })
  const bytes = (text: string) => ({ name: `${text}.txt`, bytes: Buffer.from(text) })
  const upload = await makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: institution.id,
    state: 'released',
    files: [bytes('primul'), bytes('al doilea')],
    ...over,
  })
  const files = await server.db
    .selectFrom('file')
    .selectAll()
    .where('upload_id', '=', upload.id)
    .orderBy('position')
    .execute()
  return { upload, patient, files: files as [(typeof files)[0], (typeof files)[0]] }
}

const read = async (client: TestClient, id: string) =>
  (await client.graphql(`query ($id: ID!) { upload(id: $id) ${READ} }`, { id })).data?.upload

describe('a removed file', () => {
  it('is not served by any route, has a reason for colleagues only, and can be restored [3.2]', async () => {
    const { upload, patient, files } = await fileUpload()
    const [first, second] = files
    const { data, errors } = await remover.graphql(REMOVE, { id: first.id, reason: 'Al altui pacient' })
    expect(errors).toEqual([])
    expect(data.removeFile).toMatchObject({
      files: [{ id: second.id }],
      removedFiles: [
        { id: first.id, name: first.name, reason: 'Al altui pacient', removedByName: 'Ioana Dinu' },
      ],
    })
    for (const client of [ownUser, reviewer, remover]) {
      expect((await client.fetch(`/files/${first.id}`)).status).toBe(404)
      expect((await client.fetch(`/files/${second.id}`)).status).toBe(200)
      expect((await read(client, upload.id)).files).toEqual([{ id: second.id }])
    }
    expect((await read(ownUser, upload.id)).removedFiles).toEqual([])
    expect((await read(registrar, upload.id)).removedFiles).toEqual([])
    // Reviewers read that a file is gone, and cannot bring it back.
    expect((await read(reviewer, upload.id)).removedFiles).toEqual([{ id: first.id }])

    const restored = await remover.graphql(RESTORE, { id: first.id })
    expect(restored.data.restoreFile).toMatchObject({
      files: files.map(({ id }) => ({ id })),
      removedFiles: [],
    })
    // The acceptance did not include this file.
    expect((await ownUser.fetch(`/files/${first.id}`)).status).toBe(404)
    const { version } = await read(reviewer, upload.id)
    expect((await reviewer.graphql(ACCEPT, { id: upload.id, version })).errors).toEqual([])
    expect(await (await ownUser.fetch(`/files/${first.id}`)).text()).toBe('primul')
    const events = await server.db
      .selectFrom('audit_event')
      .select(['action', 'patient_id', 'changes'])
      .where('subject_id', '=', first.id)
      .where('action', 'in', ['file.remove', 'file.restore'])
      .orderBy('id')
      .execute()
    expect(events).toEqual([
      {
        action: 'file.remove',
        patient_id: patient.id,
        changes: { removed_reason: { from: null, to: 'Al altui pacient' } },
      },
      { action: 'file.restore', patient_id: patient.id, changes: null },
    ])
  })

  it('restored after an acceptance without it waits for a new verdict, without a scheduled release', async () => {
    const { upload, files } = await fileUpload({ state: 'in_review' })
    await remover.graphql(REMOVE, { id: files[0].id, reason: 'Al altuia' })
    const { version } = await read(reviewer, upload.id)
    expect((await reviewer.graphql(ACCEPT, { id: upload.id, version })).data.acceptUpload.state).toBe(
      'released',
    )
    await remover.graphql(RESTORE, { id: files[0].id })
    const { state, release_at } = await server.db
      .selectFrom('upload')
      .select(['state', 'release_at'])
      .where('id', '=', upload.id)
      .executeTakeFirstOrThrow()
    expect({ state, release_at }).toEqual({ state: 'in_review', release_at: null })
    for (const { id } of files) expect((await ownUser.fetch(`/files/${id}`)).status).toBe(404)
  })

  it('makes an earlier verdict outdated, and an upload without files is not accepted', async () => {
    const { upload, files } = await fileUpload({ state: 'in_review' })
    const { version } = await read(reviewer, upload.id)
    for (const { id } of files) await remover.graphql(REMOVE, { id, reason: 'Greșit' })
    const stale = await reviewer.graphql(ACCEPT, { id: upload.id, version })
    expect(stale.errors[0]?.extensions.code).toBe('CONFLICT')
    const fresh = await read(reviewer, upload.id)
    const empty = await reviewer.graphql(ACCEPT, { id: upload.id, version: fresh.version })
    expect(empty.errors[0]?.message).toBe('Încărcarea nu mai are niciun fișier.')
  })

  it('is removed once by two concurrent requests', async () => {
    const { files } = await fileUpload()
    const responses = await Promise.all(
      ['Unu', 'Doi'].map((reason) => remover.graphql(REMOVE, { id: files[0].id, reason })),
    )
    const codes = responses.map(({ errors }) => errors[0]?.extensions.code ?? 'removed')
    expect(codes.toSorted()).toEqual([expect.stringMatching(/^(CONFLICT|NOT_FOUND)$/), 'removed'])
  })

  it('keeps its bytes for 30 days, then loses bytes and text, and cannot be restored', async () => {
    const { upload, files } = await fileUpload()
    const [first, second] = files
    await remover.graphql(REMOVE, { id: first.id, reason: 'Dublură' })
    await remover.graphql(REMOVE, { id: second.id, reason: 'Dublură' })
    await remover.graphql(RESTORE, { id: second.id })
    const purge = (days: number) =>
      purgeFiles({
        ...createSystemContext(server.services),
        now: new Date(Date.now() + days * DAY_MS),
      })
    await purge(29)
    expect(await readBytes(first.storage_key)).toBe('primul')
    await purge(30.1)
    await expect(readBytes(first.storage_key)).rejects.toThrow()
    expect(await readBytes(second.storage_key)).toBe('al doilea')
    const { errors } = await remover.graphql(RESTORE, { id: first.id })
    expect(errors[0]?.extensions.code).toBe('NOT_FOUND')
    const event = await server.db
      .selectFrom('audit_event')
      .select(['subject_id', 'subject_ids', 'actor_name'])
      .where('action', '=', 'file.purge')
      .where('subject_id', '=', upload.id)
      .execute()
    expect(event).toEqual([{ subject_id: upload.id, subject_ids: [first.id], actor_name: 'Dosar' }])
  })
})

async function readBytes(key: string): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of await server.services.storage.read(key)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

describe('removing a file', () => {
  it.each([
    ['staff without the feature', () => registrar, 'FORBIDDEN'],
    ['a reviewer without the feature', () => reviewer, 'FORBIDDEN'],
    ['an institution', () => ownUser, 'FORBIDDEN'],
  ] as const)('is forbidden to %s, and nothing changes [3.2] [6.4]', async (_who, client, code) => {
    const { upload, files } = await fileUpload()
    for (const query of [REMOVE, RESTORE]) {
      const { errors } = await client().graphql(query, {
        id: files[0].id,
        ...(query === REMOVE && { reason: 'Degeaba' }),
      })
      expect(errors[0]?.extensions.code).toBe(code)
    }
    expect((await read(client(), upload.id)).can.removeFiles).toBe(false)
    expect((await read(remover, upload.id)).files).toHaveLength(2)
  })

  it('fails without a reason, for an unknown file, and for a file that the actor may not read', async () => {
    const { files } = await fileUpload()
    const blank = await remover.graphql(REMOVE, { id: files[0].id, reason: ' ' })
    expect(blank.errors[0]?.extensions.fields).toEqual([
      { field: 'reason', message: expect.stringContaining('Motivul') },
    ])
    const own = await fileUpload({ patient_id: null, state: 'unassigned' })
    for (const id of [newId(), 'nu', own.files[0].id]) {
      const { errors } = await remover.graphql(REMOVE, { id, reason: 'Greșit' })
      expect(errors[0]?.extensions.code).toBe('NOT_FOUND')
    }
  })
})
