import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUser } from '../../../../db/factories.ts'
import { makeCnp, maskCnp } from '../../../../shared/romania/cnp.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { newId } from '../../../platform/ids.ts'

const FIND = `query ($surname: String, $givenNames: String, $previousSurname: String, $birthDate: String, $phone: String,
  $exceptId: ID) {
  possibleDuplicates(surname: $surname, givenNames: $givenNames, previousSurname: $previousSurname,
    birthDate: $birthDate, phone: $phone, exceptId: $exceptId) {
    reasons patient { id number name birthDate cnpMasked locality }
  }
}`
const OF_PATIENT = 'query ($id: ID!) { patient(id: $id) { possibleDuplicates { reasons patient { id } } } }'
const MARK = `mutation ($patientId: ID!, $otherId: ID!) {
  markDistinctPatients(patientId: $patientId, otherId: $otherId) { id possibleDuplicates { patient { id } } }
}`
const CREATE = `mutation ($patient: PatientInput!, $distinctFrom: [ID!]) {
  createPatient(patient: $patient, distinctFrom: $distinctFrom) { id possibleDuplicates { patient { id } } }
}`

const BORN = '1989-03-08'
const PHONE = '+40735555649'

let server: TestServer
let staff: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  staff = await server.signIn((await makeUser(server.db)).email)
})

type Found = { reasons: string[]; patient: { id: string } }

async function find(variables: Record<string, unknown>): Promise<[string, string[]][]> {
  const { data, errors } = await staff.graphql(FIND, variables)
  expect(errors).toEqual([])
  return data.possibleDuplicates.map(({ reasons, patient }: Found) => [patient.id, reasons])
}
async function duplicatesOf(id: string): Promise<[string, string[]][]> {
  const { data, errors } = await staff.graphql(OF_PATIENT, { id })
  expect(errors).toEqual([])
  return data.patient.possibleDuplicates.map(({ reasons, patient }: Found) => [patient.id, reasons])
}

const vaduva = (over: Parameters<typeof makePatient>[1] = {}) =>
  makePatient(server.db, {
    surname: 'Văduva Câmpeanu',
    given_names: 'Maria',
    birth_date: BORN,
    phone: PHONE,
    locality: 'Brașov',
    ...over,
  })

describe('possible duplicates while a patient is entered', () => {
  let known: Awaited<ReturnType<typeof vaduva>>
  beforeAll(async () => {
    known = await vaduva()
    await makePatient(server.db, { surname: 'Văduva', given_names: 'Maria', birth_date: '1970-01-01' })
  })

  it('names the patient with the same name, birth date and phone, as the list would show them', async () => {
    const typed = { surname: 'Vaduva Campeanu', givenNames: 'Maria', birthDate: BORN, phone: '0735555649' }
    const { data } = await staff.graphql(FIND, typed)
    expect(data.possibleDuplicates).toEqual([
      {
        reasons: ['name_and_birth_date', 'phone'],
        patient: {
          id: known.id,
          number: known.number,
          name: 'Văduva Câmpeanu Maria',
          birthDate: BORN,
          cnpMasked: maskCnp(known.cnp!),
          locality: 'Brașov',
        },
      },
    ])
  })

  it.each([
    ['order', { surname: 'Maria', givenNames: 'Câmpeanu-Văduva' }],
    ['capitals', { surname: 'VĂDUVA CÂMPEANU', givenNames: 'MARIA' }],
    ['the other spelling of â', { surname: 'Văduva Cîmpeanu', givenNames: 'Maria' }],
    ['a part of the surname', { surname: 'Văduva', givenNames: 'Maria' }],
    ['one given name more', { surname: 'Văduva Câmpeanu', givenNames: 'Maria Elena' }],
    ['the previous surname', { surname: 'Ionescu', givenNames: 'Maria', previousSurname: 'Văduva-Câmpeanu' }],
  ])('finds the name in another form, with the birth date: %s', async (_form, typed) => {
    expect(await find({ ...typed, birthDate: BORN })).toEqual([[known.id, ['name_and_birth_date']]])
  })

  it('finds the name alone while no birth date is known, and not with another birth date', async () => {
    const typed = { surname: 'Câmpeanu Văduva', givenNames: 'maria' }
    expect(await find(typed)).toEqual([[known.id, ['name']]])
    expect(await find({ ...typed, birthDate: '1989-03-09' })).toEqual([])
    const undated = await vaduva({ birth_date: null, cnp: null, phone: null, surname: 'Nedatata' })
    expect(await find({ surname: 'Nedatată', givenNames: 'Maria', birthDate: '1950-01-01' })).toEqual([
      [undated.id, ['name']],
    ])
  })

  it('finds both spellings of a name with an inner â, typed in either', async () => {
    const one = await vaduva({ surname: 'Tîrgoviștean', phone: null })
    for (const surname of ['Târgoviștean', 'Tirgovistean', 'Tîrgoviștean'])
      expect(await find({ surname, givenNames: 'Maria' })).toEqual([[one.id, ['name']]])
  })

  it('finds the phone in any format, whatever the name', async () => {
    expect(await find({ phone: '0040 735 555 649' })).toEqual([[known.id, ['phone']]])
    expect(
      await find({ surname: 'Alta', givenNames: 'Ioana', birthDate: '2001-01-01', phone: PHONE }),
    ).toEqual([[known.id, ['phone']]])
  })

  it('answers nothing to incomplete or invalid details, without an error', async () => {
    for (const typed of [
      {},
      { surname: 'Văduva' },
      { surname: ' ', givenNames: '-' },
      { surname: 'Văduva', birthDate: '1989-02-31' },
      { phone: '073555' },
      { surname: 'x'.repeat(10_000), givenNames: 'Maria' },
      { surname: '%', givenNames: "'; drop table patient" },
      { phone: PHONE, exceptId: known.id },
    ])
      expect(await find(typed)).toEqual([])
  })

  it('returns at most five, the strongest reasons first', async () => {
    const surname = 'Numeroasă'
    for (let index = 0; index < 6; index += 1)
      await vaduva({ surname, cnp: null, birth_date: null, phone: null })
    const strongest = await vaduva({ surname, birth_date: '1960-06-15', phone: null })
    const found = await find({ surname, givenNames: 'Maria', birthDate: '1960-06-15' })
    expect(found).toHaveLength(5)
    expect(found[0]).toEqual([strongest.id, ['name_and_birth_date']])
  })

  it('records the patients whom it shows in the audit log', async () => {
    await find({ phone: PHONE })
    const { subject_ids } = await server.db
      .selectFrom('audit_event')
      .select('subject_ids')
      .where('action', '=', 'patient.list')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(subject_ids).toEqual([known.id])
  })

  it('answers nothing to institutions', async () => {
    const institution = await makeInstitution(server.db)
    await makeReferral(server.db, { patient_id: known.id, institution_id: institution.id })
    const user = await makeUser(server.db, { role: 'institution', institutionIds: [institution.id] })
    const guest = await server.signIn(user.email)
    expect((await guest.graphql(FIND, { phone: PHONE })).errors[0]?.extensions.code).toBe('FORBIDDEN')
    const twin = await vaduva()
    await makeReferral(server.db, { patient_id: twin.id, institution_id: institution.id })
    const { data, errors } = await guest.graphql(OF_PATIENT, { id: known.id })
    expect([data.patient.possibleDuplicates, errors]).toEqual([[], []])
    expect(
      (await guest.graphql(MARK, { patientId: known.id, otherId: twin.id })).errors[0]?.extensions.code,
    ).toBe('FORBIDDEN')
  })
})

describe('a patient', () => {
  const make = (over: Parameters<typeof makePatient>[1] = {}) =>
    vaduva({ cnp: null, phone: null, surname: `Pereche${newId().replaceAll(/[^a-f]/g, '')}`, ...over })

  it('names each possible duplicate until both are declared different people, in both directions', async () => {
    const one = await make()
    const other = await make({ surname: one.surname })
    expect(await duplicatesOf(one.id)).toEqual([[other.id, ['name_and_birth_date']]])
    const { data, errors } = await staff.graphql(MARK, { patientId: other.id, otherId: one.id })
    expect(errors).toEqual([])
    expect(data.markDistinctPatients).toEqual({ id: other.id, possibleDuplicates: [] })
    expect(await duplicatesOf(one.id)).toEqual([])
    expect(await find({ surname: one.surname, givenNames: 'Maria', exceptId: one.id })).toEqual([])
    // Only for this pair: a third patient is compared with both.
    const third = await make({ surname: one.surname })
    expect((await duplicatesOf(third.id)).map(([id]) => id).sort()).toEqual([one.id, other.id].sort())
    // The repetition of a request whose response was lost.
    expect((await staff.graphql(MARK, { patientId: one.id, otherId: other.id })).errors).toEqual([])
  })

  it('with another CNP is another person, and so is one of another age with the same phone', async () => {
    const phone = '+40722000999'
    const mother = await make({
      cnp: makeCnp({ sex: 'female', birthDate: BORN, county: 12, serial: 7 }),
      phone,
    })
    await make({
      surname: mother.surname,
      cnp: makeCnp({ sex: 'female', birthDate: BORN, county: 12, serial: 8 }),
      phone,
    })
    await make({ birth_date: '2015-05-05', phone })
    const undated = await make({ birth_date: null, phone })
    expect(await duplicatesOf(mother.id)).toEqual([[undated.id, ['phone']]])
  })

  it('is created with the people from whom the form has distinguished them', async () => {
    const known = await make()
    const patient = { surname: known.surname, givenNames: 'Maria', birthDate: BORN }
    const { data, errors } = await staff.graphql(CREATE, { patient, distinctFrom: [known.id] })
    expect(errors).toEqual([])
    expect(data.createPatient.possibleDuplicates).toEqual([])
    expect((await staff.graphql(CREATE, { patient })).data.createPatient.possibleDuplicates).toHaveLength(2)
  })

  it('is not created with unknown or too many other people, and not distinguished from itself', async () => {
    const patient = { surname: 'Neadăugată', givenNames: 'Maria' }
    const code = async (query: string, variables: Record<string, unknown>) =>
      (await staff.graphql(query, variables)).errors[0]?.extensions.code
    expect(await code(CREATE, { patient, distinctFrom: [newId()] })).toBe('NOT_FOUND')
    expect(await code(CREATE, { patient, distinctFrom: ['x'] })).toBe('NOT_FOUND')
    expect(await code(CREATE, { patient, distinctFrom: Array.from({ length: 21 }, newId) })).toBe(
      'BAD_USER_INPUT',
    )
    expect(await find({ surname: 'Neadăugată', givenNames: 'Maria' })).toEqual([])
    const one = await make()
    expect(await code(MARK, { patientId: one.id, otherId: one.id })).toBe('BAD_USER_INPUT')
    expect(await code(MARK, { patientId: one.id, otherId: newId() })).toBe('NOT_FOUND')
  })
})
