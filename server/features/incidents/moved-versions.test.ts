import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../db/factories.ts'
import { makeCnp, maskCnp } from '../../../shared/romania/cnp.ts'
import { ACCEPT_UPLOAD } from '../../../test/documents.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

const READ = `query ($id: ID!) { upload(id: $id) {
  version state releaseAt patient { id } institution { id } can { move } incidents { id } } }`
const MOVE = `mutation ($id: ID!, $version: Int!, $patientId: ID!, $institutionId: ID) {
  moveReleasedUpload(id: $id, version: $version, patientId: $patientId, institutionId: $institutionId,
    reason: "Alt nume în raport") { id uploadNumber } }`
const COMPARE = `query ($id: ID!, $patientId: ID!) { moveComparison(uploadId: $id, patientId: $patientId) {
  lines { what result } holds { what value fileName } } }`
const MOVE_DESPITE = `mutation ($id: ID!, $version: Int!, $patientId: ID!, $institutionId: ID, $despite: String, $despiteComment: String) {
  moveReleasedUpload(id: $id, version: $version, patientId: $patientId, institutionId: $institutionId,
    reason: "Alt nume în raport", despite: $despite, despiteComment: $despiteComment) { id notes { text } } }`
const REQUESTS = '{ deletionRequests { uploadNumber } }'

let server: TestServer
let reviewer: TestClient
let registrar: TestClient
let ana: TestClient
let clinic: { id: string }
let hospital: { id: string }
let wrong: { id: string }
let right: { id: string }

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  const signIn = async (over: Parameters<typeof makeUser>[1]) =>
    server.signIn((await makeUser(db, over)).email)
  reviewer = await signIn({ features: ['admin::review-files', 'patient::files'] })
  registrar = await signIn({ features: ['patient::files'] })
  clinic = await makeInstitution(db)
  hospital = await makeInstitution(db)
  ana = await signIn({ role: 'institution', institutionIds: [clinic.id] })
})
beforeEach(async () => {
  const { db } = server
  await db.deleteFrom('deletion_request').execute()
  wrong = await makePatient(db)
  right = await makePatient(db)
  await makeReferral(db, { patient_id: wrong.id, institution_id: clinic.id })
  await makeReferral(db, { patient_id: right.id, institution_id: hospital.id })
})

type Over = Parameters<typeof makeUpload>[2]
const make = (over: Over = {}) =>
  makeUpload(server.db, server.services.storage, {
    patient_id: wrong.id,
    institution_id: clinic.id,
    state: 'released',
    released_at: new Date(Date.now() - 3_600_000),
    ...over,
  })
const makeNew = (replaces_id: string, over: Over = {}) =>
  make({ replaces_id, state: 'in_review', released_at: null, ...over })
const read = async (id: string) => (await reviewer.runQuery(READ, { id })).upload
const moveInput = async (id: string) => ({
  id,
  version: (await read(id)).version,
  patientId: right.id,
  institutionId: hospital.id,
})
const move = async (id: string) =>
  (await reviewer.runQuery(MOVE, await moveInput(id))).moveReleasedUpload as { uploadNumber: number } | null
const asked = async () =>
  (await ana.runQuery(REQUESTS)).deletionRequests
    .map(({ uploadNumber }: { uploadNumber: number }) => uploadNumber)
    .sort()

/** Makes a result that the clinic has opened and that is in this state by now. */
async function makeOpened(state: 'released' | 'replaced' | 'withdrawn', over: Over = {}) {
  const upload = await make(over)
  await ana.runQuery(READ, { id: upload.id })
  await server.db.updateTable('upload').set({ state }).where('id', '=', upload.id).execute()
  return upload
}

const MOVED = () => ({ patient: { id: right.id }, institution: { id: hospital.id } })
const STAYS = () => ({ patient: { id: wrong.id }, institution: { id: clinic.id } })

describe('moving a released result to the right patient', () => {
  it('takes along its former versions, and asks for each that was opened', async () => {
    const first = await makeOpened('replaced')
    const second = await make({ state: 'replaced', replaces_id: first.id })
    const third = await makeOpened('released', { replaces_id: second.id })
    expect(await move(third.id)).toMatchObject({ uploadNumber: third.number })
    for (const [{ id }, state, incidents] of [
      [first, 'replaced', 1],
      [second, 'replaced', 0],
      [third, 'in_review', 1],
    ] as const) {
      const upload = await read(id)
      expect(upload).toMatchObject({ state, ...MOVED() })
      expect(upload.incidents).toHaveLength(incidents)
    }
    expect(await asked()).toEqual([first.number, third.number].sort())
    // Staff find none of them with the wrong patient.
    const { patient } = await registrar.runQuery(
      'query ($id: ID!) { patient(id: $id) { uploads { nodes { id } } } }',
      { id: wrong.id },
    )
    expect(patient.uploads.nodes).toEqual([])
    for (const { files } of [first, second, third])
      expect((await ana.fetch(`/files/${files[0]!.id}`)).status).toBe(404)
  })

  it('takes along versions that were withdrawn, and the one that waits, which needs its verdict again', async () => {
    const released = await make()
    const withdrawn = await makeNew(released.id, { state: 'withdrawn' })
    const waiting = await makeNew(released.id, { state: 'accepted', release_at: new Date() })
    await move(released.id)
    expect(await read(released.id)).toMatchObject({ state: 'in_review', ...MOVED() })
    expect(await read(withdrawn.id)).toMatchObject({ state: 'withdrawn', ...MOVED() })
    expect(await read(waiting.id)).toMatchObject({ state: 'in_review', releaseAt: null, ...MOVED() })
    expect(await asked()).toEqual([])
    // The one takes the place of the other, at the right patient.
    const { version } = await read(waiting.id)
    await reviewer.runQuery(ACCEPT_UPLOAD, { id: waiting.id, version })
    expect([(await read(waiting.id)).state, (await read(released.id)).state]).toEqual([
      'released',
      'replaced',
    ])
  })

  it('leaves a new version with its author while that has work to do', async () => {
    const released = await make()
    for (const state of ['receiving', 'rejected', 'quarantined'] as const) {
      const { id } = await makeNew(released.id, { state })
      await server.db
        .updateTable('upload')
        .set({ patient_id: wrong.id, institution_id: clinic.id, state: 'released', released_at: new Date() })
        .where('id', '=', released.id)
        .execute()
      await move(released.id)
      expect([state, await read(id)]).toMatchObject([state, { state, ...MOVED() }])
      await server.db.updateTable('upload').set({ state: 'withdrawn' }).where('id', '=', id).execute()
    }
  })

  it('leaves a version that is of another patient already, and uploads that are no versions of it', async () => {
    const third = await makePatient(server.db)
    const first = await make({ state: 'withdrawn', patient_id: third.id })
    const { id } = await make({ replaces_id: first.id })
    const unrelated = await make()
    await move(id)
    expect((await read(first.id)).patient.id).toBe(third.id)
    expect(await read(unrelated.id)).toMatchObject({ state: 'released', ...STAYS() })
  })

  it('at the moment when its new version is released leaves all versions with one patient', async () => {
    for (let round = 0; round < 6; round += 1) {
      const released = await make()
      const waiting = await makeNew(released.id)
      const moving = await moveInput(released.id)
      const results = await Promise.all([
        reviewer.graphql(MOVE, moving),
        reviewer.graphql(ACCEPT_UPLOAD, { id: waiting.id, version: waiting.version }),
      ])
      const codes = results.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code))
      expect(codes).toEqual(['CONFLICT'])
      const [former, next] = [await read(released.id), await read(waiting.id)]
      expect(next.patient).toEqual(former.patient)
      expect([former.state, next.state]).toEqual(
        results[0].errors.length > 0 ? ['replaced', 'released'] : ['in_review', 'in_review'],
      )
    }
  })
})

describe.each(['withdrawn', 'replaced'] as const)('a %s result of another patient', (state) => {
  it('is moved alone, with an incident, and stays what it is', async () => {
    const first = await make({ state: 'replaced' })
    const upload = await makeOpened(state, { replaces_id: first.id })
    const next = await make({ replaces_id: upload.id })
    expect((await read(upload.id)).can.move).toBe(true)
    expect(await move(upload.id)).toMatchObject({ uploadNumber: upload.number })
    expect(await read(upload.id)).toMatchObject({ state, ...MOVED() })
    expect(await read(first.id)).toMatchObject({ state: 'replaced', ...STAYS() })
    expect(await read(next.id)).toMatchObject({ state: 'released', ...STAYS() })
    expect(await asked()).toEqual([upload.number])
    // It was never released for the right patient.
    expect(
      await reviewer.runQuery(MOVE, {
        ...(await moveInput(upload.id)),
        patientId: wrong.id,
        institutionId: null,
      }),
    ).toEqual({
      moveReleasedUpload: null,
    })
  })

  it('is moved by reviewers alone', async () => {
    const { id } = await make({ state })
    const input = await moveInput(id)
    for (const client of [registrar, ana])
      expect((await client.graphql(MOVE, input)).errors[0]?.extensions.code).toBe('FORBIDDEN')
    const { data } = await registrar.graphql(READ, { id })
    expect(data.upload.can.move).toBe(false)
  })
})

it('a withdrawn upload that was never released is moved without an incident', async () => {
  const { id } = await make({ state: 'withdrawn', released_at: null })
  expect(await move(id)).toBeNull()
  expect(await read(id)).toMatchObject({ state: 'withdrawn', ...MOVED(), incidents: [] })
})

describe('files that name another person than the chosen patient', () => {
  const cnp = makeCnp({ sex: 'female', birthDate: '1972-04-13', county: 12, serial: 210 })
  const foreign = (name: string) => ({
    name,
    bytes: Buffer.from(`CNP ${cnp}`),
    kind: 'other' as const,
    content_text: `CNP ${cnp}`,
    stated: [{ kind: 'cnp' as const, value: cnp, place: { in: 'text' as const, page: 1 } }],
  })
  const compare = async (client: TestClient, id: string, patientId: string) =>
    (await client.runQuery(COMPARE, { id, patientId })).moveComparison
  const resultsOf = ({ lines }: { lines: { what: string; result: string }[] }) =>
    Object.fromEntries(lines.map(({ what, result }) => [what, result]))

  it('are shown to the reviewer before the move, those of the other versions too', async () => {
    const first = await make({ state: 'replaced', files: [foreign('veche.txt')] })
    const { id } = await make({ replaces_id: first.id })
    const hold = { what: 'cnp', value: maskCnp(cnp), fileName: 'veche.txt' }
    const comparison = await compare(reviewer, id, right.id)
    expect(comparison.holds).toEqual([hold])
    expect(resultsOf(comparison)).toMatchObject({ cnp: 'disagrees', name: 'absent' })
    const own = await makePatient(server.db, { cnp })
    const agreeing = await compare(reviewer, id, own.id)
    expect(agreeing.holds).toEqual([])
    expect(resultsOf(agreeing)).toMatchObject({ cnp: 'agrees' })
    // A replaced one moves alone.
    await server.db.updateTable('upload').set({ state: 'withdrawn' }).where('id', '=', id).execute()
    expect((await compare(reviewer, id, right.id)).holds).toEqual([])
    for (const client of [registrar, ana]) {
      const { errors } = await client.graphql(COMPARE, { id, patientId: right.id })
      expect(errors[0]?.extensions.code).toBe('FORBIDDEN')
    }
    for (const input of [
      { id: right.id, patientId: right.id },
      { id, patientId: id },
    ]) {
      const { errors } = await reviewer.graphql(COMPARE, input)
      expect(errors[0]?.extensions.code).toBe('NOT_FOUND')
    }
  })

  it('are moved only with a reason, which stays with the incident and in the audit log', async () => {
    const { id } = await make({ files: [foreign('Popescu Ana.txt')] })
    const input = await moveInput(id)
    for (const reason of [
      {},
      { despite: 'typing-error' },
      { despiteComment: 'da' },
      { despite: 'other', despiteComment: ' ' },
    ]) {
      const { errors } = await reviewer.graphql(MOVE_DESPITE, { ...input, ...reason })
      expect(errors[0]).toMatchObject({
        extensions: { code: 'CONFLICT' },
        message: expect.stringContaining('Nu se potrivește (CNP): „Popescu Ana.txt”.'),
      })
    }
    const unknown = await reviewer.graphql(MOVE_DESPITE, { ...input, despite: 'ceva', despiteComment: 'da' })
    expect(unknown.errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    expect(await read(id)).toMatchObject({ state: 'released', ...STAYS(), incidents: [] })

    const reason = { despite: 'typing-error', despiteComment: `CNP greșit: ${cnp}` }
    const { notes } = (await reviewer.runQuery(MOVE_DESPITE, { ...input, ...reason })).moveReleasedUpload
    const text = `CNP greșit: ${maskCnp(cnp)}`
    expect(notes).toEqual([
      {
        text: `În fișiere scrie altceva decât la pacientul ales (CNP). Greșeală de scriere în document: ${text}`,
      },
    ])
    const entries = await server.db
      .selectFrom('audit_event')
      .select('changes')
      .where('subject_id', '=', id)
      .where('action', '=', 'upload.move')
      .execute()
    for (const { changes } of entries)
      expect(changes).toMatchObject({ accept_reason: { to: 'typing-error' }, note: { to: text } })
    expect(JSON.stringify(entries)).not.toContain(cnp)
  })

  it('do not ask for a reason where they agree, which is then not kept', async () => {
    const { id } = await make()
    const reason = { despite: 'typing-error', despiteComment: 'da' }
    const { moveReleasedUpload } = await reviewer.runQuery(MOVE_DESPITE, {
      ...(await moveInput(id)),
      ...reason,
    })
    expect(moveReleasedUpload.notes).toEqual([])
  })
})
