import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload } from '../../../db/factories.ts'
import { FEATURES } from '../../../shared/access/features.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import * as rules from './questions.access.ts'

const FIELDS = `id uploadId uploadNumber institutionName state isUnread messageCount version answererName waitingSince
  messages { position byOrganisation isOwn authorName text }`
const OF_UPLOAD = `query ($uploadId: ID!) { questions(uploadId: $uploadId) { ${FIELDS} upload { id } } }`
const ONE = `query ($id: ID!) { question(id: $id) { ${FIELDS} upload { id } } }`
const OWN = `{ ownQuestions { nodes { ${FIELDS} upload { id } } } }`
const OPEN = `{ openQuestions { nodes { ${FIELDS} upload { id } } } }`
const ASK = `mutation ($uploadId: ID!, $text: String!) { askQuestion(uploadId: $uploadId, text: $text) { ${FIELDS} } }`
const ANSWER = `mutation ($id: ID!, $text: String!) { answerQuestion(id: $id, text: $text) { ${FIELDS} upload { id } } }`
const CLOSE = `mutation ($id: ID!, $version: Int!) { closeQuestion(id: $id, version: $version) { ${FIELDS} } }`
const MARK_READ = `mutation ($id: ID!) { markQuestionRead(id: $id) { ${FIELDS} } }`
const WITHDRAW = 'mutation ($id: ID!) { withdrawUpload(id: $id) { id } }'
const MOVE = `mutation ($id: ID!, $version: Int!, $patientId: ID!, $institutionId: ID) {
  moveReleasedUpload(id: $id, version: $version, patientId: $patientId, institutionId: $institutionId, reason: "Alt pacient") { id } }`
const CORRECT = `mutation ($id: ID!, $version: Int!, $institutionId: ID) {
  correctUpload(id: $id, version: $version, upload: { title: "Ecografie", institutionId: $institutionId }, reason: "Alt spital") { state } }`

const HOSTILE = '<script>alert(1)</script> \u202eabc\n{{x}} "; drop table question; --'

let server: TestServer
let clinic: { id: string; name: string }
let other: { id: string; name: string }
let ana: TestClient & { id: string }
let colleague: TestClient & { id: string }
let foreigner: TestClient & { id: string }
let both: TestClient & { id: string }
let reviewer: TestClient & { id: string }
let registrar: TestClient & { id: string }
let without: TestClient & { id: string }

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  clinic = await makeInstitution(db, { name: 'Clinica Țară' })
  other = await makeInstitution(db, { name: 'Spitalul Mare' })
  ana = await server.signInAs({ role: 'institution', name: 'Ana Pop', institutionIds: [clinic.id] })
  colleague = await server.signInAs({ role: 'institution', name: 'Dan Rus', institutionIds: [clinic.id] })
  foreigner = await server.signInAs({ role: 'institution', institutionIds: [other.id] })
  both = await server.signInAs({ role: 'institution', institutionIds: [clinic.id, other.id] })
  reviewer = await server.signInAs({
    name: 'Radu Matei',
    features: ['admin::review-files', 'patient::files'],
  })
  registrar = await server.signInAs({ name: 'Ilinca Șerban' })
  without = await server.signInAs({ features: ['admin::review-files'] })
})
beforeEach(async () => {
  await server.db.deleteFrom('question_message').execute()
  await server.db.deleteFrom('question').execute()
})

async function released(over: Partial<Parameters<typeof makeUpload>[2]> = {}) {
  const { db, services } = server
  const patient = await makePatient(db)
  await makeReferral(db, { patient_id: patient.id, institution_id: clinic.id })
  const upload = await makeUpload(db, services.storage, {
    patient_id: patient.id,
    institution_id: clinic.id,
    state: 'released',
    released_at: new Date(),
    ...over,
  })
  return { id: upload.id, number: upload.number, patient }
}
const ask = async (client: TestClient, uploadId: string, text = 'Ce înseamnă valoarea?') =>
  (await client.runQuery(ASK, { uploadId, text })).askQuestion
const answer = async (client: TestClient, id: string, text = 'Este în limite.') =>
  (await client.runQuery(ANSWER, { id, text })).answerQuestion
const codesOf = async (client: TestClient, query: string, variables: Record<string, unknown> = {}) =>
  (await client.graphql(query, variables)).errors.map(({ extensions }) => extensions.code)
const own = async (client: TestClient) => (await client.runQuery(OWN)).ownQuestions.nodes
const open = async (client: TestClient) => (await client.runQuery(OPEN)).openQuestions.nodes
const of = async (client: TestClient, uploadId: string) =>
  (await client.runQuery(OF_UPLOAD, { uploadId })).questions
const countOf = async (client: TestClient) => (await client.runQuery('{ questionCount }')).questionCount

describe('a question', () => {
  it('goes from open to answered to closed, counted on both sides, and a new message opens it again', async () => {
    const { id: uploadId, number } = await released()
    const question = await ask(ana, uploadId)
    expect(question).toMatchObject({ state: 'open', isUnread: false, uploadNumber: number, messageCount: 1 })
    expect([await countOf(reviewer), await countOf(registrar), await countOf(ana)]).toEqual([1, 1, 0])
    expect(await open(registrar)).toMatchObject([
      { id: question.id, institutionName: 'Clinica Țară', upload: { id: uploadId } },
    ])

    expect(await answer(reviewer, question.id)).toMatchObject({ state: 'answered', isUnread: true })
    expect([await countOf(reviewer), await countOf(ana), await countOf(colleague)]).toEqual([0, 1, 1])
    expect(await countOf(foreigner)).toBe(0)
    expect((await colleague.runQuery(MARK_READ, { id: question.id })).markQuestionRead.isUnread).toBe(false)
    expect(await countOf(ana)).toBe(0)

    const { version } = (await of(ana, uploadId))[0]
    expect((await ana.runQuery(CLOSE, { id: question.id, version })).closeQuestion.state).toBe('closed')
    expect(await ask(colleague, uploadId, 'Și cealaltă?')).toMatchObject({ id: question.id, state: 'open' })
    const [{ version: now }] = await open(reviewer)
    const closed = await registrar.runQuery(CLOSE, { id: question.id, version: now })
    expect(closed.closeQuestion).toMatchObject({ state: 'closed', isUnread: true, waitingSince: null })
    expect(await answer(registrar, question.id, 'Încă ceva.')).toMatchObject({ state: 'answered' })
    const actions = await server.db
      .selectFrom('audit_event')
      .select('action')
      .where('subject_id', '=', uploadId)
      .where('action', 'like', 'question.%')
      .where('action', '!=', 'question.read')
      .orderBy('id')
      .execute()
    expect(actions.map(({ action }) => action.slice('question.'.length))).toEqual([
      'ask',
      'answer',
      'close',
      'ask',
      'close',
      'answer',
    ])
  })

  it('names staff for staff, and for the institution only its own people', async () => {
    const { id: uploadId } = await released({ created_by: registrar.id })
    const { id } = await ask(ana, uploadId)
    await answer(reviewer, id)
    const names = async (client: TestClient) =>
      (await of(client, uploadId))[0].messages.map(({ authorName }: { authorName: string }) => authorName)
    expect(await names(registrar)).toEqual(['Ana Pop', 'Radu Matei'])
    expect(await names(colleague)).toEqual(['Ana Pop', null])
    expect((await of(registrar, uploadId))[0].answererName).toBe('Ilinca Șerban')
    expect((await of(colleague, uploadId))[0].answererName).toBeNull()
    const rights = vi.spyOn(rules, 'canReadAuthors').mockImplementation(() => true)
    try {
      // The database shows guests no name of staff either.
      expect(await names(colleague)).toEqual(['Ana Pop', null])
      expect(rights).toHaveBeenCalled()
    } finally {
      rights.mockRestore()
    }
  })

  it('keeps hostile texts as they are, and refuses empty and long ones', async () => {
    const { id: uploadId } = await released()
    const { id, messages } = await ask(ana, uploadId, HOSTILE)
    expect(messages[0].text).toBe(HOSTILE)
    expect(
      (await answer(reviewer, id, `\0${'x'.repeat(LIMITS.questionText)}`)).messages[1].text,
    ).toHaveLength(LIMITS.questionText)
    for (const text of ['', ' \n ', 'x'.repeat(LIMITS.questionText + 1)]) {
      expect(await codesOf(ana, ASK, { uploadId, text })).toEqual(['BAD_USER_INPUT'])
      expect(await codesOf(reviewer, ANSWER, { id, text })).toEqual(['BAD_USER_INPUT'])
    }
  })

  it('is added once if the request is repeated, and begun once by two colleagues', async () => {
    const { id: uploadId } = await released()
    await Promise.all([ask(ana, uploadId), ask(ana, uploadId)])
    expect((await of(ana, uploadId))[0].messageCount).toBe(1)
    const { id: second } = await released()
    await Promise.all([ask(ana, second, 'Una'), ask(colleague, second, 'Alta')])
    const found = await of(reviewer, second)
    expect(found).toHaveLength(1)
    expect(found[0].messages.map(({ text }: { text: string }) => text).sort()).toEqual(['Alta', 'Una'])
  })

  it('has a bounded number of messages', async () => {
    const { id: uploadId } = await released()
    const { id } = await ask(ana, uploadId)
    for (let count = 1; count < LIMITS.questionMessages; count += 1)
      await answer(reviewer, id, `Răspuns ${count}`)
    for (const [client, query] of [
      [ana, ASK],
      [reviewer, ANSWER],
    ] as const) {
      const { errors } = await client.graphql(query, { uploadId, id, text: 'Încă unul' })
      expect(errors[0]).toMatchObject({ extensions: { code: 'CONFLICT' } })
      expect(errors[0]!.message).toContain(`${LIMITS.questionMessages} de mesaje`)
    }
  })

  it('is not closed over a newer message', async () => {
    const { id: uploadId } = await released()
    const { id, version } = await ask(ana, uploadId)
    await ask(ana, uploadId, 'Încă ceva')
    expect(await codesOf(reviewer, CLOSE, { id, version })).toEqual(['CONFLICT'])
    expect((await of(ana, uploadId))[0].state).toBe('open')
  })
})

describe('who reads and writes', () => {
  it('is the institution to which the result is released, and staff who may read the upload', async () => {
    const { id: uploadId } = await released()
    const waiting = await released({ state: 'in_review', released_at: null })
    expect(await codesOf(foreigner, ASK, { uploadId, text: 'Ce?' })).toEqual(['NOT_FOUND'])
    expect(await codesOf(ana, ASK, { uploadId: waiting.id, text: 'Ce?' })).toEqual(['NOT_FOUND'])
    expect(await codesOf(ana, ASK, { uploadId: 'x', text: 'Ce?' })).toEqual(['NOT_FOUND'])
    expect(await codesOf(reviewer, ASK, { uploadId, text: 'Ce?' })).toEqual(['FORBIDDEN'])
    const { id, version } = await ask(ana, uploadId)
    expect(await codesOf(ana, ANSWER, { id, text: 'Da' })).toEqual(['FORBIDDEN'])
    for (const [query, variables] of [
      [OF_UPLOAD, { uploadId }],
      [ONE, { id }],
      [CLOSE, { id, version }],
      [MARK_READ, { id }],
    ] as const)
      expect(await codesOf(foreigner, query, variables)).toEqual(['NOT_FOUND'])
    expect(await own(foreigner)).toEqual([])
    expect(await own(both)).toHaveLength(1)
    for (const query of [OPEN, '{ questionCount }'])
      expect(await codesOf(without, query)).toEqual(['FORBIDDEN'])
    expect(await codesOf(without, ANSWER, { id, text: 'Da' })).toEqual(['FORBIDDEN'])
  })

  it('is only the own institution, also with the condition of the scope removed', async () => {
    const { id: uploadId } = await released()
    const { id, version } = await ask(ana, uploadId)
    await answer(reviewer, id)
    const scope = vi.spyOn(rules, 'questionScope').mockImplementation(() => ({ kind: 'all' }))
    try {
      expect(await own(foreigner)).toEqual([])
      expect(await countOf(foreigner)).toBe(0)
      for (const [query, variables] of [
        [ONE, { id }],
        [CLOSE, { id, version }],
        [MARK_READ, { id }],
      ] as const)
        expect(await codesOf(foreigner, query, variables)).toEqual(['NOT_FOUND'])
      expect(await own(ana)).toHaveLength(1)
      expect(scope).toHaveBeenCalled()
    } finally {
      scope.mockRestore()
    }
  })

  it('is nobody while the feature of files is off, and no user of a suspended institution', async () => {
    const { id: uploadId } = await released()
    const { id, version } = await ask(ana, uploadId)
    const { db } = server
    const kept = JSON.stringify(FEATURES.filter((feature) => feature !== 'patient::files'))
    await db.insertInto('site_setting').values({ key: 'features', value: kept }).execute()
    try {
      for (const client of [ana, reviewer]) {
        expect(await codesOf(client, OF_UPLOAD, { uploadId })).toEqual(['FORBIDDEN'])
        expect(await codesOf(client, CLOSE, { id, version })).toEqual(['FORBIDDEN'])
        expect(await codesOf(client, '{ questionCount }')).toEqual(['FORBIDDEN'])
      }
      expect(await codesOf(ana, ASK, { uploadId, text: 'Ce?' })).toEqual(['FORBIDDEN'])
      expect(await codesOf(ana, OWN)).toEqual(['FORBIDDEN'])
    } finally {
      await db.deleteFrom('site_setting').where('key', '=', 'features').execute()
    }
    const suspend = (suspended_at: Date | null) =>
      db.updateTable('institution').set({ suspended_at }).where('id', '=', clinic.id).execute()
    await suspend(new Date())
    try {
      expect(await own(both)).toEqual([])
      expect(await codesOf(both, ASK, { uploadId, text: 'Ce?' })).toEqual(['NOT_FOUND'])
      expect((await answer(reviewer, id)).state).toBe('answered')
    } finally {
      await suspend(null)
    }
  })

  it('after a withdrawal the institution reads its own text, and writes nothing', async () => {
    const { id: uploadId } = await released()
    const { id, version } = await ask(ana, uploadId, 'Este al meu?')
    await reviewer.runQuery(WITHDRAW, { id: uploadId })
    expect((await ana.runQuery(ONE, { id })).question).toMatchObject({
      upload: null,
      messages: [{ text: 'Este al meu?' }],
    })
    expect(await own(colleague)).toMatchObject([{ id, upload: null }])
    expect(await codesOf(ana, OF_UPLOAD, { uploadId })).toEqual(['NOT_FOUND'])
    expect(await codesOf(ana, ASK, { uploadId, text: 'Încă ceva' })).toEqual(['NOT_FOUND'])
    expect((await answer(reviewer, id, 'A fost retras.')).state).toBe('answered')
    expect(await codesOf(ana, CLOSE, { id, version })).toEqual(['CONFLICT'])
    const { version: now } = (await ana.runQuery(ONE, { id })).question
    expect((await ana.runQuery(CLOSE, { id, version: now })).closeQuestion.state).toBe('closed')
  })

  const release = (id: string) =>
    server.db
      .updateTable('upload')
      .set({ state: 'released', released_at: new Date() })
      .where('id', '=', id)
      .execute()
  const lastAudit = (action: string) =>
    server.db
      .selectFrom('audit_event')
      .select(['at', 'subject_ids'])
      .where('action', '=', action)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
  const versionOf = async (id: string) =>
    (await reviewer.runQuery('query ($id: ID!) { upload(id: $id) { version } }', { id })).upload.version

  it('of an upload corrected to another institution, its new side does not see the question', async () => {
    const { id: uploadId, patient } = await released()
    await makeReferral(server.db, { patient_id: patient.id, institution_id: other.id })
    const { id } = await ask(ana, uploadId)
    const version = await versionOf(uploadId)
    await reviewer.runQuery(CORRECT, { id: uploadId, version, institutionId: other.id })
    await release(uploadId)
    for (const client of [foreigner, both]) expect(await of(client, uploadId)).toEqual([])
    expect(await codesOf(foreigner, ONE, { id })).toEqual(['NOT_FOUND'])
    expect((await ana.runQuery(ONE, { id })).question.upload).toBeNull()
    const mine = await ask(foreigner, uploadId, 'Ce este?')
    expect(mine.id).not.toBe(id)
    expect(await of(reviewer, uploadId)).toMatchObject([
      { id: mine.id, upload: { id: uploadId } },
      { id, upload: null },
    ])
    // Staff answer the former institution too, and read that its question is not about what the upload is now.
    expect((await answer(reviewer, id)).upload).toBeNull()
    expect((await answer(reviewer, mine.id)).upload).toEqual({ id: uploadId })
  })

  it('of an upload moved to another patient of the same institution, the former question is not shown with it', async () => {
    const { id: uploadId, patient } = await released()
    const right = await makePatient(server.db)
    await makeReferral(server.db, { patient_id: right.id, institution_id: clinic.id })
    const { id } = await ask(ana, uploadId)
    const version = await versionOf(uploadId)
    const listed = (await open(reviewer)).map((each: { uploadId: string }) => each.uploadId)
    expect(await lastAudit('question.list')).toMatchObject({ subject_ids: listed })
    await reviewer.runQuery(MOVE, {
      id: uploadId,
      version,
      patientId: right.id,
      institutionId: clinic.id,
    })
    await release(uploadId)
    expect(await of(ana, uploadId)).toEqual([])
    expect((await ana.runQuery(ONE, { id })).question.upload).toBeNull()
    expect((await ask(ana, uploadId, 'Alta')).id).not.toBe(id)
    // Staff read both, which is recorded for each of the two patients.
    const { at } = await lastAudit('question.ask')
    expect(await of(reviewer, uploadId)).toHaveLength(2)
    const readings = await server.db
      .selectFrom('audit_event')
      .select('patient_id')
      .where('action', '=', 'question.read')
      .where('actor_id', '=', reviewer.id)
      .where('at', '>=', at)
      .execute()
    expect(readings.map(({ patient_id }) => patient_id).sort()).toEqual([patient.id, right.id].sort())
  })

  it('of a patient who was merged into another, the question stays with the result', async () => {
    const { id: uploadId, patient } = await released()
    const survivor = await makePatient(server.db)
    const { id } = await ask(ana, uploadId)
    const { db } = server
    await db.updateTable('patient').set({ merged_into: survivor.id }).where('id', '=', patient.id).execute()
    await db.updateTable('upload').set({ patient_id: survivor.id }).where('id', '=', uploadId).execute()
    await db
      .updateTable('referral')
      .set({ patient_id: survivor.id })
      .where('patient_id', '=', patient.id)
      .execute()
    expect(await of(ana, uploadId)).toMatchObject([{ id, upload: { id: uploadId } }])
    expect(await ask(ana, uploadId, 'Încă ceva')).toMatchObject({ id, messageCount: 2 })
  })
})

it('the open questions come the oldest first, with who should answer', async () => {
  const ids: string[] = []
  for (const _ of [1, 2, 3]) {
    const { id } = await released({ created_by: registrar.id })
    ids.push((await ask(ana, id)).id)
  }
  const { upload_id } = await server.db
    .selectFrom('question')
    .select('upload_id')
    .where('id', '=', ids[1]!)
    .executeTakeFirstOrThrow()
  await server.db
    .insertInto('review')
    .values({
      id: crypto.randomUUID(),
      upload_id,
      reviewer_id: reviewer.id,
      verdict: 'accepted',
      round: 1,
      checks: '[]',
    })
    .execute()
  const listed = await open(reviewer)
  expect(listed.map(({ id }: { id: string }) => id)).toEqual(ids)
  expect(listed.map(({ answererName }: { answererName: string }) => answererName)).toEqual([
    'Ilinca Șerban',
    'Radu Matei',
    'Ilinca Șerban',
  ])
  // More from the institution keeps its place; an answer takes it from the list.
  await ask(ana, listed[0].uploadId, 'Încă ceva')
  expect((await open(reviewer)).map(({ id }: { id: string }) => id)).toEqual(ids)
  await answer(reviewer, ids[0]!)
  expect((await open(reviewer)).map(({ id }: { id: string }) => id)).toEqual(ids.slice(1))
})
