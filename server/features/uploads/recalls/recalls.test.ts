import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload } from '../../../../db/factories.ts'
import { createTestClient } from '../../../../test/client.ts'
import { ACCEPT_UPLOAD, WITHDRAW_UPLOAD } from '../../../../test/documents.ts'
import { startServerProcess } from '../../../../test/server-process.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { upsertSettings } from '../../site/site.db.ts'

const READ = 'query ($id: ID!) { upload(id: $id) { id version state } }'
const RECALLS = `query ($uploadId: ID) { recalls(uploadId: $uploadId) { id uploadId uploadNumber kind replacementId patientName
  title examinedOn institutionName openings { name acts { kind } } acknowledgedAt acknowledgedByName } }`
const ACKNOWLEDGE =
  'mutation ($id: ID!) { acknowledgeRecall(id: $id) { id acknowledgedAt acknowledgedByName } }'
const OF_UPLOAD = `query ($id: ID!) { upload(id: $id) { recalls { institutionName openings { name } acknowledgedAt
  acknowledgedByName } } }`
const REQUESTS = '{ deletionRequests { uploadNumber } }'
const CORRECT = `mutation ($id: ID!, $version: Int!, $institutionId: ID) {
  correctUpload(id: $id, version: $version, upload: { title: "Ecografie", institutionId: $institutionId }, reason: "Alt spital") { state } }`
const MOVE = `mutation ($id: ID!, $version: Int!, $patientId: ID!) {
  moveReleasedUpload(id: $id, version: $version, patientId: $patientId, reason: "Alt nume în raport") { number } }`
const UNDO = 'mutation ($id: ID!, $version: Int!) { undoVerdict(id: $id, version: $version) { id } }'

let server: TestServer
let reviewer: TestClient & { id: string }
let registrar: TestClient
let clinic: { id: string }
let hospital: { id: string }
/** Two users of the clinic, one of the hospital. */
let ana: TestClient
let ion: TestClient
let zoe: TestClient
let patient: { id: string; surname: string; given_names: string }

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  reviewer = await server.signInAs({
    name: 'Radu Matei',
    features: ['admin::review-files', 'patient::files'],
  })
  registrar = await server.signInAs({ name: 'Ilie Pop' })
  clinic = await makeInstitution(db, { name: 'Clinica Țară' })
  hospital = await makeInstitution(db, { name: 'Spitalul Mare' })
  ana = await server.signInAs({ role: 'institution', name: 'Ana Pop', institutionIds: [clinic.id] })
  ion = await server.signInAs({ role: 'institution', name: 'Ion Rus', institutionIds: [clinic.id] })
  zoe = await server.signInAs({ role: 'institution', name: 'Zoe Țuțea', institutionIds: [hospital.id] })
})
beforeEach(async () => {
  await server.db.deleteFrom('recall').execute()
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
    title: 'Ecografie',
    examined_on: '2026-11-20',
    ...over,
  })
const makeNew = (replaces_id: string, over: Over = {}) =>
  make({ replaces_id, state: 'in_review', released_at: null, ...over })
const open = (client: TestClient, id: string) => client.runQuery(READ, { id })
const withdraw = (id: string) => reviewer.runQuery(WITHDRAW_UPLOAD, { id })
const versionOf = async (id: string) => (await reviewer.runQuery(READ, { id })).upload.version as number
const accept = async (id: string) => reviewer.runQuery(ACCEPT_UPLOAD, { id, version: await versionOf(id) })
const recallsOf = async (client: TestClient, uploadId?: string) =>
  (await client.runQuery(RECALLS, { uploadId })).recalls
const requestsOf = async (client: TestClient) => (await client.runQuery(REQUESTS)).deletionRequests
const codeOf = async (client: TestClient, query: string, variables: object = {}) =>
  (await client.graphql(query, { ...variables })).errors[0]?.extensions.code

describe('a withdrawn result', () => {
  it('is named to the users of the institution that had opened it, and to nobody else', async () => {
    const upload = await make()
    await open(ana, upload.id)
    await withdraw(upload.id)
    const recall = {
      id: expect.any(String),
      uploadId: upload.id,
      uploadNumber: upload.number,
      kind: 'withdrawn',
      replacementId: null,
      patientName: `${patient.surname} ${patient.given_names}`,
      title: 'Ecografie',
      examinedOn: '2026-11-20',
      institutionName: 'Clinica Țară',
      openings: [{ name: 'Ana Pop', acts: [{ kind: 'open' }] }],
      acknowledgedAt: null,
      acknowledgedByName: null,
    }
    expect(await recallsOf(ana)).toEqual([recall])
    // A colleague of the same institution, who may have the paper in hand.
    expect(await recallsOf(ion, upload.id)).toEqual([recall])
    expect([await recallsOf(zoe), await recallsOf(zoe, upload.id)]).toEqual([[], []])
    for (const staff of [reviewer, registrar]) expect(await codeOf(staff, RECALLS)).toBe('FORBIDDEN')
    const { upload: of } = await reviewer.runQuery(OF_UPLOAD, { id: upload.id })
    expect(of.recalls).toEqual([
      {
        institutionName: 'Clinica Țară',
        openings: [{ name: 'Ana Pop' }],
        acknowledgedAt: null,
        acknowledgedByName: null,
      },
    ])
    // Other staff do not read who opened it.
    expect((await registrar.runQuery(OF_UPLOAD, { id: upload.id })).upload.recalls).toEqual([])
  })

  it('also by a download, and by the withdrawal that a new version begins with', async () => {
    const upload = await make()
    await (await ana.fetch(`/files/${upload.files[0]!.id}`)).arrayBuffer()
    await reviewer.runQuery(
      'mutation ($id: ID!, $version: Int!) { replaceUpload(id: $id, version: $version, reason: "Pagină", withdraw: true) { id } }',
      { id: upload.id, version: await versionOf(upload.id) },
    )
    expect(await recallsOf(ana)).toMatchObject([{ kind: 'withdrawn', openings: [{ name: 'Ana Pop' }] }])
  })

  it.each(['in_review', 'accepted', 'rejected'] as const)(
    'also from %s, where a correction had returned it after it was opened',
    async (state) => {
      const upload = await make()
      await open(ana, upload.id)
      await server.db.updateTable('upload').set({ state }).where('id', '=', upload.id).execute()
      await withdraw(upload.id)
      expect(await recallsOf(ana)).toHaveLength(1)
    },
  )

  it('that nobody had opened is named to nobody', async () => {
    const upload = await make()
    const never = await make({ state: 'in_review', released_at: null })
    await withdraw(upload.id)
    await withdraw(never.id)
    expect([await recallsOf(ana), await recallsOf(zoe)]).toEqual([[], []])
    expect((await reviewer.runQuery(OF_UPLOAD, { id: upload.id })).upload.recalls).toEqual([])
  })

  it('names no patient whom the institution may not read any more, and follows a merged one', async () => {
    const upload = await make()
    await open(ana, upload.id)
    await withdraw(upload.id)
    const survivor = await makePatient(server.db, { surname: 'Urmaș', given_names: 'Nou' })
    const { db } = server
    await makeReferral(db, { patient_id: survivor.id, institution_id: clinic.id })
    await db.updateTable('patient').set({ merged_into: survivor.id }).where('id', '=', patient.id).execute()
    expect(await recallsOf(ana)).toMatchObject([{ patientName: 'Urmaș Nou' }])
    await db
      .updateTable('referral')
      .set({ mistaken: true, ended_at: new Date() })
      .where('patient_id', '=', survivor.id)
      .execute()
    expect(await recallsOf(ana)).toMatchObject([{ patientName: null, title: 'Ecografie' }])
  })

  it('is withdrawn and recalled in one transaction, also where the server is killed', async () => {
    const upload = await make()
    await open(ana, upload.id)
    const process = await startServerProcess(server)
    const remote = createTestClient(process.url, { cookies: reviewer.cookies })
    const { db } = server
    await db.transaction().execute(async (tx) => {
      // The recall refers to the institution, so that its row waits for this lock.
      await tx.selectFrom('institution').select('id').where('id', '=', clinic.id).forUpdate().execute()
      const withdrawing = remote.graphql(WITHDRAW_UPLOAD, { id: upload.id })
      withdrawing.catch(() => undefined)
      await expect
        .poll(
          async () =>
            (
              await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
            ).rows[0]!.count,
          { timeout: 30_000 },
        )
        .toBeGreaterThan(0)
      await process.kill()
      await expect(withdrawing).rejects.toThrow()
    })
    await expect
      .poll(async () => (await reviewer.runQuery(READ, { id: upload.id })).upload.state, { timeout: 30_000 })
      .toBe('released')
    expect(await recallsOf(ana)).toEqual([])
    await open(ana, upload.id)
    await withdraw(upload.id)
    expect(await recallsOf(ana)).toHaveLength(1)
  })
})

describe('a replaced result', () => {
  it('leads to the new version, and on to the one after it, while the reader may open it', async () => {
    const first = await make()
    await open(ana, first.id)
    const second = await makeNew(first.id)
    await accept(second.id)
    expect(await recallsOf(ana)).toMatchObject([
      { uploadNumber: first.number, kind: 'replaced', replacementId: second.id },
    ])
    const third = await makeNew(second.id)
    await accept(third.id)
    // Nobody had opened the second.
    expect(await recallsOf(ana)).toMatchObject([{ uploadNumber: first.number, replacementId: third.id }])
    await withdraw(third.id)
    expect(await recallsOf(ana)).toMatchObject([{ uploadNumber: first.number, replacementId: null }])
  })

  it('that nobody had opened is named to nobody', async () => {
    const first = await make()
    await accept((await makeNew(first.id)).id)
    expect(await recallsOf(ana)).toEqual([])
  })

  it('stays valid while the verdict on the new version is undone', async () => {
    await upsertSettings(server.db, { undo_seconds: 10 })
    const first = await make()
    await open(ana, first.id)
    const second = await makeNew(first.id)
    await accept(second.id)
    expect((await ana.runQuery(READ, { id: first.id })).upload.state).toBe('released')
    await reviewer.runQuery(UNDO, { id: second.id, version: await versionOf(second.id) })
    await upsertSettings(server.db, { undo_seconds: 0 })
    expect((await reviewer.runQuery(READ, { id: second.id })).upload.state).toBe('in_review')
    expect(await recallsOf(ana)).toEqual([])
    expect((await ana.runQuery(READ, { id: first.id })).upload.state).toBe('released')
  })
})

describe('where the institution is asked to delete it instead', () => {
  it('the move to another patient makes no recall', async () => {
    const upload = await make()
    await open(ana, upload.id)
    const right = await makePatient(server.db)
    await reviewer.runQuery(MOVE, { id: upload.id, version: await versionOf(upload.id), patientId: right.id })
    expect(await recallsOf(ana)).toEqual([])
    expect(await requestsOf(ana)).toEqual([{ uploadNumber: upload.number }])
  })

  it('the move of a withdrawn one takes the recall away, which would name the wrong patient', async () => {
    const upload = await make()
    await open(ana, upload.id)
    await withdraw(upload.id)
    expect(await recallsOf(ana)).toHaveLength(1)
    const right = await makePatient(server.db)
    await makeReferral(server.db, { patient_id: right.id, institution_id: clinic.id })
    await reviewer.runQuery(MOVE, { id: upload.id, version: await versionOf(upload.id), patientId: right.id })
    expect([await recallsOf(ana), await recallsOf(ana, upload.id)]).toEqual([[], []])
    expect(await requestsOf(ana)).toEqual([{ uploadNumber: upload.number }])
  })

  it('a result that went to another institution is recalled only from the one that has it since', async () => {
    const upload = await make()
    await open(ana, upload.id)
    await reviewer.runQuery(CORRECT, {
      id: upload.id,
      version: await versionOf(upload.id),
      institutionId: hospital.id,
    })
    await accept(upload.id)
    await open(zoe, upload.id)
    await withdraw(upload.id)
    expect(await recallsOf(ana)).toEqual([])
    expect(await requestsOf(ana)).toEqual([{ uploadNumber: upload.number }])
    expect(await recallsOf(zoe)).toMatchObject([
      { uploadNumber: upload.number, openings: [{ name: 'Zoe Țuțea' }] },
    ])
    expect(await requestsOf(zoe)).toEqual([])
  })

  it('a new version for another institution makes no recall', async () => {
    const first = await make()
    await open(ana, first.id)
    await accept((await makeNew(first.id, { institution_id: hospital.id })).id)
    expect([await recallsOf(ana), await recallsOf(zoe)]).toEqual([[], []])
    expect(await requestsOf(ana)).toEqual([{ uploadNumber: first.number }])
  })
})

describe('an acknowledgement', () => {
  const makeRecall = async () => {
    const upload = await make()
    await open(ana, upload.id)
    await withdraw(upload.id)
    const [{ id }] = await recallsOf(ana, upload.id)
    return { upload, id: id as string }
  }

  it('is the first one of the institution, and staff see whose and when', async () => {
    const { upload, id } = await makeRecall()
    const { acknowledgeRecall } = await ion.runQuery(ACKNOWLEDGE, { id })
    expect(acknowledgeRecall).toEqual({
      id,
      acknowledgedAt: expect.any(String),
      acknowledgedByName: 'Ion Rus',
    })
    expect(await codeOf(ana, ACKNOWLEDGE, { id })).toBe('CONFLICT')
    expect(await recallsOf(ana)).toMatchObject([{ id, acknowledgedByName: 'Ion Rus' }])
    expect((await reviewer.runQuery(OF_UPLOAD, { id: upload.id })).upload.recalls).toMatchObject([
      { acknowledgedAt: acknowledgeRecall.acknowledgedAt, acknowledgedByName: 'Ion Rus' },
    ])
    const entries = await server.db
      .selectFrom('audit_event')
      .select(['actor_name', 'patient_id'])
      .where('subject_id', '=', upload.id)
      .where('action', '=', 'recall.acknowledge')
      .execute()
    expect(entries).toEqual([{ actor_name: 'Ion Rus', patient_id: patient.id }])
  })

  it('leaves the list after a week, and stays on the page of the result', async () => {
    const { upload, id } = await makeRecall()
    await ana.runQuery(ACKNOWLEDGE, { id })
    const { upload: other, id: openId } = await makeRecall()
    expect((await recallsOf(ana)).map((each: { id: string }) => each.id)).toEqual([openId, id])
    await server.db
      .updateTable('recall')
      .set({ shown_until: new Date(Date.now() - 1_000) })
      .where('id', '=', id)
      .execute()
    expect((await recallsOf(ana)).map((each: { id: string }) => each.id)).toEqual([openId])
    expect(await recallsOf(ana, upload.id)).toHaveLength(1)
    expect(await recallsOf(ana, other.id)).toHaveLength(1)
  })

  it('is refused of another institution, of staff, and for what is no id', async () => {
    const { id } = await makeRecall()
    expect(await codeOf(zoe, ACKNOWLEDGE, { id })).toBe('NOT_FOUND')
    expect(await codeOf(reviewer, ACKNOWLEDGE, { id })).toBe('FORBIDDEN')
    expect(await codeOf(ana, ACKNOWLEDGE, { id: 'x' })).toBe('NOT_FOUND')
    expect(await recallsOf(ana, 'x')).toEqual([])
    expect(await recallsOf(ana)).toMatchObject([{ acknowledgedAt: null }])
  })
})
