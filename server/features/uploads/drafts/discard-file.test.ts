import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUpload, makeUser } from '../../../../db/factories.ts'
import type { UploadState } from '../../../../shared/uploads/upload-state-list.ts'
import { createRegistrar, makeReport, SUBMIT } from '../../../../test/inspection/drafts.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { createSystemContext } from '../../../context.ts'
import { newId } from '../../../platform/ids.ts'
import { purgeFiles } from '../retention/purge-files.ts'

const DISCARD = `mutation ($uploadId: ID!, $fileId: ID!) { discardFile(uploadId: $uploadId, fileId: $fileId) {
  version fileCount files { id } removedFiles { id } fileChecks { file { id } } } }`
const RESTORE = 'mutation ($id: ID!) { restoreFile(id: $id) { id } }'
const DAY_MS = 24 * 60 * 60 * 1000

let server: TestServer
let registrar: Awaited<ReturnType<typeof createRegistrar>>
let patient: Awaited<ReturnType<typeof registrar.makePerson>>
let admin: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  registrar = await createRegistrar(server)
  patient = await registrar.makePerson()
  admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
})

const codeOf = async (variables: { uploadId: string; fileId: string }, client = registrar.client) =>
  (await client.graphql(DISCARD, variables)).errors[0]?.extensions.code ?? 'ok'
const countOf = async (table: 'file_reading' | 'file_fact', fileId: string) =>
  (await server.db.selectFrom(table).select('file_id').where('file_id', '=', fileId).execute()).length

describe('a file of a draft', () => {
  it('is taken out by its author with what was read in it, and its bytes are deleted after thirty days', async () => {
    const { db, services } = server
    const report = await makeReport(patient)
    const draft = await registrar.makeDraft(
      { 'bun.pdf': report, 'gresit.pdf': Buffer.concat([report, Buffer.from('\n')]) },
      { patient_id: patient.id },
    )
    await server.runJobs()
    const [kept, gone] = draft.fileIds as [string, string]
    expect(await countOf('file_fact', gone)).toBeGreaterThan(0)
    const { discardFile } = await registrar.client.runQuery(DISCARD, { uploadId: draft.id, fileId: gone })
    expect(discardFile).toEqual({
      version: 2,
      fileCount: 1,
      files: [{ id: kept }],
      removedFiles: [],
      fileChecks: [{ file: { id: kept } }],
    })
    expect([await countOf('file_fact', gone), await countOf('file_reading', gone)]).toEqual([0, 0])
    const event = await db
      .selectFrom('audit_event')
      .select(['patient_id', 'actor_id', 'outcome'])
      .where('action', '=', 'file.discard')
      .where('subject_id', '=', gone)
      .executeTakeFirst()
    expect(event).toEqual({ patient_id: patient.id, actor_id: registrar.userId, outcome: 'ok' })

    // Nobody brings a file back that was never checked.
    await registrar.client.runQuery(SUBMIT, { id: draft.id })
    await server.runJobs()
    expect((await admin.graphql(RESTORE, { id: gone })).errors[0]?.extensions.code).toBe('NOT_FOUND')

    const { storage_key } = await db
      .selectFrom('file')
      .select('storage_key')
      .where('id', '=', gone)
      .executeTakeFirstOrThrow()
    const purge = (days: number) =>
      purgeFiles({ ...createSystemContext(services), now: new Date(Date.now() + days * DAY_MS) })
    await purge(29)
    await (await services.storage.open(storage_key)).close()
    await purge(31)
    await expect(services.storage.open(storage_key)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('leaves its place to another one', async () => {
    const [name, bytes] = ['a.txt', Buffer.from('a')]
    const draft = await registrar.makeDraft({ [name]: bytes })
    expect(await codeOf({ uploadId: draft.id, fileId: draft.fileIds[0]! })).toBe('ok')
    await registrar.send(draft.id, { [name]: bytes })
    expect((await registrar.client.graphql(SUBMIT, { id: draft.id })).errors).toEqual([])
  })
})

describe('a file of a rejected upload', () => {
  it('is taken out if it is new; one that was checked is removed with a reason', async () => {
    const upload = await makeUpload(server.db, server.services.storage, {
      state: 'rejected',
      patient_id: patient.id,
      created_by: registrar.userId,
    })
    const [added] = (await registrar.send(upload.id, { 'nou.txt': Buffer.from('nou') })) as [string]
    expect(await codeOf({ uploadId: upload.id, fileId: upload.files[0]!.id })).toBe('CONFLICT')
    expect(await codeOf({ uploadId: upload.id, fileId: added })).toBe('ok')
    const { submitUpload } = await registrar.client.runQuery(SUBMIT, { id: upload.id })
    expect(submitUpload.state).toBe('in_review')
  })
})

describe('it is refused', () => {
  it.each<UploadState>(['checking', 'quarantined', 'in_review', 'accepted', 'released', 'withdrawn'])(
    'in an upload that is %s',
    async (state) => {
      const upload = await makeUpload(server.db, server.services.storage, {
        state,
        patient_id: patient.id,
        created_by: registrar.userId,
        files: [{ bytes: Buffer.from('a'), scan_result: 'pending' }],
      })
      expect(await codeOf({ uploadId: upload.id, fileId: upload.files[0]!.id })).toBe('CONFLICT')
    },
  )

  it('for the file of another upload, an unknown one, and one that was discarded', async () => {
    const draft = await registrar.makeDraft({ 'a.txt': Buffer.from('a') })
    const foreign = await registrar.makeDraft({ 'a.txt': Buffer.from('a') })
    const [own] = draft.fileIds as [string]
    expect(await codeOf({ uploadId: draft.id, fileId: foreign.fileIds[0]! })).toBe('NOT_FOUND')
    expect(await codeOf({ uploadId: draft.id, fileId: newId() })).toBe('NOT_FOUND')
    expect(await codeOf({ uploadId: newId(), fileId: own })).toBe('NOT_FOUND')
    expect(await codeOf({ uploadId: draft.id, fileId: own })).toBe('ok')
    expect(await codeOf({ uploadId: draft.id, fileId: own })).toBe('NOT_FOUND')
  })

  it('for everybody but the author', async () => {
    const draft = await registrar.makeDraft({ 'a.txt': Buffer.from('a') }, { patient_id: patient.id })
    const variables = { uploadId: draft.id, fileId: draft.fileIds[0]! }
    const colleague = await createRegistrar(server)
    expect(await codeOf(variables, colleague.client)).toBe('FORBIDDEN')
    expect(await codeOf(variables, admin)).toBe('FORBIDDEN')
    const { id } = await registrar.makeDraft({ 'a.txt': Buffer.from('a') })
    expect(await codeOf({ uploadId: id, fileId: variables.fileId }, colleague.client)).toBe('NOT_FOUND')
  })
})
