import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUser } from '../../../db/factories.ts'
import type { Feature } from '../../../shared/access/features.ts'
import { recordStatements } from '../../../test/query-plans/record-statements.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

const SURNAMES = ['Bălan', 'Țurcanu']
const FEATURES: Feature[] = ['patient::files', 'patient::news']
const statements = recordStatements()
let server: TestServer
let staff: TestClient
let guest: TestClient
const ids: string[] = []

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  staff = await server.signIn((await makeUser(db, { features: FEATURES })).email)
  const institution = await makeInstitution(db)
  guest = await server.signIn(
    (await makeUser(db, { role: 'institution', institutionIds: [institution.id] })).email,
  )
  for (const surname of SURNAMES) {
    const { id } = await makePatient(db, {
      surname,
      previous_surname: 'Ene',
      phone: '+40722123456',
      email: 'x@exemplu.test',
      locality: 'Iași',
      notes: `nota lui ${surname}`,
    })
    await makeReferral(db, { patient_id: id, institution_id: institution.id, doctor: `Dr. ${surname}` })
    ids.push(id)
  }
})
afterAll(statements.stop)

const TABLE = `fragment Table on PatientPage { nodes { id number name cnpMasked birthDate phone locality } }
  query ($after: String) { patients(first: 1, after: $after) { endCursor ...Table } }`
const FIELDS = [
  ...[
    'number',
    'surname',
    'givenNames',
    'name',
    'previousSurname',
    'cnpMasked',
    'birthDate',
    'sex',
    'phone',
    'email',
  ],
  ...['county', 'locality', 'address', 'preferredChannel', 'notes', 'version', 'createdAt', 'updatedAt'],
  'referrals { doctor }',
  'can { edit }',
]

const readsOfPatients = (texts: readonly string[]) => texts.filter((text) => text.includes('from "patient"'))

describe('a list of patients', () => {
  it('reads only what its table shows, on every page', async () => {
    let after: string | null = null
    for (let page = 0; page < 2; page += 1) {
      const sent = await statements.during(async () => {
        after = (await staff.runQuery(TABLE, { after })).patients.endCursor
      })
      expect(readsOfPatients(sent)).toHaveLength(1)
      expect(readsOfPatients(sent)[0]).toContain('"locality"')
      for (const column of ['notes', 'email', 'address', 'updated_at', 'name_key'])
        expect(readsOfPatients(sent)[0]).not.toContain(`"${column}"`)
    }
  })

  it('has each field as the patient’s page has it', async () => {
    for (const reader of [staff, guest]) {
      for (const field of FIELDS) {
        const { patients } = await reader.runQuery(`{ patients { nodes { id ... { ${field} } } } }`)
        expect(patients.nodes).toHaveLength(2)
        for (const node of patients.nodes)
          expect(node).toEqual(
            (await reader.runQuery(`query ($id: ID!) { patient(id: $id) { id ${field} } }`, node)).patient,
          )
      }
    }
  })
})

describe('a list of patients whose fields come later', () => {
  it('has them as a list that is sent whole', async () => {
    const query = `{ patients { endCursor nodes { id } ... @defer { nodes { ${FIELDS.join(' ')} } } } }`
    const headers = {
      accept: 'multipart/mixed;deferSpec=20220824,application/json;q=0.9',
      authorization: await staff.authorization('graphql'),
    }
    const text = await (await staff.postGraphql({ query }, headers)).text()
    const whole = await staff.runQuery(`{ patients { nodes { ${FIELDS.join(' ')} } } }`)
    expect(text).toContain(JSON.stringify(whole.patients.nodes))
  })
})

describe('the page of a patient', () => {
  const PAGE = `query ($id: ID!) {
    patient(id: $id) { id ${FIELDS.join(' ')} possibleDuplicates { reasons patient { id } } merges { id } uploads { nodes { id } } }
    patientNews(patientId: $id) { id } }`

  it('reads each thing once', async () => {
    const sent = await statements.during(() => staff.runQuery(PAGE, { id: ids[0] }))
    const own = sent.filter((text) => !/"session"|audit_event/.test(text))
    // The patient, its referrals, merges and uploads, the news, and who may be the same person.
    expect(own, own.join('\n')).toHaveLength(6)
    expect(new Set(own).size).toBe(6)
  })

  it('is each reader’s own, while others read other pages', async () => {
    const reviewer = await server.signIn(
      (await makeUser(server.db, { role: 'admin', features: FEATURES })).email,
    )
    const pages = await Promise.all(
      [staff, reviewer].flatMap((reader) => ids.map((id) => reader.runQuery(PAGE, { id }))),
    )
    expect(pages.map(({ patient: { id, notes, referrals } }) => ({ id, notes, referrals }))).toEqual(
      [...ids, ...ids].map((id, place) => {
        const surname = SURNAMES[place % 2]
        return { id, notes: `nota lui ${surname}`, referrals: [{ doctor: `Dr. ${surname}` }] }
      }),
    )
  })

  it('is not read by someone who may not, while another reads it', async () => {
    const other = await makeInstitution(server.db)
    const stranger = await server.signIn(
      (await makeUser(server.db, { role: 'institution', institutionIds: [other.id] })).email,
    )
    const [read, refused] = await Promise.all([
      staff.graphql(PAGE, { id: ids[0] }),
      stranger.graphql('query ($id: ID!) { patient(id: $id) { id referrals { doctor } } }', { id: ids[0] }),
    ])
    expect(read.data.patient.id).toBe(ids[0])
    expect(refused.data).toBeNull()
    expect(refused.errors[0]!.extensions.code).toBe('NOT_FOUND')
  })
})
