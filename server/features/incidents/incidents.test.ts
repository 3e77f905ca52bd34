import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../db/factories.ts'
import { INCIDENT_REPORTS_PATH } from '../../../shared/incidents/incidents.ts'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import { formatMoment } from '../../../shared/romania/moment.ts'
import { ACCEPT_UPLOAD } from '../../../test/documents.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { createSystemContext } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { decryptBody } from '../messages/message-body.ts'
import { acceptByPolicy } from '../reviews/accept-by-policy.ts'
import { describeIncident } from './describe-incident.ts'
import { selectIncident } from './incidents.db.ts'

const MOVE = `mutation ($id: ID!, $version: Int!, $patientId: ID!, $institutionId: ID, $reason: String!, $discoveredOn: String) {
  moveReleasedUpload(id: $id, version: $version, patientId: $patientId, institutionId: $institutionId, reason: $reason, discoveredOn: $discoveredOn) { id number } }`
const OPENINGS = `query ($id: ID!) { openings(uploadId: $id) { name institutionName acts { kind firstAt lastAt } } }`
const INCIDENT = `query ($id: ID!) { incident(id: $id) { id number version uploadNumber formerPatient { id name } patient { id }
  category fileCount reason movedByName discoveredAt deadline releasedAt movedAt canManage authority authorityAt persons personsAt
  closedAt closedByName closedReason openings { name institutionName acts { kind } }
  requests { institutionName mailed answeredAt answeredByName } notes { text authorName } } }`
const UPLOAD = `query ($id: ID!) { upload(id: $id) { state version releasedAt openedAt referringDoctor patient { id }
  institution { id } can { move edit } incidents { id } } }`
const REQUESTS =
  '{ deletionRequests { id uploadNumber releasedAt institutionName answeredAt answeredByName } }'
const ANSWER = 'mutation ($id: ID!) { answerDeletionRequest(id: $id) { id answeredAt answeredByName } }'
const NOTE =
  'mutation ($id: ID!, $text: String!) { addIncidentNote(id: $id, text: $text) { notes { text } } }'
const SAVE = `mutation ($id: ID!, $version: Int!, $authority: String, $authorityAt: DateTime, $persons: String, $personsAt: DateTime) {
  saveIncidentNotices(id: $id, version: $version, authority: $authority, authorityAt: $authorityAt, persons: $persons, personsAt: $personsAt) { version authority authorityAt persons personsAt } }`
const CLOSE = `mutation ($id: ID!, $version: Int!, $reason: String!) {
  closeIncident(id: $id, version: $version, reason: $reason) { closedAt closedByName closedReason } }`
/** Written by a reviewer into a reason. */
const FOREIGN_CNP = makeCnp({ sex: 'female', birthDate: '1981-06-26', county: 12, serial: 162 })

const REOPEN = `mutation ($id: ID!, $version: Int!, $reason: String!) {
  reopenIncident(id: $id, version: $version, reason: $reason) { version closedAt closedByName closedReason notes { text authorName } } }`
const CORRECT = `mutation ($id: ID!, $version: Int!, $institutionId: ID) {
  correctUpload(id: $id, version: $version, upload: { title: "Ecografie", institutionId: $institutionId },
    reason: "Trimisă de alt spital, CNP ${FOREIGN_CNP}") { state releasedAt incidents { id isWrongInstitution } } }`
const LIST = 'query ($open: Boolean) { incidents(open: $open) { nodes { id closedAt } } }'

let server: TestServer
let reviewer: TestClient
let registrar: TestClient
let admin: TestClient & { id: string }
let clinic: { id: string; name: string }
let other: { id: string; name: string }
let ana: TestClient & { id: string }
let ion: TestClient & { id: string }
let foreigner: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  reviewer = await server.signInAs({
    name: 'Radu Matei',
    features: ['admin::review-files', 'patient::files'],
  })
  registrar = await server.signInAs({ features: ['patient::files'] })
  admin = await server.signInAs({ role: 'admin', name: 'Ilinca Șerban' })
  clinic = await makeInstitution(db, { name: 'Clinica Țară' })
  other = await makeInstitution(db, { name: 'Spitalul Mare' })
  ana = await server.signInAs({ role: 'institution', name: 'Ana Pop', institutionIds: [clinic.id] })
  ion = await server.signInAs({ role: 'institution', name: 'Ion Rus', institutionIds: [clinic.id, other.id] })
  foreigner = await server.signInAs({ role: 'institution', institutionIds: [other.id] })
})
beforeEach(async () => {
  await server.db.deleteFrom('message').execute()
  await server.db.deleteFrom('deletion_request').execute()
})

/** A result released for a patient of the clinic, and the patient of both institutions to whom it belongs. */
async function releasedUpload(over: Parameters<typeof makeUpload>[2] = {}) {
  const { db, services } = server
  const [former, right] = [
    await makePatient(db, { surname: 'Greșit', given_names: 'Dan' }),
    await makePatient(db, { surname: 'Drept', given_names: 'Eva' }),
  ]
  await makeReferral(db, { patient_id: former.id, institution_id: clinic.id, doctor: 'Dr. Bălășescu' })
  for (const { id } of [clinic, other])
    await makeReferral(db, { patient_id: right.id, institution_id: id, doctor: `Dr. ${id.slice(-4)}` })
  const upload = await makeUpload(db, services.storage, {
    patient_id: former.id,
    institution_id: clinic.id,
    state: 'released',
    released_at: new Date(Date.now() - 5 * 24 * 3_600_000),
    referring_doctor: 'Dr. Bălășescu',
    ...over,
  })
  return { upload, former, right, id: upload.id, fileId: upload.files[0]!.id }
}
type Released = Awaited<ReturnType<typeof releasedUpload>>

const versionOf = async (id: string) => (await reviewer.runQuery(UPLOAD, { id })).upload.version as number
const moveInput = async ({ id, right }: Released, over: object = {}) => ({
  id,
  version: await versionOf(id),
  patientId: right.id,
  institutionId: other.id,
  reason: `Alt pacient în raport, CNP ${FOREIGN_CNP}`,
  ...over,
})
async function move(released: Released, over: object = {}) {
  const { moveReleasedUpload } = await reviewer.runQuery(MOVE, await moveInput(released, over))
  return { ...(moveReleasedUpload as { id: string; number: number }), released }
}
const read = async (id: string) => (await admin.runQuery(INCIDENT, { id })).incident
const codesOf = async (client: TestClient, query: string, variables: object) =>
  (await client.graphql(query, { ...variables })).errors.map(({ extensions }) => extensions.code)
const body = (response: Response) => response.arrayBuffer()

describe('who opened a released result', () => {
  it('is listed with the institution, for each act the first and the last time', async () => {
    const { id, fileId } = await releasedUpload()
    await ana.runQuery('query ($id: ID!) { upload(id: $id) { id } }', { id })
    await body(await ana.fetch(`/files/${fileId}/preview`))
    await body(await ana.fetch(`/files/${fileId}`))
    await body(await ana.fetch(`/files/${fileId}`))
    await body(await ion.fetch(`/files/zip/${id}`))
    // Colleagues, and users who were refused, are no breach.
    await body(await reviewer.fetch(`/files/${fileId}`))
    expect((await foreigner.fetch(`/files/${fileId}`)).status).toBe(404)
    const { openings } = await reviewer.runQuery(OPENINGS, { id })
    const at = expect.any(String)
    expect(openings).toEqual([
      {
        name: 'Ana Pop',
        institutionName: 'Clinica Țară',
        acts: ['open', 'preview', 'download'].map((kind) => ({ kind, firstAt: at, lastAt: at })),
      },
      {
        name: 'Ion Rus',
        institutionName: 'Clinica Țară',
        acts: [{ kind: 'archive', firstAt: at, lastAt: at }],
      },
    ])
    const download = openings[0].acts[2]
    expect(Date.parse(download.lastAt)).toBeGreaterThan(Date.parse(download.firstAt))
    const { action, patient_id } = await server.db
      .selectFrom('audit_event')
      .select(['action', 'patient_id'])
      .where('subject_id', '=', id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect([action, patient_id]).toEqual(['upload.read-access', expect.any(String)])
  })

  it('names the institution that had the result then, also after it was released to another', async () => {
    const released = await releasedUpload()
    const { id, right } = released
    await server.db.updateTable('upload').set({ patient_id: right.id }).where('id', '=', id).execute()
    await ana.runQuery('query ($id: ID!) { upload(id: $id) { id } }', { id })
    await server.db.updateTable('upload').set({ state: 'in_review' }).where('id', '=', id).execute()
    await reviewer.runQuery(CORRECT, { id, version: await versionOf(id), institutionId: other.id })
    await server.db.updateTable('upload').set({ state: 'released' }).where('id', '=', id).execute()
    await foreigner.runQuery('query ($id: ID!) { upload(id: $id) { id } }', { id })
    const { openings } = await reviewer.runQuery(OPENINGS, { id })
    expect(openings.map(({ institutionName }: { institutionName: string }) => institutionName)).toEqual([
      'Clinica Țară',
      'Spitalul Mare',
    ])
  })

  it('and the request to delete name the institution that had the result before a correction', async () => {
    const released = await releasedUpload()
    const { id, former } = released
    await ana.runQuery('query ($id: ID!) { upload(id: $id) { id } }', { id })
    await makeReferral(server.db, { patient_id: former.id, institution_id: other.id })
    await reviewer.runQuery(
      `mutation ($id: ID!, $version: Int!, $upload: UploadCorrection!) {
        correctUpload(id: $id, version: $version, reason: "Altă instituție", upload: $upload) { id } }`,
      { id, version: await versionOf(id), upload: { title: 'CT', institutionId: other.id } },
    )
    await server.db.updateTable('upload').set({ state: 'released' }).where('id', '=', id).execute()
    await move(released)
    // One of the correction's incident, one of the move's.
    expect((await ana.runQuery(REQUESTS)).deletionRequests).toHaveLength(2)
    expect((await foreigner.runQuery(REQUESTS)).deletionRequests).toEqual([])
  })

  it('is known from before the audit log had it', async () => {
    const { id } = await releasedUpload()
    const at = new Date()
    await server.db
      .insertInto('upload_opening')
      .values({ upload_id: id, user_id: ana.id, opened_at: at, downloaded_at: at })
      .execute()
    const { openings } = await reviewer.runQuery(OPENINGS, { id })
    expect(openings).toMatchObject([{ name: 'Ana Pop', acts: [{ kind: 'open' }, { kind: 'download' }] }])
  })

  it('is for reviewers alone', async () => {
    const { id } = await releasedUpload()
    for (const client of [registrar, ana])
      expect(await codesOf(client, OPENINGS, { id })).toEqual(['FORBIDDEN'])
    expect(await codesOf(reviewer, OPENINGS, { id: newId() })).toEqual(['NOT_FOUND'])
  })
})

describe('moving a released upload to another patient', () => {
  it('ends the access of the wrong side at once, and waits for a review by a person', async () => {
    const released = await releasedUpload()
    const { id, fileId, former, right } = released
    await ana.runQuery('query ($id: ID!) { upload(id: $id) { id } }', { id })
    await move(released)
    for (const client of [ana, ion, foreigner]) {
      expect(await codesOf(client, UPLOAD, { id })).toEqual(['NOT_FOUND'])
      expect((await client.fetch(`/files/${fileId}`)).status).toBe(404)
      expect((await client.fetch(`/files/zip/${id}`)).status).toBe(404)
    }
    await acceptByPolicy(createSystemContext(server.services), id)
    const { upload } = await reviewer.runQuery(UPLOAD, { id })
    expect(upload).toMatchObject({
      state: 'in_review',
      releasedAt: null,
      patient: { id: right.id },
      institution: { id: other.id },
      // The doctor of the former patient does not stay; the new patient has one for the institution.
      referringDoctor: `Dr. ${other.id.slice(-4)}`,
      can: { move: false, edit: true },
      incidents: [{ id: expect.any(String) }],
    })
    // Released again, the new institution sees it as unread, and the former one not at all.
    const accepted = await reviewer.graphql(ACCEPT_UPLOAD, { id, version: upload.version })
    expect(accepted.errors).toEqual([])
    expect((await foreigner.runQuery('{ inbox { nodes { id openedAt } } }')).inbox.nodes).toContainEqual({
      id,
      openedAt: null,
    })
    expect(await codesOf(ana, UPLOAD, { id })).toEqual(['NOT_FOUND'])
    const entries = await server.db
      .selectFrom('audit_event')
      .select(['patient_id', 'changes'])
      .where('subject_id', '=', id)
      .where('action', '=', 'upload.move')
      .orderBy('id')
      .execute()
    expect(entries.map(({ patient_id }) => patient_id)).toEqual([former.id, right.id])
    expect(JSON.stringify(entries)).not.toContain(FOREIGN_CNP)
  })

  it('within one institution shows the result of the right patient as unread', async () => {
    const released = await releasedUpload()
    const { id } = released
    await ana.runQuery('query ($id: ID!) { upload(id: $id) { id } }', { id })
    await move(released, { institutionId: clinic.id })
    const { version } = (await reviewer.runQuery(UPLOAD, { id })).upload
    await reviewer.runQuery(ACCEPT_UPLOAD, { id, version })
    const { inbox } = await ana.runQuery('{ inbox { nodes { id openedAt } } }')
    expect(inbox.nodes).toContainEqual({ id, openedAt: null })
    expect((await reviewer.runQuery(OPENINGS, { id })).openings).toEqual([])
  })

  it.each([
    ['without a reason', { reason: ' ' }, 'BAD_USER_INPUT'],
    ['to no patient', { patientId: '', institutionId: null }, 'BAD_USER_INPUT'],
    ['to the same patient', 'same', 'BAD_USER_INPUT'],
    ['to an unknown patient', { patientId: newId() }, 'NOT_FOUND'],
    ['to an institution without a referral', 'unreferred', 'BAD_USER_INPUT'],
    ['with another version', { version: 99 }, 'CONFLICT'],
    ['discovered before its release', { discoveredOn: '2020-01-01' }, 'BAD_USER_INPUT'],
    ['discovered tomorrow', { discoveredOn: '2999-01-01' }, 'BAD_USER_INPUT'],
  ] as const)('%s is rejected, and nothing changes', async (_what, over, code) => {
    const released = await releasedUpload()
    await ana.runQuery('query ($id: ID!) { upload(id: $id) { id } }', { id: released.id })
    const stranger = await makeInstitution(server.db)
    const given =
      over === 'same'
        ? { patientId: released.former.id, institutionId: clinic.id }
        : over === 'unreferred'
          ? { institutionId: stranger.id }
          : over
    expect(await codesOf(reviewer, MOVE, await moveInput(released, given))).toEqual([code])
    const { upload } = await reviewer.runQuery(UPLOAD, { id: released.id })
    expect(upload).toMatchObject({ state: 'released', patient: { id: released.former.id }, incidents: [] })
    expect(await server.db.selectFrom('message').select('id').execute()).toEqual([])
    expect((await ana.fetch(`/files/${released.fileId}`)).status).toBe(200)
  })

  it.each(['in_review', 'accepted', 'rejected'] as const)(
    'after its return from the release is the only way to another patient, also as %s',
    async (state) => {
      const released = await releasedUpload()
      const { id, former, right } = released
      await ana.runQuery('query ($id: ID!) { upload(id: $id) { id } }', { id })
      await makeReferral(server.db, { patient_id: former.id, institution_id: other.id })
      const correct = `mutation ($id: ID!, $version: Int!, $upload: UploadCorrection!) {
        correctUpload(id: $id, version: $version, reason: "Altă instituție", upload: $upload) { state } }`
      const details = { title: 'CT', institutionId: other.id }
      await reviewer.runQuery(correct, { id, version: await versionOf(id), upload: details })
      const edit = `mutation ($id: ID!, $version: Int!, $upload: UploadInput!) {
        editUpload(id: $id, version: $version, upload: $upload) { id } }`
      for (const patientId of [right.id, null]) {
        const upload = { title: 'CT', patientId }
        const { errors } = await reviewer.graphql(edit, { id, version: await versionOf(id), upload })
        expect(errors[0]?.extensions.fields?.map(({ field }) => field)).toEqual(['patientId'])
      }
      await server.db.updateTable('upload').set({ state }).where('id', '=', id).execute()
      await move(released)
      const { upload } = await reviewer.runQuery(UPLOAD, { id })
      expect(upload).toMatchObject({ state: 'in_review', releasedAt: null, patient: { id: right.id } })
      // One of the correction, one of the move.
      expect(upload.incidents).toHaveLength(2)
      expect((await ana.runQuery(REQUESTS)).deletionRequests).toHaveLength(2)
      expect(await codesOf(reviewer, MOVE, await moveInput({ ...released, right: former }))).toEqual([
        'CONFLICT',
      ])
    },
  )

  it('is for reviewers, and for released uploads', async () => {
    const released = await releasedUpload()
    for (const client of [registrar, ana])
      expect(await codesOf(client, MOVE, await moveInput(released))).toEqual(['FORBIDDEN'])
    const waiting = await releasedUpload({ state: 'in_review', released_at: null })
    expect(await codesOf(reviewer, MOVE, await moveInput(waiting))).toEqual(['CONFLICT'])
    const unassigned = await releasedUpload({ state: 'withdrawn', released_at: null, patient_id: null })
    expect(await codesOf(reviewer, MOVE, await moveInput(unassigned))).toEqual(['CONFLICT'])
  })

  it('of two at the same moment happens once', async () => {
    const released = await releasedUpload()
    const input = await moveInput(released)
    const results = await Promise.all([reviewer.graphql(MOVE, input), admin.graphql(MOVE, input)])
    expect(results.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code))).toEqual([
      'CONFLICT',
    ])
    expect((await reviewer.runQuery(UPLOAD, { id: released.id })).upload.incidents).toHaveLength(1)
  })

  it('and an opening at the same moment: the opening is in the record or was refused', async () => {
    for (let round = 0; round < 8; round += 1) {
      const released = await releasedUpload()
      const input = await moveInput(released)
      const [moved, opened] = await Promise.all([
        reviewer.runQuery(MOVE, input),
        ana.fetch(`/files/${released.fileId}`),
      ])
      await opened.arrayBuffer().catch(() => undefined)
      const { openings } = await read(moved.moveReleasedUpload.id)
      expect([opened.status, openings.length]).toEqual(opened.status === 200 ? [200, 1] : [404, 0])
    }
  })
})

describe('the institutions that opened a moved upload', () => {
  it('are asked in their inbox and by mail to delete it, without a name, and their answer returns', async () => {
    const released = await releasedUpload({ title: 'Ecografie rară' })
    const { upload, former, right } = released
    await ana.runQuery('query ($id: ID!) { upload(id: $id) { id } }', { id: upload.id })
    const { id } = await move(released)
    const { deletionRequests } = await ana.runQuery(REQUESTS)
    const request = deletionRequests[0]
    expect(request).toEqual({
      id: expect.any(String),
      uploadNumber: upload.number,
      releasedAt: upload.released_at!.toISOString(),
      institutionName: 'Clinica Țară',
      answeredAt: null,
      answeredByName: null,
    })
    const messages = await server.db
      .selectFrom('message')
      .selectAll()
      .where('kind', '=', 'deletion-request')
      .orderBy('recipient_name')
      .execute()
    expect(messages.map(({ recipient_name, kind }) => [recipient_name, kind])).toEqual([
      ['Ana Pop', 'deletion-request'],
      ['Ion Rus', 'deletion-request'],
    ])
    const { text, html } = decryptBody(createSystemContext(server.services), messages[0]!.body!)!
    expect(text).toContain('Bună ziua, Ana Pop,')
    expect(text).toContain(
      `Rezultatul nr. ${upload.number}, eliberat pe ${formatMoment(upload.released_at!)}, a fost eliberat din greșeală`,
    )
    for (const secret of [former, right].flatMap(({ cnp, surname, given_names }) => [
      cnp!,
      surname,
      given_names,
    ]))
      for (const part of [text, html, messages[0]!.subject]) expect(part).not.toContain(secret)
    expect(text + html).not.toContain('Ecografie')

    // Another institution neither sees nor answers it.
    expect((await foreigner.runQuery(REQUESTS)).deletionRequests).toEqual([])
    expect(await codesOf(foreigner, ANSWER, { id: request.id })).toEqual(['NOT_FOUND'])
    expect(await codesOf(reviewer, ANSWER, { id: request.id })).toEqual(['FORBIDDEN'])
    expect(await codesOf(reviewer, REQUESTS, {})).toEqual(['FORBIDDEN'])
    expect(await codesOf(ana, ANSWER, { id: 'nu' })).toEqual(['NOT_FOUND'])

    expect((await ana.runQuery(ANSWER, { id: request.id })).answerDeletionRequest).toMatchObject({
      answeredByName: 'Ana Pop',
    })
    expect(await codesOf(ion, ANSWER, { id: request.id })).toEqual(['CONFLICT'])
    expect((await read(id)).requests).toEqual([
      {
        institutionName: 'Clinica Țară',
        mailed: 2,
        answeredAt: expect.any(String),
        answeredByName: 'Ana Pop',
      },
    ])
    // The answer stays a week.
    expect((await ana.runQuery(REQUESTS)).deletionRequests).toMatchObject([{ id: request.id }])
    await server.db
      .updateTable('deletion_request')
      .set({ answered_at: new Date(Date.now() - 8 * 24 * 3_600_000) })
      .execute()
    expect((await ana.runQuery(REQUESTS)).deletionRequests).toEqual([])
  })

  it('are not asked where nobody opened it', async () => {
    const { id } = await move(await releasedUpload())
    expect(await read(id)).toMatchObject({ openings: [], requests: [] })
    const mails = await server.db.selectFrom('message').select('kind').execute()
    expect(mails).toEqual([{ kind: 'incident-opened' }])
  })

  it('are not asked twice for what they opened before another move', async () => {
    const first = await releasedUpload()
    await ana.runQuery('query ($id: ID!) { upload(id: $id) { id } }', { id: first.id })
    await move(first)
    await server.db
      .updateTable('upload')
      .set({ state: 'released', released_at: new Date() })
      .where('id', '=', first.id)
      .execute()
    await foreigner.runQuery('query ($id: ID!) { upload(id: $id) { id } }', { id: first.id })
    const second = await move({ ...first, right: first.former }, { institutionId: clinic.id })
    const { requests } = await read(second.id)
    expect(requests.map(({ institutionName }: { institutionName: string }) => institutionName)).toEqual([
      'Spitalul Mare',
    ])
  })
})

describe('an incident', () => {
  const day = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * 24 * 3_600_000).toLocaleDateString('sv-SE', {
      timeZone: 'Europe/Bucharest',
    })

  it('has its facts, and 72 hours from the discovery', async () => {
    const released = await releasedUpload()
    const { id } = await move(released)
    const incident = await read(id)
    expect(incident).toMatchObject({
      uploadNumber: released.upload.number,
      formerPatient: { id: released.former.id, name: 'Greșit Dan' },
      patient: { id: released.right.id },
      fileCount: 1,
      movedByName: 'Radu Matei',
      reason: expect.stringMatching(/CNP \*+\d{4}$/),
      releasedAt: released.upload.released_at!.toISOString(),
      canManage: true,
      authority: null,
      persons: null,
      closedAt: null,
    })
    expect(incident.discoveredAt).toBe(incident.movedAt)
    expect(Date.parse(incident.deadline) - Date.parse(incident.discoveredAt)).toBe(72 * 3_600_000)

    const earlier = await move(await releasedUpload(), { discoveredOn: day(2) })
    const { discoveredAt } = await read(earlier.id)
    const inRomania = new Date(discoveredAt).toLocaleString('sv-SE', { timeZone: 'Europe/Bucharest' })
    expect(inRomania).toBe(`${day(2)} 00:00:00`)
  })

  it('is read and annotated by reviewers and administrators, listed and closed by administrators', async () => {
    const { id } = await move(await releasedUpload())
    for (const client of [registrar, ana]) {
      expect(await codesOf(client, INCIDENT, { id })).toEqual(['FORBIDDEN'])
      expect(await codesOf(client, NOTE, { id, text: 'Notă' })).toEqual(['FORBIDDEN'])
    }
    for (const client of [registrar, ana, reviewer]) {
      expect(await codesOf(client, LIST, {})).toEqual(['FORBIDDEN'])
      expect(await codesOf(client, SAVE, { id, version: 1 })).toEqual(['FORBIDDEN'])
      expect(await codesOf(client, CLOSE, { id, version: 1, reason: 'Gata' })).toEqual(['FORBIDDEN'])
    }
    expect((await reviewer.runQuery(INCIDENT, { id })).incident.canManage).toBe(false)
    for (const unknown of [newId(), 'nu']) {
      expect(await codesOf(admin, INCIDENT, { id: unknown })).toEqual(['NOT_FOUND'])
      expect(await codesOf(admin, NOTE, { id: unknown, text: 'x' })).toEqual(['NOT_FOUND'])
    }
    await reviewer.runQuery(NOTE, { id, text: 'Am sunat la clinică.' })
    expect(await codesOf(reviewer, NOTE, { id, text: '  ' })).toEqual(['BAD_USER_INPUT'])
    expect((await read(id)).notes).toEqual([{ text: 'Am sunat la clinică.', authorName: 'Radu Matei' }])
  })

  it('is closed with a reason, once the notices are recorded, and does not change then', async () => {
    const { id } = await move(await releasedUpload())
    const close = { id, version: 1, reason: 'Ștergerea este confirmată' }
    expect(await codesOf(admin, CLOSE, close)).toEqual(['CONFLICT'])
    const wrong: [object, string][] = [
      [{ version: 9, authority: 'notified' }, 'CONFLICT'],
      [{ authority: 'poate' }, 'BAD_USER_INPUT'],
      [{ authority: 'notified', authorityAt: '2999-01-01T00:00:00Z' }, 'BAD_USER_INPUT'],
      [{ persons: 'notified', personsAt: '2020-01-01T00:00:00Z' }, 'BAD_USER_INPUT'],
    ]
    for (const [given, code] of wrong)
      expect(await codesOf(admin, SAVE, { id, version: 1, ...given })).toEqual([code])
    const notices = { authority: 'notified', persons: 'not-needed' }
    const saved = (await admin.runQuery(SAVE, { id, version: 1, ...notices })).saveIncidentNotices
    expect(saved).toMatchObject({ version: 2, ...notices, authorityAt: expect.any(String) })
    const open = (await admin.runQuery(LIST, { open: true })).incidents.nodes
    expect(open).toContainEqual({ id, closedAt: null })

    expect(await codesOf(admin, CLOSE, close)).toEqual(['CONFLICT'])
    expect(await codesOf(admin, CLOSE, { ...close, version: 2, reason: ' ' })).toEqual(['BAD_USER_INPUT'])
    const { closeIncident } = await admin.runQuery(CLOSE, { ...close, version: 2 })
    expect(closeIncident).toMatchObject({ closedByName: 'Ilinca Șerban', closedReason: close.reason })
    for (const [query, variables] of [
      [CLOSE, { ...close, version: 3 }],
      [NOTE, { id, text: 'Prea târziu' }],
      [SAVE, { id, version: 3, ...notices }],
    ] as const)
      expect(await codesOf(admin, query, variables)).toEqual(['CONFLICT'])
    const ids = async (isOpen: boolean) =>
      (await admin.runQuery(LIST, { open: isOpen })).incidents.nodes.map((node: { id: string }) => node.id)
    expect(await ids(true)).not.toContain(id)
    expect(await ids(false)).toContain(id)
  })

  it('is opened again by an administrator with a reason, which stays in its notes and in the audit log', async () => {
    const { id } = await move(await releasedUpload())
    const reopen = { id, version: 2, reason: `Mai are cineva o copie, CNP ${FOREIGN_CNP}` }
    expect(await codesOf(admin, REOPEN, { ...reopen, version: 1 })).toEqual(['CONFLICT'])
    await admin.runQuery(SAVE, { id, version: 1, authority: 'notified', persons: 'not-needed' })
    await admin.runQuery(CLOSE, { id, version: 2, reason: 'Totul s-a șters' })
    for (const client of [registrar, ana, reviewer])
      expect(await codesOf(client, REOPEN, { ...reopen, version: 3 })).toEqual(['FORBIDDEN'])
    expect(await codesOf(admin, REOPEN, reopen)).toEqual(['CONFLICT'])
    expect(await codesOf(admin, REOPEN, { ...reopen, version: 3, reason: ' ' })).toEqual(['BAD_USER_INPUT'])
    expect(await codesOf(admin, REOPEN, { ...reopen, id: newId(), version: 3 })).toEqual(['NOT_FOUND'])

    const { reopenIncident } = await admin.runQuery(REOPEN, { ...reopen, version: 3 })
    expect(reopenIncident).toEqual({
      version: 4,
      closedAt: null,
      closedByName: null,
      closedReason: null,
      notes: [
        {
          text: expect.stringMatching(
            /^Redeschis: Mai are cineva o copie, CNP \*+\d{4}\nÎncheiat pe .* de Ilinca Șerban: Totul s-a șters$/,
          ),
          authorName: 'Ilinca Șerban',
        },
      ],
    })
    const { changes } = await server.db
      .selectFrom('audit_event')
      .select('changes')
      .where('subject_id', '=', id)
      .where('action', '=', 'incident.reopen')
      .executeTakeFirstOrThrow()
    expect(changes).toEqual({
      reason: { from: 'Totul s-a șters', to: expect.stringMatching(/copie, CNP \*+\d{4}$/) },
    })
    await reviewer.runQuery(NOTE, { id, text: 'Se poate nota din nou.' })
    await admin.runQuery(CLOSE, { id, version: 4, reason: 'Acum este gata' })
  })

  it('is announced by mail to the active administrators, without the patient', async () => {
    const { db } = server
    const second = await makeUser(db, { role: 'admin', name: 'Al doilea' })
    await makeUser(db, { role: 'admin', status: 'suspended' })
    const released = await releasedUpload()
    const { id, number } = await move(released)
    const mails = await db.selectFrom('message').selectAll().where('kind', '=', 'incident-opened').execute()
    expect(mails.map(({ about_id }) => about_id).sort()).toEqual([admin.id, second.id].sort())
    for (const { subject, body } of mails) {
      const text = decryptBody(createSystemContext(server.services), body!)!.text
      expect(subject).toContain(`Incident nr. ${number}`)
      expect(text).toContain(`/incidents/${id}`)
      expect(text).toContain(`Rezultatul nr. ${released.upload.number}`)
      expect(text).toContain(formatMoment(new Date((await read(id)).deadline)))
      for (const hidden of ['Greșit', 'Drept', released.former.cnp!, released.right.cnp!, 'Alt pacient'])
        expect(subject + text).not.toContain(hidden)
    }
    await db.updateTable('app_user').set({ status: 'suspended' }).where('id', '=', second.id).execute()
  })

  it('has a report for reviewers and administrators alone', async () => {
    const { id } = await move(await releasedUpload())
    const path = `${INCIDENT_REPORTS_PATH}/${id}/report.pdf`
    const get = async (client: TestClient, at = path) =>
      client.get(at, { authorization: await client.authorization('export'), cookie: '' })
    for (const client of [reviewer, admin]) {
      const response = await get(client)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
      expect(
        Buffer.from(await response.arrayBuffer())
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-')
    }
    for (const client of [registrar, ana]) expect((await get(client)).status).toBe(403)
    expect((await get(admin, path.replace(id, newId()))).status).toBe(404)
    expect((await admin.get(path)).status).toBe(401)
  })
})

describe('a result that was released to the wrong institution', () => {
  /** Released to the clinic for a patient whom both institutions have referred. */
  const releasedToBoth = async () => {
    const released = await releasedUpload()
    await makeReferral(server.db, { patient_id: released.former.id, institution_id: other.id })
    return released
  }
  const correct = async (id: string, institutionId: string | null) =>
    (await reviewer.runQuery(CORRECT, { id, version: await versionOf(id), institutionId })).correctUpload

  it('opens an incident if it was opened there, and asks that institution alone to delete it', async () => {
    const { id, fileId, upload, former } = await releasedToBoth()
    await body(await ana.fetch(`/files/${fileId}`))
    const corrected = await correct(id, other.id)
    expect(corrected).toEqual({
      state: 'in_review',
      // It was released for its patient, so another patient is an incident of its own.
      releasedAt: expect.any(String),
      incidents: [{ id: expect.any(String), isWrongInstitution: true }],
    })
    const incident = await read(corrected.incidents[0].id)
    expect(incident).toMatchObject({
      uploadNumber: upload.number,
      formerPatient: { id: former.id },
      patient: { id: former.id },
      reason: expect.stringMatching(/spital, CNP \*+\d{4}$/),
      releasedAt: upload.released_at!.toISOString(),
      openings: [{ name: 'Ana Pop', institutionName: 'Clinica Țară', acts: [{ kind: 'download' }] }],
      requests: [{ institutionName: 'Clinica Țară', mailed: 2, answeredAt: null }],
    })
    const asked = async (client: TestClient) =>
      (await client.runQuery(REQUESTS)).deletionRequests.map(
        (request: { uploadNumber: number }) => request.uploadNumber,
      )
    expect([await asked(ana), await asked(foreigner)]).toEqual([[upload.number], []])
    const kinds = await server.db.selectFrom('message').select('kind').orderBy('kind').execute()
    expect(kinds.map(({ kind }) => kind)).toEqual(['deletion-request', 'deletion-request', 'incident-opened'])
    expect((await ana.graphql(UPLOAD, { id })).errors).toHaveLength(1)

    // The right institution has not opened it, and is not blamed for what the other one did.
    await server.db
      .updateTable('upload')
      .set({ state: 'released', released_at: new Date() })
      .where('id', '=', id)
      .execute()
    expect((await reviewer.runQuery(OPENINGS, { id })).openings).toMatchObject([
      { name: 'Ana Pop', institutionName: 'Clinica Țară' },
    ])
    expect((await correct(id, clinic.id)).incidents).toHaveLength(1)
  })

  it('describes it in its report', async () => {
    const { id, upload, former } = await releasedToBoth()
    await body(await ana.fetch(`/files/zip/${id}`))
    const { incidents } = await correct(id, null)
    const incident = (await selectIncident(server.db, incidents[0].id))!
    const text = describeIncident({ incident, requests: [], notes: [] })
      .flatMap(({ paragraphs }) => paragraphs)
      .join('\n')
    expect(text).toContain(
      `Rezultatul nr. ${upload.number} al pacientului nr. ${former.number} a fost eliberat unei instituții căreia nu îi era destinat: Clinica Țară.`,
    )
    expect(text).toContain(`Persoana vizată: pacientul nr. ${former.number},`)
    expect(text).not.toContain('rezultat străin')
  })

  it('opens none if nobody opened it there, or before its release', async () => {
    const unopened = await releasedToBoth()
    expect((await correct(unopened.id, other.id)).incidents).toEqual([])
    const accepted = await releasedToBoth()
    await server.db
      .updateTable('upload')
      .set({ state: 'accepted', released_at: null })
      .where('id', '=', accepted.id)
      .execute()
    expect((await correct(accepted.id, other.id)).incidents).toEqual([])
    // Another title takes it away from nobody.
    const kept = await releasedToBoth()
    await body(await ana.fetch(`/files/${kept.fileId}`))
    expect(await correct(kept.id, clinic.id)).toMatchObject({ state: 'released', incidents: [] })
  })
})
