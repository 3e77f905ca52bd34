import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeInstitution, makePatient, makeReferral } from '../../../db/factories.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import { countLockWaits } from '../../../test/locks/lock-waits.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { createSystemContext } from '../../context.ts'
import * as rules from './access-requests.access.ts'
import { purgeAccessRequests } from './purge-access-requests.ts'

const REQUEST = 'mutation ($request: AccessRequestInput!) { requestAccess(request: $request) }'
const OWN = `{ ownAccessRequests { nodes { id state surname givenNames birthDate cnpMasked purpose doctor number authorName
  institutionName patientId refusal refusalNote } } }`
const LIST = 'query ($decided: Boolean) { accessRequests(decided: $decided) { nodes { id state } } }'
const READ = `query ($id: ID!) { accessRequest(id: $id) { cnp request { id state surname authorName }
  candidates { id name cnpMasked agrees disagrees isReferred } } }`
const ACCEPT = `mutation ($id: ID!, $patientId: ID!, $doctor: String, $number: String, $referredOn: String) {
  acceptAccessRequest(id: $id, patientId: $patientId, doctor: $doctor, number: $number, referredOn: $referredOn) { state patientId } }`
const REFUSE = `mutation ($id: ID!, $refusal: AccessRefusal!, $note: String) {
  refuseAccessRequest(id: $id, refusal: $refusal, note: $note) { state refusal refusalNote } }`

const CNP = makeCnp({ sex: 'female', birthDate: '1981-06-26', county: 12, serial: 162 })
const HOSTILE = '<img src=x onerror=alert(1)> "; drop table patient; --'

let server: TestServer
let clinic: { id: string; name: string }
let other: { id: string; name: string }
let ana: TestClient & { id: string }
let colleague: TestClient & { id: string }
let both: TestClient & { id: string }
let foreigner: TestClient & { id: string }
let staff: TestClient & { id: string }
let secondStaff: TestClient & { id: string }

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  clinic = await makeInstitution(db, { name: 'Clinica Țară' })
  other = await makeInstitution(db, { name: 'Spitalul Mare' })
  ana = await server.signInAs({ role: 'institution', name: 'Ana Pop', institutionIds: [clinic.id] })
  colleague = await server.signInAs({ role: 'institution', institutionIds: [clinic.id] })
  both = await server.signInAs({ role: 'institution', institutionIds: [clinic.id, other.id] })
  foreigner = await server.signInAs({ role: 'institution', institutionIds: [other.id] })
  staff = await server.signInAs({ name: 'Ilinca Șerban', features: [] })
  secondStaff = await server.signInAs({ role: 'admin' })
})
beforeEach(async () => {
  await server.db.deleteFrom('access_request').execute()
})

const person = (over: object = {}) => ({
  institutionId: clinic.id,
  surname: 'Căutata',
  givenNames: 'Eva',
  birthDate: '1981-06-26',
  purpose: 'Consult de control',
  ...over,
})
const send = (client: TestClient, over: object = {}) => client.graphql(REQUEST, { request: person(over) })
const sent = async (over: object = {}): Promise<string> => {
  expect((await send(ana, over)).data).toEqual({ requestAccess: true })
  const { id } = await server.db
    .selectFrom('access_request')
    .select('id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return id
}
const listOf = async (client: TestClient) => (await client.runQuery(OWN)).ownAccessRequests.nodes
const codesOf = async (client: TestClient, query: string, variables: object) =>
  (await client.graphql(query, variables as Record<string, unknown>)).errors.map(
    ({ extensions }) => extensions.code,
  )
const entriesOf = (action: string) =>
  server.db
    .selectFrom('audit_event')
    .select(['actor_id', 'subject_id', 'patient_id', 'changes'])
    .where('action', '=', action)
    .orderBy('id')
    .execute()

describe('a request for access', () => {
  it('is answered byte for byte alike for an unknown patient, one of others, and one of the institution', async () => {
    const { db } = server
    const mine = await makePatient(db, { surname: 'Proprie', given_names: 'Ioana' })
    await makeReferral(db, { patient_id: mine.id, institution_id: clinic.id })
    const theirs = await makePatient(db, { surname: 'Străina', given_names: 'Maria' })
    await makeReferral(db, { patient_id: theirs.id, institution_id: other.id })
    const of = ({ surname, given_names, birth_date, cnp }: typeof mine) => ({
      surname,
      givenNames: given_names,
      birthDate: birth_date,
      cnp,
    })
    const headers = { authorization: await ana.authorization() }
    const answers = await Promise.all(
      [of(mine), of(theirs), { cnp: CNP }].map(async (over) => {
        const response = await ana.postGraphql(
          { query: REQUEST, variables: { request: person(over) } },
          headers,
        )
        return [response.status, await response.text()]
      }),
    )
    expect(answers[0]).toEqual([200, '{"data":{"requestAccess":true}}'])
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    const listed = await listOf(ana)
    expect(listed).toHaveLength(3)
    for (const request of listed)
      expect(request).toMatchObject({ state: 'sent', patientId: null, refusal: null })
  })

  it('reads and locks no patient, so that its time is the same, and leaves the same entries in the audit log', async () => {
    const { db } = server
    const theirs = await makePatient(db, { surname: 'Străina', given_names: 'Maria', cnp: CNP })
    await makeReferral(db, { patient_id: theirs.id, institution_id: other.id })
    const known = {
      surname: theirs.surname,
      givenNames: theirs.given_names,
      birthDate: '1981-06-26',
      cnp: CNP,
    }
    const entriesSince = async (id: number) =>
      (await db.selectFrom('audit_event').selectAll().where('id', '>', id).orderBy('id').execute()).map(
        ({ id: _id, at: _at, subject_id: _subject, request_id: _request, ...entry }) => entry,
      )
    const lastEntry = async () =>
      (await db.selectFrom('audit_event').select('id').orderBy('id', 'desc').executeTakeFirst())?.id ?? 0
    const write = async (over: object) => {
      const last = await lastEntry()
      expect((await send(ana, over)).data).toEqual({ requestAccess: true })
      return entriesSince(last)
    }
    const [ofKnown, ofUnknown] = await db.transaction().execute(async (tx) => {
      // Whatever looks for a patient would wait for ever: for guests a policy adds the referrals to each query of `patient`, whose
      // own lock every foreign key needs.
      await sql`lock table patient_name_pair, referral, upload in access exclusive mode`.execute(tx)
      return [await write(known), await write({ cnp: null })]
    })
    expect(ofKnown).toMatchObject([{ action: 'access-request.create', patient_id: null }])
    expect(ofKnown).toEqual(ofUnknown)
    await db.updateTable('patient').set({ deleted_at: new Date() }).where('id', '=', theirs.id).execute()
  })

  it('keeps the CNP for staff, masked for the institution and absent from the audit log', async () => {
    const id = await sent({ cnp: CNP, purpose: `Control, CNP ${CNP}`, number: CNP, doctor: `Dr. Pop ${CNP}` })
    for (const client of [ana, colleague]) {
      const response = JSON.stringify(await listOf(client))
      expect(response).not.toContain(CNP)
      expect(response).toContain(`"cnpMasked":"*********${CNP.slice(-4)}"`)
    }
    expect((await staff.runQuery(READ, { id })).accessRequest.cnp).toBe(CNP)
    const entries = await server.db.selectFrom('audit_event').selectAll().execute()
    expect(JSON.stringify(entries)).not.toContain(CNP)
    expect((await entriesOf('access-request.create')).at(-1)).toMatchObject({
      actor_id: ana.id,
      subject_id: id,
    })
  })

  it.each([
    ['no surname', { surname: ' ' }, 'surname'],
    ['no given names', { givenNames: '' }, 'givenNames'],
    ['no birth date', { birthDate: null }, 'birthDate'],
    ['a birth date that is none', { birthDate: '1981-02-30' }, 'birthDate'],
    ['a birth date long ago', { birthDate: '1870-01-01' }, 'birthDate'],
    ['a birth date in the future', { birthDate: '2999-01-01' }, 'birthDate'],
    ['a wrong check digit', { cnp: `${CNP.slice(0, -1)}${(Number(CNP.at(-1)) + 1) % 10}` }, 'cnp'],
    ['a CNP of another day', { cnp: CNP, birthDate: '1981-06-27' }, 'birthDate'],
    ['no purpose', { purpose: '' }, 'purpose'],
    ['a long purpose', { purpose: 'x'.repeat(LIMITS.accessPurpose + 1) }, 'purpose'],
    ['a long name', { surname: 'x'.repeat(101) }, 'surname'],
    ['a long number', { number: 'x'.repeat(61) }, 'number'],
  ])('with %s names the field', async (_what, over, field) => {
    const { errors } = await send(ana, over)
    expect(errors[0]!.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: [{ field }] })
    expect(await listOf(ana)).toEqual([])
  })

  it('keeps hostile texts as they are, without invisible characters', async () => {
    await sent({ purpose: `\u202e${HOSTILE}`, doctor: HOSTILE, surname: "O'Brien" })
    expect(await listOf(ana)).toMatchObject([{ doctor: HOSTILE, purpose: HOSTILE, surname: "O'Brien" }])
  })

  it('is sent once, also at the same moment, until it is decided or differs', async () => {
    await Promise.all([send(ana), send(ana), send(ana)])
    expect(await listOf(ana)).toHaveLength(1)
    await send(ana, { purpose: 'Alt scop' })
    const [request] = await listOf(ana)
    await staff.runQuery(REFUSE, { id: request.id, refusal: 'neutral' })
    await send(ana, { purpose: 'Alt scop' })
    expect(await listOf(ana)).toHaveLength(3)
  })

  const fill = (count: number, userId: string, hoursAgo = 1) =>
    server.db
      .insertInto('access_request')
      .values(
        Array.from({ length: count }, (_, index) => ({
          id: crypto.randomUUID(),
          institution_id: clinic.id,
          created_by: userId,
          created_at: new Date(Date.now() - hoursAgo * 3_600_000),
          surname: `Pop ${index}`,
          given_names: 'Ion',
          birth_date: '1980-01-01',
          purpose: 'Control',
        })),
      )
      .execute()

  it('is limited for a user who asks for two institutions at the same moment', async () => {
    await fill(LIMITS.accessRequestsOfUser - 1, both.id)
    const results = await server.db.transaction().execute(async (tx) => {
      // Both have counted before one is written, unless they exclude each other.
      await sql`lock table audit_event in exclusive mode`.execute(tx)
      const sending = [clinic, other].map(({ id }) => send(both, { institutionId: id }))
      await expect.poll(() => countLockWaits(server.db)).toBe(2)
      return sending
    })
    const answers = await Promise.all(results)
    expect(answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code))).toEqual([
      'TOO_MANY',
    ])
  })

  it('is limited for a user and for an institution, also at the same moment', async () => {
    await fill(LIMITS.accessRequestsOfUser, ana.id, 25)
    await fill(LIMITS.accessRequestsOfUser - 1, ana.id)
    const results = await Promise.all([send(ana), send(ana, { purpose: 'Alt scop' })])
    expect(results.map(({ status }) => status).sort()).toEqual([200, 200])
    const refused = results.flatMap(({ errors }) => errors)
    expect(refused).toHaveLength(1)
    expect(refused[0]!.extensions.code).toBe('TOO_MANY')
    expect(refused[0]!.message).toContain(`Ați trimis ${LIMITS.accessRequestsOfUser} de cereri de acces`)
    expect((await send(colleague)).errors).toEqual([])
    await fill(LIMITS.accessRequestsOfInstitution - LIMITS.accessRequestsOfUser - 1, both.id)
    const { errors } = await send(colleague, { purpose: 'Alt scop' })
    expect(errors[0]!.extensions.code).toBe('TOO_MANY')
    expect(errors[0]!.message).toContain('Instituția a trimis 50')
    expect((await send(foreigner, { institutionId: other.id })).errors).toEqual([])
  })

  it('is only for the own institutions that are not suspended, and not for staff', async () => {
    expect(await codesOf(ana, REQUEST, { request: person({ institutionId: other.id }) })).toEqual([
      'NOT_FOUND',
    ])
    expect(await codesOf(ana, REQUEST, { request: person({ institutionId: 'x' }) })).toEqual(['NOT_FOUND'])
    expect(await codesOf(staff, REQUEST, { request: person() })).toEqual(['FORBIDDEN'])
    await sent()
    const suspend = (suspended_at: Date | null) =>
      server.db.updateTable('institution').set({ suspended_at }).where('id', '=', clinic.id).execute()
    await suspend(new Date())
    try {
      expect((await ana.fetch('/api/token')).status === 401 || (await send(ana)).status === 401).toBe(true)
      expect(await codesOf(both, REQUEST, { request: person() })).toEqual(['NOT_FOUND'])
      expect(await listOf(both)).toEqual([])
      const [{ id }] = (await staff.runQuery(LIST)).accessRequests.nodes
      const patient = await makePatient(server.db)
      expect(await codesOf(staff, ACCEPT, { id, patientId: patient.id })).toEqual(['BAD_USER_INPUT'])
      expect((await staff.runQuery(REFUSE, { id, refusal: 'phone' })).refuseAccessRequest.state).toBe(
        'refused',
      )
    } finally {
      await suspend(null)
    }
  })
})

describe('the decision', () => {
  it('shows staff the patients with what agrees and what does not, and records that they were seen', async () => {
    const { db } = server
    const same = await makePatient(db, {
      surname: 'Căutata',
      given_names: 'Eva',
      birth_date: '1981-06-26',
      cnp: null,
    })
    const owner = await makePatient(db, {
      surname: 'Alta',
      given_names: 'Dana',
      birth_date: '1981-06-26',
      cnp: CNP,
    })
    await makeReferral(db, { patient_id: owner.id, institution_id: clinic.id })
    const id = await sent({ cnp: CNP })
    const { accessRequest } = await staff.runQuery(READ, { id })
    expect(accessRequest.request).toEqual({ id, state: 'sent', surname: 'Căutata', authorName: 'Ana Pop' })
    expect(accessRequest.candidates).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: owner.id,
          agrees: ['cnp', 'birth-date'],
          disagrees: ['name'],
          isReferred: true,
        }),
        expect.objectContaining({
          id: same.id,
          agrees: ['name', 'birth-date'],
          disagrees: [],
          isReferred: false,
        }),
      ]),
    )
    const entries = (await entriesOf('access-request.read')).filter(({ subject_id }) => subject_id === id)
    expect(entries.map(({ patient_id }) => patient_id)).toEqual(
      expect.arrayContaining([null, owner.id, same.id]),
    )
    await staff.runQuery('query ($id: ID!) { accessRequest(id: $id) { request { state } } }', { id })
    const later = (await entriesOf('access-request.read')).filter(({ subject_id }) => subject_id === id)
    expect(later.slice(entries.length).map(({ patient_id }) => patient_id)).toEqual([null])
    await staff.runQuery(REFUSE, { id, refusal: 'neutral' })
    expect((await staff.runQuery(READ, { id })).accessRequest.candidates).toEqual([])
    for (const client of [ana, foreigner]) expect(await codesOf(client, READ, { id })).toEqual(['FORBIDDEN'])
    await db.deleteFrom('referral').where('patient_id', '=', owner.id).execute()
    await db
      .updateTable('patient')
      .set({ deleted_at: new Date() })
      .where('id', 'in', [same.id, owner.id])
      .execute()
  })

  it('accepted, gives the institution a referral of the patient and a link to them', async () => {
    const patient = await makePatient(server.db)
    const id = await sent()
    const input = { id, patientId: patient.id, doctor: 'Dr. Pop', number: '77', referredOn: '2026-01-05' }
    expect((await staff.runQuery(ACCEPT, input)).acceptAccessRequest).toEqual({
      state: 'accepted',
      patientId: patient.id,
    })
    expect(await listOf(ana)).toMatchObject([{ id, state: 'accepted', patientId: patient.id }])
    const query = 'query ($id: ID!) { patient(id: $id) { referrals { doctor number referredOn } } }'
    expect((await ana.runQuery(query, { id: patient.id })).patient.referrals).toEqual([
      { doctor: 'Dr. Pop', number: '77', referredOn: '2026-01-05' },
    ])
    expect((await entriesOf('access-request.accept')).at(-1)).toMatchObject({
      actor_id: staff.id,
      subject_id: id,
      patient_id: patient.id,
    })
    // The same request again, after a lost answer.
    await staff.runQuery(ACCEPT, input)
    const referrals = await server.db
      .selectFrom('referral')
      .select('id')
      .where('patient_id', '=', patient.id)
      .execute()
    expect(referrals).toHaveLength(1)
  })

  it('accepted for a patient whom the institution has already, adds no second equal referral', async () => {
    const patient = await makePatient(server.db)
    await makeReferral(server.db, { patient_id: patient.id, institution_id: clinic.id, doctor: null })
    const id = await sent()
    await staff.runQuery(ACCEPT, { id, patientId: patient.id })
    const referrals = await server.db
      .selectFrom('referral')
      .select('id')
      .where('patient_id', '=', patient.id)
      .execute()
    expect(referrals).toHaveLength(1)
  })

  it('refused, is read by the institution with its reason and text, in which a CNP is masked', async () => {
    const id = await sent()
    await staff.runQuery(REFUSE, { id, refusal: 'details', note: `Scrieți medicul. ${CNP} ${HOSTILE}` })
    const [request] = await listOf(colleague)
    expect(request).toMatchObject({ state: 'refused', refusal: 'details', patientId: null })
    expect(request.refusalNote).toBe(`Scrieți medicul. *********${CNP.slice(-4)} ${HOSTILE}`)
    const long = 'x'.repeat(LIMITS.accessPurpose + 1)
    expect(await codesOf(staff, REFUSE, { id, refusal: 'neutral', note: long })).toEqual(['BAD_USER_INPUT'])
  })

  it('of two people at the same moment is made once; the second gets CONFLICT', async () => {
    const patient = await makePatient(server.db)
    const id = await sent()
    const results = await Promise.all([
      staff.graphql(ACCEPT, { id, patientId: patient.id }),
      secondStaff.graphql(REFUSE, { id, refusal: 'neutral' }),
    ])
    expect(results.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code))).toEqual([
      'CONFLICT',
    ])
    const [request] = await listOf(ana)
    const again = request.state === 'accepted' ? REFUSE : ACCEPT
    for (const client of [staff, secondStaff])
      expect(await codesOf(client, again, { id, patientId: patient.id, refusal: 'phone' })).toEqual([
        'CONFLICT',
      ])
  })

  it('fails for an unknown request, an unknown patient, and a user of an institution', async () => {
    const id = await sent()
    const unknown = crypto.randomUUID()
    expect(await codesOf(staff, ACCEPT, { id, patientId: unknown })).toEqual(['NOT_FOUND'])
    expect(await codesOf(staff, ACCEPT, { id: unknown, patientId: unknown })).toEqual(['NOT_FOUND'])
    expect(await codesOf(staff, REFUSE, { id: 'x', refusal: 'neutral' })).toEqual(['NOT_FOUND'])
    expect(await codesOf(ana, REFUSE, { id, refusal: 'neutral' })).toEqual(['FORBIDDEN'])
    expect((await listOf(ana))[0].state).toBe('sent')
  })

  it('is listed for staff: the oldest open first, and the last decided first', async () => {
    const [first, second, third] = [
      await sent({ surname: 'Unu' }),
      await sent({ surname: 'Doi' }),
      await sent({ surname: 'Trei' }),
    ]
    const idsOf = async (decided: boolean) =>
      (await staff.runQuery(LIST, { decided })).accessRequests.nodes.map(({ id }: { id: string }) => id)
    expect(await idsOf(false)).toEqual([first, second, third])
    expect(await staff.runQuery('{ accessRequestCount }')).toEqual({ accessRequestCount: 3 })
    await staff.runQuery(REFUSE, { id: second, refusal: 'neutral' })
    await staff.runQuery(REFUSE, { id: first, refusal: 'neutral' })
    expect(await idsOf(false)).toEqual([third])
    expect(await idsOf(true)).toEqual([first, second])
  })
})

it('the job deletes requests some days after the decision, and no others', async () => {
  const [old, recent, open] = [
    await sent({ surname: 'Vechi' }),
    await sent({ surname: 'Nou' }),
    await sent({ surname: 'Deschis' }),
  ]
  const { db } = server
  for (const id of [old, recent]) await staff.runQuery(REFUSE, { id, refusal: 'neutral' })
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000)
  const age = (id: string, days: number, decided = true) =>
    db
      .updateTable('access_request')
      .set({ created_at: daysAgo(days + 1), ...(decided && { decided_at: daysAgo(days) }) })
      .where('id', '=', id)
      .execute()
  await age(old, LIMITS.accessRequestDays + 1)
  await age(recent, LIMITS.accessRequestDays - 1)
  await age(open, 3 * LIMITS.accessRequestDays, false)
  expect(await purgeAccessRequests(createSystemContext(server.services))).toBe(1)
  const left = await db.selectFrom('access_request').select('id').execute()
  expect(left.map(({ id }) => id).sort()).toEqual([recent, open].sort())
  expect((await entriesOf('access-request.purge')).at(-1)?.changes).toEqual({ rows: { to: 1 } })
})

it('an institution sees no request of another, also with the condition of the scope removed', async () => {
  await sent({ cnp: CNP })
  expect(await listOf(foreigner)).toEqual([])
  const scope = vi.spyOn(rules, 'accessRequestScope').mockImplementation(() => ({ kind: 'all' }))
  try {
    expect(await listOf(foreigner)).toEqual([])
    expect(await listOf(both)).toHaveLength(1)
    expect(scope).toHaveBeenCalled()
  } finally {
    scope.mockRestore()
  }
})
