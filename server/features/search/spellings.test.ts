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
import { makeCnp } from '../../../shared/romania/cnp.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

const cnp = (birthDate: string, sex: 'male' | 'female', serial: number) =>
  makeCnp({ sex, birthDate, county: 12, serial })

/** The patients by a short name; those of `OWN` were referred by the institution. */
const PEOPLE = {
  vaduva: {
    surname: 'Văduva',
    given_names: 'Maria-Elena',
    birth_date: '1989-03-08',
    cnp: cnp('1989-03-08', 'female', 123),
    phone: '+40722555649',
    locality: 'Cluj-Napoca',
  },
  vaduvaIon: { surname: 'Văduva', given_names: 'Ion', birth_date: '1975-11-23', sex: 'male', cnp: null },
  oconnor: { surname: 'O’Connor', given_names: 'Siobhán', birth_date: '1990-01-02', cnp: null },
  ana: {
    surname: 'Popescu',
    given_names: 'Ana Maria',
    birth_date: '1980-05-15',
    cnp: null,
    locality: 'Iași',
  },
  anamaria: { surname: 'Popescu', given_names: 'Anamaria', birth_date: '1981-06-16', cnp: null },
  muller: { surname: 'Müller', given_names: 'Günther', birth_date: '1960-07-17', sex: 'male', cnp: null },
  targu: { surname: 'Târgoveanu', given_names: 'Ștefan', birth_date: '1961-08-18', sex: 'male', cnp: null },
  married: {
    surname: 'Ionescu',
    given_names: 'Doina',
    previous_surname: 'Câmpeanu',
    birth_date: '1962-09-19',
    cnp: null,
  },
  long: {
    surname: 'Constantinescu-Dobrescu',
    given_names: 'Alexandra Ioana Teodora Sânziana Cătălina Ruxandra Xenia',
    birth_date: '1963-10-20',
    cnp: null,
  },
  cruz: { surname: 'De la Cruz', given_names: 'Juan', birth_date: '1964-11-21', sex: 'male', cnp: null },
  turcanu: { surname: 'Ţurcanu-Şerban', given_names: 'Ilinca', birth_date: '1965-12-22', cnp: null },
  nguyen: { surname: 'Nguyễn', given_names: 'Thị Lan', birth_date: '1966-01-23', cnp: null },
  angelo: { surname: "D'Angelo", given_names: 'Marco', birth_date: '1967-02-24', sex: 'male', cnp: null },
  gross: { surname: 'Groß', given_names: 'Käthe', birth_date: '1968-03-25', cnp: null },
  first: { surname: 'Barbu', given_names: '1', birth_date: '2024-04-26', cnp: null },
  second: { surname: 'Barbu', given_names: '2', birth_date: '2024-04-26', cnp: null },
  zaharia: {
    surname: 'Zaharia',
    given_names: 'Traian',
    birth_date: '1948-05-27',
    sex: 'male',
    cnp: cnp('1948-05-27', 'male', 456),
    phone: '+40264123987',
    locality: 'Târgu Mureș',
  },
} as const
type Key = keyof typeof PEOPLE
const OWN: readonly Key[] = ['vaduva', 'oconnor', 'ana', 'muller', 'married', 'long', 'gross', 'zaharia']

const VADUVA = PEOPLE.vaduva.cnp
const ZAHARIA = PEOPLE.zaharia.cnp

/** Which patients a text finds, all of them, and by what where the name does not say it. */
type Spelling = readonly [query: string, found: string, reason?: string]
const NAMES: readonly Spelling[] = [
  // Case, diacritics, hyphens, order, beginnings.
  ['văduva', 'vaduva vaduvaIon'],
  ['VADUVA', 'vaduva vaduvaIon'],
  ['Vaduva Maria', 'vaduva'],
  ['maria vaduva', 'vaduva'],
  ['maria-elena', 'vaduva'],
  ['elena maria vaduva', 'vaduva'],
  ['vad ele', 'vaduva'],
  ['vad', 'vaduva vaduvaIon'],
  ['va ion', 'vaduvaIon'],
  ['  văduva   ion  ', 'vaduvaIon'],
  ['văduva, ion', 'vaduvaIon'],
  ['vaduva/ion', 'vaduvaIon'],
  ['stefan', 'targu'],
  ['ștefan', 'targu'],
  ['ştefan', 'targu'],
  ['ŞTEFAN', 'targu'],
  ['targoveanu', 'targu'],
  ['tîrgoveanu', 'targu'],
  ['târgoveanu', 'targu'],
  ['tirgoveanu stefan', 'targu'],
  ['turcanu', 'turcanu'],
  ['țurcanu serban', 'turcanu'],
  ['serban turcanu ilinca', 'turcanu'],
  ['Ţurcanu-Şerban', 'turcanu'],
  ['nguyen', 'nguyen'],
  ['thi lan', 'nguyen'],
  ['Nguyễn Thị', 'nguyen'],
  ['barbu 1', 'first'],
  ['barbu 2', 'second'],
  ['barbu', 'first second'],
  // Apostrophes.
  ["o'connor", 'oconnor'],
  ['o’connor', 'oconnor'],
  ['oconnor', 'oconnor'],
  ['OCONNOR siobhan', 'oconnor'],
  ['o connor', 'oconnor'],
  ['connor', 'oconnor'],
  ['oconn', 'oconnor'],
  ["d'angelo", 'angelo'],
  ['dangelo', 'angelo'],
  ['d angelo marco', 'angelo'],
  ['dangelo marco', 'angelo'],
  // Glued and spaced names.
  ['ana maria', 'ana anamaria'],
  ['anamaria', 'ana anamaria'],
  ['ana-maria', 'ana anamaria'],
  ['AnaMaria', 'ana anamaria'],
  ['popescu anamaria', 'ana anamaria'],
  ['popescu ana maria', 'ana anamaria'],
  ['ana maria popescu', 'ana anamaria'],
  ['anamar', 'ana anamaria'],
  ['ana mar', 'ana anamaria'],
  ['popescu ana', 'ana anamaria'],
  ['mariaelena', 'vaduva'],
  ['maria elena', 'vaduva'],
  ['vaduva mariaelena', 'vaduva'],
  ['delacruz', 'cruz'],
  ['de la cruz', 'cruz'],
  ['dela cruz', 'cruz'],
  ['lacruz juan', 'cruz'],
  ['cruz juan', 'cruz'],
  ['turcanuserban', 'turcanu'],
  ['constantinescu dobrescu', 'long'],
  ['constantinescudobrescu', 'long'],
  // Umlauts.
  ['müller', 'muller'],
  ['muller', 'muller'],
  ['mueller', 'muller'],
  ['MUELLER', 'muller'],
  ['mueller guenther', 'muller'],
  ['muller gunther', 'muller'],
  ['müller günther', 'muller'],
  ['groß', 'gross'],
  ['gross', 'gross'],
  ['käthe', 'gross'],
  ['kathe', 'gross'],
  ['kaethe gross', 'gross'],
  // Every word of a long name.
  ['alexandra', 'long'],
  ['ioana', 'long'],
  ['teodora', 'long'],
  ['sânziana', 'long'],
  ['sinziana', 'long'],
  ['cătălina', 'long'],
  ['ruxandra', 'long'],
  ['xenia', 'long'],
  ['xenia constantinescu', 'long'],
  ['ruxandra xenia', 'long'],
  ['constantinescu dobrescu alexandra ioana teodora sanziana catalina ruxandra xenia', 'long'],
  // The previous surname.
  ['câmpeanu', 'married', 'PREVIOUS_SURNAME'],
  ['campeanu doina', 'married', 'PREVIOUS_SURNAME'],
  ['doina câmp', 'married', 'PREVIOUS_SURNAME'],
  ['ionescu doina', 'married'],
  ['ionescu campeanu', 'married', 'PREVIOUS_SURNAME'],
  // With a birth year or date.
  ['vaduva 1989', 'vaduva', 'BIRTH_DATE'],
  ['1989 vaduva', 'vaduva', 'BIRTH_DATE'],
  ['văduva 1975', 'vaduvaIon', 'BIRTH_DATE'],
  ['vaduva 08.03.1989', 'vaduva', 'BIRTH_DATE'],
  ['vaduva 8 martie 1989', 'vaduva', 'BIRTH_DATE'],
  ['va 1989', 'vaduva', 'BIRTH_DATE'],
  ['campeanu 1962', 'married', 'BIRTH_DATE'],
  ['anamaria 1980', 'ana', 'BIRTH_DATE'],
  ['popescu 1981', 'anamaria', 'BIRTH_DATE'],
  ['barbu 2024', 'first second', 'BIRTH_DATE'],
  ['barbu 2 2024', 'second', 'BIRTH_DATE'],
  ['zaharia traian 27/05/1948', 'zaharia', 'BIRTH_DATE'],
  // The birth date alone.
  ['08.03.1989', 'vaduva', 'BIRTH_DATE'],
  ['8.3.1989', 'vaduva', 'BIRTH_DATE'],
  ['08/03/1989', 'vaduva', 'BIRTH_DATE'],
  ['8/3/1989', 'vaduva', 'BIRTH_DATE'],
  ['08-03-1989', 'vaduva', 'BIRTH_DATE'],
  ['1989-03-08', 'vaduva', 'BIRTH_DATE'],
  ['8 martie 1989', 'vaduva', 'BIRTH_DATE'],
  ['08 MARTIE 1989', 'vaduva', 'BIRTH_DATE'],
  ['8 mar 1989', 'vaduva', 'BIRTH_DATE'],
  ['26.04.2024', 'first second', 'BIRTH_DATE'],
  ['22 decembrie 1965', 'turcanu', 'BIRTH_DATE'],
  // One wrong letter, where nothing matches exactly.
  ['vadiva', 'vaduva vaduvaIon', 'NEAR_NAME'],
  ['vaduv4', ''],
  ['vaduvva', 'vaduva vaduvaIon', 'NEAR_NAME'],
  ['vadua', 'vaduva vaduvaIon', 'NEAR_NAME'],
  ['vdauva', 'vaduva vaduvaIon', 'NEAR_NAME'],
  ['vaduva', 'vaduva vaduvaIon'],
  ['vadiva ion', 'vaduvaIon', 'NEAR_NAME'],
  ['ion vadiva', 'vaduvaIon', 'NEAR_NAME'],
  ['vadiva 1989', 'vaduva', 'NEAR_NAME'],
  ['popesku', 'ana anamaria', 'NEAR_NAME'],
  ['popesku ana', 'ana anamaria', 'NEAR_NAME'],
  ['popsecu', 'ana anamaria', 'NEAR_NAME'],
  ['targoveau', 'targu', 'NEAR_NAME'],
  ['oconor', 'oconnor', 'NEAR_NAME'],
  ['mulller', 'muller', 'NEAR_NAME'],
  ['cimpeanuu', 'married', 'NEAR_NAME'],
  ['xenla', 'long', 'NEAR_NAME'],
  ['zahari traiann', 'zaharia', 'NEAR_NAME'],
]

/** Only for staff, who see the address and the phone. */
const STAFF_ONLY: readonly Spelling[] = [
  ['vaduva cluj', 'vaduva', 'LOCALITY'],
  ['maria elena vaduva cluj napoca', 'vaduva', 'LOCALITY'],
  ['cluj vaduva', 'vaduva', 'LOCALITY'],
  ['popescu iasi', 'ana', 'LOCALITY'],
  ['popescu Iași', 'ana', 'LOCALITY'],
  ['zaharia targu mures', 'zaharia', 'LOCALITY'],
  ['0722 555 649', 'vaduva', 'PHONE'],
  ['+40722555649', 'vaduva', 'PHONE'],
  ['0040 722 555 649', 'vaduva', 'PHONE'],
  ['0722.555.649', 'vaduva', 'PHONE'],
  ['555649', 'vaduva', 'PHONE'],
  ['5 649', 'vaduva', 'PHONE'],
  ['(0264) 123-987', 'zaharia', 'PHONE'],
  ['3987', 'zaharia', 'PHONE'],
]

const NUMBERS: readonly Spelling[] = [
  [VADUVA, 'vaduva', 'CNP'],
  [`${VADUVA.slice(0, 1)} ${VADUVA.slice(1, 7)} ${VADUVA.slice(7)}`, 'vaduva', 'CNP'],
  [`${VADUVA.slice(0, 7)} ${VADUVA.slice(7)}`, 'vaduva', 'CNP'],
  [VADUVA.slice(0, 7), 'vaduva', 'CNP'],
  [VADUVA.slice(0, 3), 'vaduva', 'CNP'],
  [VADUVA.slice(-4), 'vaduva', 'CNP'],
  [VADUVA.slice(-6), 'vaduva', 'CNP'],
  [ZAHARIA, 'zaharia', 'CNP'],
  [ZAHARIA.slice(0, 5), 'zaharia', 'CNP'],
  [ZAHARIA.slice(-5), 'zaharia', 'CNP'],
]

const NOTHING: readonly string[] = [
  'vadiba',
  'vdau',
  'vaduvaaa',
  'popesku anq',
  'vaduva 1990',
  'vaduva 09.03.1989',
  '31.02.1989',
  '9 martie 1989',
  'vaduva oradea',
  'ana maria vaduva',
  'mariaana',
  'elenavaduva',
  '99',
  '%',
  'a_a',
  "x' or 1=1",
  'zzz',
  '9999999999999',
]

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
