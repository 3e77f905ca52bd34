import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  makeCategory,
  makeInstitution,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../../db/factories.ts'
import type { UploadState } from '../../../../shared/uploads/upload-state-list.ts'
import { createRegistrar, makeReport, SUBMIT } from '../../../../test/inspection/drafts.ts'
import { countLockWaits } from '../../../../test/locks/lock-waits.ts'
import { sha256 } from '../../../../test/sha256.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { newId } from '../../../platform/ids.ts'

const MOVE = `mutation ($uploadId: ID!, $fileIds: [ID!]!, $patientId: ID!) {
  moveFiles(uploadId: $uploadId, fileIds: $fileIds, patientId: $patientId) {
    id number state title version examinedOn accessionNumber referringDoctor note patient { id } institution { id }
    category { slug } files { id name } fileChecks { state confidence patients { id } } } }`
const READ = 'query ($id: ID!) { upload(id: $id) { state version patient { id } files { id } } }'

let server: TestServer
let registrar: Awaited<ReturnType<typeof createRegistrar>>
let patient: { id: string }
let other: Awaited<ReturnType<typeof registrar.makePerson>>

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  registrar = await createRegistrar(server)
  patient = await registrar.makePerson()
  other = await registrar.makePerson()
})

const files = async () => ({ 'al-lui.txt': Buffer.from('bine'), 'al-altuia.pdf': await makeReport(other) })
type MoveInput = { uploadId: string; fileIds: readonly string[]; patientId: string }
const move = async (input: MoveInput, client: TestClient = registrar.client) =>
  (await client.runQuery(MOVE, input)).moveFiles
const codeOf = async (input: MoveInput, client: TestClient = registrar.client) =>
  (await client.graphql(MOVE, input)).errors[0]?.extensions.code ?? 'ok'
const read = async (id: string) => (await registrar.client.runQuery(READ, { id })).upload
const eventsOf = (action: string, patientId: string) =>
  server.db
    .selectFrom('audit_event')
    .select(['subject_id', 'subject_ids', 'changes'])
    .where('action', '=', action)
    .where('patient_id', '=', patientId)
    .orderBy('id', 'desc')
    .execute()

describe('files of a draft', () => {
  it('get a new draft of the other patient, without the details of the draft that they leave, and are recorded for both', async () => {
    const { db } = server
    const institution = await makeInstitution(db)
    const { id: institution_id } = await makeInstitution(db)
    await makeReferral(db, { patient_id: patient.id, institution_id, doctor: 'dr. Vechi' })
    await makeReferral(db, { patient_id: other.id, institution_id: institution.id, doctor: 'dr. Nou' })
    const category = await makeCategory(db)
    const details = { category_slug: category.slug, examined_on: '2026-01-05', title: 'Ecografie' }
    const draft = await registrar.makeDraft(await files(), {
      ...details,
      patient_id: patient.id,
      referring_doctor: 'dr. Vechi',
      accession_number: '17',
      note: 'pentru colegi',
    })
    await server.runJobs()
    const [kept, moved] = draft.fileIds as [string, string]
    const { id, number, ...upload } = await move({
      uploadId: draft.id,
      fileIds: [moved],
      patientId: other.id,
    })
    expect(upload).toEqual({
      state: 'receiving',
      title: 'Al altuia',
      version: 1,
      examinedOn: null,
      accessionNumber: null,
      referringDoctor: null,
      note: null,
      patient: { id: other.id },
      institution: { id: institution.id },
      category: null,
      files: [{ id: moved, name: 'al-altuia.pdf' }],
      fileChecks: [{ state: 'READ', confidence: 'sure', patients: [{ id: other.id }] }],
    })
    expect(await read(draft.id)).toMatchObject({
      version: 2,
      patient: { id: patient.id },
      files: [{ id: kept }],
    })
    expect(await eventsOf('file.move', patient.id)).toMatchObject([
      { subject_id: draft.id, subject_ids: [moved], changes: { moved_to: { to: number } } },
    ])
    expect(await eventsOf('file.move', other.id)).toMatchObject([
      { subject_id: id, subject_ids: [moved], changes: { moved_from: { to: draft.number } } },
    ])
    expect(await eventsOf('upload.create', other.id)).toMatchObject([{ subject_id: id }])

    // Both are submitted each for its own patient.
    for (const each of [draft.id, id]) await registrar.client.runQuery(SUBMIT, { id: each })
    await server.runJobs()
    expect([(await read(draft.id)).state, (await read(id)).state]).toEqual(['in_review', 'in_review'])
  })

  it('take the draft with them if they are all its files', async () => {
    const draft = await registrar.makeDraft(await files(), { patient_id: patient.id, accession_number: '18' })
    const moved = await move({ uploadId: draft.id, fileIds: draft.fileIds.toReversed(), patientId: other.id })
    expect(moved).toMatchObject({
      id: draft.id,
      version: 2,
      patient: { id: other.id },
      accessionNumber: '18',
      files: draft.fileIds.map((id) => ({ id })),
    })
    for (const id of [patient.id, other.id])
      expect((await eventsOf('file.move', id))[0]).toMatchObject({
        subject_id: draft.id,
        changes: { patient_id: { from: patient.id, to: other.id } },
      })
  })

  it('leave the draft to a file that is still arriving', async () => {
    const draft = await registrar.makeDraft({ 'a.txt': Buffer.from('a') }, { patient_id: patient.id })
    const bytes = Buffer.from('încă pe drum')
    const transfer = await registrar.tus.begin(draft.id, bytes, 'b.txt')
    const moved = await move({ uploadId: draft.id, fileIds: draft.fileIds, patientId: other.id })
    expect(moved.id).not.toBe(draft.id)
    expect((await registrar.tus.patch(transfer, 0, bytes)).status).toBe(204)
    expect((await read(draft.id)).files).toHaveLength(1)
  })

  it('of a new version always get a new draft, since the version stays with its patient', async () => {
    const released = await makeUpload(server.db, server.services.storage, {
      state: 'released',
      patient_id: patient.id,
    })
    const { replaceUpload } = await registrar.client.runQuery(
      'mutation ($id: ID!) { replaceUpload(id: $id, version: 1, reason: "altă pagină") { id } }',
      { id: released.id },
    )
    const fileIds = await registrar.send(replaceUpload.id, { 'a.txt': Buffer.from('a') })
    const moved = await move({ uploadId: replaceUpload.id, fileIds, patientId: other.id })
    expect(moved.id).not.toBe(replaceUpload.id)
    expect(await read(replaceUpload.id)).toMatchObject({ patient: { id: patient.id }, files: [] })
  })

  it('get no institution where several refer the patient, or the only one is suspended', async () => {
    const { db } = server
    const [many, suspended] = [await registrar.makePerson(), await registrar.makePerson()]
    for (const { id } of [await makeInstitution(db), await makeInstitution(db)])
      await makeReferral(db, { patient_id: many.id, institution_id: id })
    const { id: institution_id } = await makeInstitution(db, { suspended_at: new Date() })
    await makeReferral(db, { patient_id: suspended.id, institution_id })
    for (const { id } of [many, suspended]) {
      const draft = await registrar.makeDraft(await files(), { patient_id: patient.id })
      const moved = await move({ uploadId: draft.id, fileIds: [draft.fileIds[0]!], patientId: id })
      expect(moved).toMatchObject({ patient: { id }, institution: null })
    }
  })
})

describe('a move is refused', () => {
  it.each<[UploadState, string]>([
    ['checking', 'CONFLICT'],
    ['in_review', 'CONFLICT'],
    ['rejected', 'CONFLICT'],
    ['released', 'CONFLICT'],
    ['withdrawn', 'CONFLICT'],
  ])('for an upload that is %s', async (state, code) => {
    const upload = await makeUpload(server.db, server.services.storage, {
      state,
      patient_id: patient.id,
      created_by: registrar.userId,
    })
    const fileIds = upload.files.map(({ id }) => id)
    expect(await codeOf({ uploadId: upload.id, fileIds, patientId: other.id })).toBe(code)
    expect((await read(upload.id)).patient.id).toBe(patient.id)
  })

  it('for files of another upload, removed or unknown ones, none, and without another patient', async () => {
    const draft = await registrar.makeDraft(await files(), { patient_id: patient.id })
    const [own] = draft.fileIds as [string]
    const foreign = (await registrar.makeDraft({ 'a.txt': Buffer.from('a') }, { patient_id: patient.id }))
      .fileIds[0]!
    const base = { uploadId: draft.id, fileIds: [own], patientId: other.id }
    expect(await codeOf({ ...base, fileIds: [own, foreign] })).toBe('NOT_FOUND')
    expect(await codeOf({ ...base, fileIds: [newId()] })).toBe('NOT_FOUND')
    expect(await codeOf({ ...base, fileIds: ['nimic'] })).toBe('NOT_FOUND')
    expect(await codeOf({ ...base, fileIds: [] })).toBe('BAD_USER_INPUT')
    expect(await codeOf({ ...base, patientId: newId() })).toBe('NOT_FOUND')
    expect(await codeOf({ ...base, patientId: patient.id })).toBe('BAD_USER_INPUT')
    expect(await codeOf({ ...base, uploadId: newId() })).toBe('NOT_FOUND')
    await registrar.client.runQuery(
      'mutation ($uploadId: ID!, $fileId: ID!) { discardFile(uploadId: $uploadId, fileId: $fileId) { id } }',
      { uploadId: draft.id, fileId: own },
    )
    expect(await codeOf(base)).toBe('NOT_FOUND')
    expect((await read(draft.id)).files).toHaveLength(1)
  })

  it('for everybody but the author', async () => {
    const { db } = server
    const institution = await makeInstitution(db)
    const draft = await registrar.makeDraft(await files(), { patient_id: patient.id })
    const input = { uploadId: draft.id, fileIds: draft.fileIds, patientId: other.id }
    const codes = await Promise.all(
      [
        { features: ['patient::files' as const] },
        { features: ['patient::files' as const, 'admin::review-files' as const] },
        { role: 'admin' as const },
        { role: 'institution' as const, institutionIds: [institution.id] },
      ].map(async (over) => codeOf(input, await server.signIn((await makeUser(db, over)).email))),
    )
    expect(codes).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
    expect(await read(draft.id)).toMatchObject({ version: 1, patient: { id: patient.id } })
  })
})

describe('a move and a submission at the same moment', () => {
  it('leave the draft either moved or submitted', async () => {
    const outcomes = new Set<string>()
    for (const first of ['move', 'submit'] as const) {
      const draft = await registrar.makeDraft(await files(), { patient_id: patient.id })
      const requests = {
        move: () =>
          registrar.client.graphql(MOVE, { uploadId: draft.id, fileIds: draft.fileIds, patientId: other.id }),
        submit: () => registrar.client.graphql(SUBMIT, { id: draft.id, version: 1 }),
      }
      const second = first === 'move' ? 'submit' : 'move'
      const results = await server.db.transaction().execute(async (tx) => {
        // Both wait for the draft, in this order.
        await tx.selectFrom('upload').select('id').where('id', '=', draft.id).forUpdate().execute()
        const begun = requests[first]()
        await expect.poll(() => countLockWaits(server.db)).toBe(1)
        const next = requests[second]()
        await expect.poll(() => countLockWaits(server.db)).toBe(2)
        return { [first]: begun, [second]: next } as Record<'move' | 'submit', typeof begun>
      })
      const [moved, submitted] = await Promise.all([results.move, results.submit])
      const isMoved = moved.errors.length === 0
      expect((isMoved ? submitted : moved).errors[0]?.extensions.code).toBe('CONFLICT')
      expect((isMoved ? moved : submitted).errors).toEqual([])
      expect(await read(draft.id)).toMatchObject(
        isMoved
          ? { state: 'receiving', patient: { id: other.id } }
          : { state: 'checking', patient: { id: patient.id } },
      )
      outcomes.add(isMoved ? 'moved' : 'submitted')
    }
    expect([...outcomes]).toEqual(['moved', 'submitted'])
  })

  it('of some files submit the others only if the page knows of the move', async () => {
    const draft = await registrar.makeDraft(await files(), { patient_id: patient.id })
    const seen = Object.values(await files()).map((bytes) => sha256(bytes).toString('hex'))
    await move({ uploadId: draft.id, fileIds: [draft.fileIds[1]!], patientId: other.id })
    const submit = (variables: object) => registrar.client.graphql(SUBMIT, { id: draft.id, ...variables })
    expect((await submit({ files: seen })).errors[0]?.extensions.code).toBe('CONFLICT')
    expect((await submit({ version: 1 })).errors[0]?.extensions.code).toBe('CONFLICT')
    expect((await submit({ version: 2, files: seen.slice(0, 1) })).errors).toEqual([])
  })
})
