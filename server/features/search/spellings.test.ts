import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../db/factories.ts'
import {
  type Key,
  NAMES,
  NOTHING,
  NUMBERS,
  OWN,
  PEOPLE,
  type Spelling,
  STAFF_ONLY,
} from '../../../test/search/spellings.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
let registrar: TestClient
let reviewer: TestClient
let ownUser: TestClient
const ids = {} as Record<Key, string>
const keys = new Map<string, string>()
let ownId: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db, services } = server
  const own = await makeInstitution(db, { name: 'Clinica Noastră', code: 'A' })
  const other = await makeInstitution(db, { name: 'Spitalul Altora', code: 'B' })
  ownId = own.id
  await makeCategory(db, { name: 'Radiologie (RX)', slug: 'imagistica::rx' })
  // Random numbers may begin with the digits of a search.
  let number = 900_001
  for (const [key, person] of Object.entries(PEOPLE) as [Key, object][]) {
    const patient = await makePatient(db, { phone: null, locality: null, ...person })
    ids[key] = patient.id
    keys.set(patient.id, key)
    const institution = OWN.includes(key) ? own : other
    await makeReferral(db, { patient_id: patient.id, institution_id: institution.id })
    await makeUpload(db, services.storage, {
      patient_id: patient.id,
      institution_id: institution.id,
      state: 'released',
      released_at: new Date(),
      title: 'Consultație',
      files: [],
      number: number++,
    })
  }
  registrar = await server.signIn((await makeUser(db, { features: ['patient::files'] })).email)
  reviewer = await server.signIn(
    (await makeUser(db, { features: ['admin::review-files', 'patient::files'] })).email,
  )
  ownUser = await server.signIn((await makeUser(db, { role: 'institution', institutionIds: [own.id] })).email)
})

type Found = { keys: string[]; reasons: string[] }

const keysOf = (rows: { id: string }[]) => rows.map(({ id }) => keys.get(id) ?? id).sort()

async function list(client: TestClient, search: string): Promise<Found> {
  const { data, errors } = await client.graphql(
    'query ($search: String) { patients(search: $search) { nodes { id } reasons { rowId kind text } } }',
    { search },
  )
  expect(errors, search).toEqual([])
  return {
    keys: keysOf(data.patients.nodes),
    reasons: data.patients.reasons.map((each: { kind: string }) => each.kind),
  }
}

async function searchSite(client: TestClient, query: string): Promise<string[]> {
  const { data, errors } = await client.graphql(
    'query ($query: String!) { search(query: $query, first: 10, kinds: [PATIENT]) { patients { id } reasons { kind } } }',
    { query },
  )
  expect(errors, query).toEqual([])
  return keysOf(data.search.patients)
}

async function uploadsOf(client: TestClient, field: string, search: string): Promise<Found> {
  const { data, errors } = await client.graphql(
    `query ($search: String) { list: ${field} search: $search) { nodes { patient { id } } reasons { kind text } } }`,
    { search },
  )
  expect(errors, search).toEqual([])
  return {
    keys: keysOf(data.list.nodes.map((node: { patient: { id: string } }) => node.patient)),
    reasons: data.list.reasons.map((each: { kind: string }) => each.kind),
  }
}

const rowsOf = (...spellings: readonly Spelling[]) =>
  spellings.map(([query, found, reason = '']) => [query, found, reason] as const)
const expected = (found: string, reason = ''): Found => {
  const all = found === '' ? [] : found.split(' ').sort()
  return { keys: all, reasons: reason ? all.map(() => reason) : [] }
}
const QUEUE = 'uploads(states: [released],'
const INBOX = 'inbox('

describe('a search finds', () => {
  it('is tested with 150 spellings', () => {
    expect(NAMES.length + STAFF_ONLY.length + NUMBERS.length + NOTHING.length).toBeGreaterThanOrEqual(150)
  })

  it.each(rowsOf(...NAMES, ...NUMBERS, ...STAFF_ONLY))('by “%s”: %s %s', async (query, found, reason) => {
    expect(await list(registrar, query)).toEqual(expected(found, reason))
    expect(await searchSite(registrar, query)).toEqual(expected(found).keys)
  })

  it.each(NOTHING)('nothing by “%s”', async (query) => {
    for (const client of [registrar, ownUser]) {
      expect(await list(client, query)).toEqual(expected(''))
      expect(await searchSite(client, query)).toEqual([])
    }
  })

  it.each(rowsOf(...NAMES))(
    'in the queue the uploads of the same patients by “%s”',
    async (query, found, reason) => {
      expect(await uploadsOf(reviewer, QUEUE, query)).toEqual(expected(found, reason))
    },
  )
})

describe('an institution finds', () => {
  const ownOf = (found: string) =>
    found
      .split(' ')
      .filter((key) => OWN.includes(key as Key))
      .join(' ')

  it.each(rowsOf(...NAMES, ...NUMBERS))(
    'only its own patients and results by “%s”',
    async (query, found, reason) => {
      const own = expected(ownOf(found), reason)
      expect(await list(ownUser, query)).toEqual(own)
      expect(await searchSite(ownUser, query)).toEqual(own.keys)
      if (!NUMBERS.some(([text]) => text === query))
        expect(await uploadsOf(ownUser, INBOX, query)).toEqual(own)
    },
  )

  it.each(rowsOf(...STAFF_ONLY))('nobody by “%s”: it sees no phone and no address', async (query) => {
    expect(await list(ownUser, query)).toEqual(expected(''))
    expect((await uploadsOf(ownUser, INBOX, query)).keys).toEqual([])
  })

  it('the same before and after other institutions have such names, words and numbers', async () => {
    const { db, services } = server
    const queries = [
      'popesku',
      'vadiva',
      'ana maria',
      'anamaria',
      'muler',
      'zaharya',
      'rarisim',
      'ct rarisim',
      'AC-77',
    ]
    const ask = async () => {
      const found = []
      for (const query of queries) {
        found.push(
          await list(ownUser, query),
          await uploadsOf(ownUser, INBOX, query),
          await searchSite(ownUser, query),
        )
      }
      return found
    }
    const before = await ask()
    const other = await makeInstitution(db)
    for (const surname of ['Popesku', 'Vadiva', 'Anamaria', 'Muler', 'Zaharya', 'Rarisim']) {
      const patient = await makePatient(db, { surname, given_names: 'Foreign' })
      await makeReferral(db, { patient_id: patient.id, institution_id: other.id })
      for (const [institution_id, state] of [
        [other.id, 'released'],
        [ownId, 'in_review'],
      ] as const) {
        await makeUpload(db, services.storage, {
          patient_id: patient.id,
          institution_id,
          state,
          title: 'Scanare rarisim',
          referring_doctor: 'Dr. Rarisim',
          accession_number: 'AC-77',
          files: [],
        })
      }
    }
    expect(await ask()).toEqual(before)
    expect((await list(registrar, 'popesku')).reasons).toEqual([])
  })

  it('the reason without the phone: as a field it says no more than the row', async () => {
    const { data } = await registrar.graphql('{ patients(search: "5649") { reasons { kind text } } }')
    expect(data.patients.reasons).toEqual([{ kind: 'PHONE', text: 'telefon …649' }])
    const born = await ownUser.graphql('{ patients(search: "8.3.1989") { reasons { text } } }')
    expect(born.data.patients.reasons).toEqual([{ text: 'născută 08.03.1989' }])
  })
})

describe('uploads are found', () => {
  let ct: string
  let eco: string
  beforeAll(async () => {
    const { db, services } = server
    await makeCategory(db, { name: 'Ecografie', slug: 'imagistica::eco' })
    const add = async (over: object) =>
      (
        await makeUpload(db, services.storage, {
          patient_id: ids.oconnor,
          institution_id: ownId,
          state: 'released',
          released_at: new Date(),
          files: [],
          ...over,
        })
      ).id
    ct = await add({
      title: 'CT torace nativ',
      referring_doctor: 'Dr. Știrbu Mirela',
      accession_number: 'RX-2024/00123',
    })
    eco = await add({ title: 'Abdomen', category_slug: 'imagistica::eco', accession_number: '555-777-888' })
  })

  it.each([
    ['RX-2024/00123', ['ct'], 'ACCESSION_NUMBER'],
    ['rx202400123', ['ct'], 'ACCESSION_NUMBER'],
    ['rx 2024 001', ['ct'], 'ACCESSION_NUMBER'],
    ['555777888', ['eco'], 'ACCESSION_NUMBER'],
    ['știrbu', ['ct'], 'DOCTOR'],
    ['stirbu mirela', ['ct'], 'DOCTOR'],
    ['Dr. Știrbu Mirela', ['ct'], 'DOCTOR'],
    ['dr stirbu', ['ct'], 'DOCTOR'],
    ['ecografie abdominala', ['eco'], null],
    ['torace', ['ct'], null],
    ['torace nat', ['ct'], null],
    ['ct', ['ct'], null],
    ['tomografie', ['ct'], null],
    ['oconnor ct', ['ct'], null],
    ['oconnor tomografie', ['ct'], null],
    ['toracic', ['ct'], null],
    ['ecografie', ['eco'], null],
    ['eco', ['eco'], null],
    ['oconnor eco', ['eco'], null],
    ['rmn', [], null],
    ['irm oconnor', [], null],
    ['vaduva ct', [], null],
    ['ct 2.1.1990', ['ct'], 'BIRTH_DATE'],
    ['oconnor ct 1990', ['ct'], 'BIRTH_DATE'],
    ['ct 3.1.1990', [], null],
    // A part from the middle of an accession number.
    ['2400123', [], null],
  ] as const)('by “%s”', async (query, found, reason) => {
    for (const [client, field] of [
      [reviewer, QUEUE],
      [ownUser, INBOX],
    ] as const) {
      const { data, errors } = await client.graphql(
        `query ($search: String) { list: ${field} search: $search) { nodes { id } reasons { kind } } }`,
        { search: query },
      )
      expect(errors).toEqual([])
      const names = data.list.nodes.map(({ id }: { id: string }) =>
        id === ct ? 'ct' : id === eco ? 'eco' : id,
      )
      expect(names, field).toEqual(found)
      expect(data.list.reasons).toEqual(reason ? found.map(() => ({ kind: reason })) : [])
    }
    const { data } = await ownUser.graphql(
      'query ($query: String!) { search(query: $query, kinds: [UPLOAD], first: 10) { uploads { id } } }',
      { query },
    )
    expect(data.search.uploads).toHaveLength(found.length)
  })

  it('by a year alone, where no number has its digits', async () => {
    for (const [client, field] of [
      [reviewer, QUEUE],
      [ownUser, INBOX],
    ] as const) {
      const { list } = await client.runQuery(
        `{ list: ${field} search: "1990") { nodes { id patient { birthDate } } reasons { kind } } }`,
      )
      const years = list.nodes.map(({ patient }: { patient: { birthDate: string } }) =>
        patient.birthDate.slice(0, 4),
      )
      expect(years, field).toEqual(list.nodes.map(() => '1990'))
      expect(list.nodes.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([ct, eco]))
      expect(list.reasons).toEqual(list.nodes.map(() => ({ kind: 'BIRTH_DATE' })))
    }
  })
})

describe('any text', () => {
  const letters = fc.constantFrom(..."aăâbcdeimnopșștțuvz0123456789 .-/'’ß%_\\{}|&!:*()".split(''))
  const names = Object.values(PEOPLE).flatMap(({ surname, given_names }) => [
    surname,
    given_names,
    `${surname} ${given_names}`,
  ])
  const misspelt = fc
    .tuple(fc.constantFrom(...names), fc.nat(30), fc.oneof(letters, fc.constant('')))
    .map(([name, at, letter]) => name.slice(0, at) + letter + name.slice(at + 1))
  const text = fc.oneof(
    misspelt,
    fc.array(letters, { maxLength: 20 }).map((all) => all.join('')),
    fc.string({ maxLength: 40, unit: 'binary' }),
  )

  it('is searched without an error, and finds nothing outside what the reader may see', async () => {
    const own = new Set<string>([...OWN])
    await fc.assert(
      fc.asyncProperty(text, async (search) => {
        await list(registrar, search)
        await uploadsOf(reviewer, QUEUE, search)
        if (search.trim() === '') return
        for (const found of [
          (await list(ownUser, search)).keys,
          (await uploadsOf(ownUser, INBOX, search)).keys,
          await searchSite(ownUser, search),
        ])
          for (const key of found) expect(own).toContain(key)
      }),
      { numRuns: 100 },
    )
  })
})
