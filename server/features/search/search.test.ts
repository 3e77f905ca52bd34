import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../db/factories.ts'
import type { Feature } from '../../../shared/access/features.ts'
import { maskCnp } from '../../../shared/romania/cnp.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

const SEARCH = `query ($query: String!, $kinds: [SearchKind!], $first: Int) {
  search(query: $query, kinds: $kinds, first: $first) {
    patients { id name cnpMasked phone }
    institutions { id name }
    uploads { id title number state }
    categories { slug name }
    screens { address title }
  }
}`

type Found = Record<'patients' | 'institutions' | 'uploads' | 'categories' | 'screens', string[]>

let server: TestServer
let admin: TestClient
let reviewer: TestClient
let registrar: TestClient
/** Staff without any feature. */
let plainStaff: TestClient
let ownUser: TestClient
let otherUser: TestClient
let ourClinic: string

async function staff(...features: Feature[]): Promise<TestClient> {
  return server.signIn((await makeUser(server.db, { features })).email)
}

async function institutionUser(institutionId: string): Promise<TestClient> {
  const user = await makeUser(server.db, { role: 'institution', institutionIds: [institutionId] })
  return server.signIn(user.email)
}

/** Returns what a user finds, by name, title or address. */
async function find(client: TestClient, query: string, over: Record<string, unknown> = {}): Promise<Found> {
  const { data, errors } = await client.graphql(SEARCH, { query, ...over })
  expect(errors).toEqual([])
  const { patients, institutions, uploads, categories, screens } = data.search
  const all = (rows: Record<string, string>[], field: string) => rows.map((row) => row[field]!)
  return {
    patients: all(patients, 'name'),
    institutions: all(institutions, 'name'),
    uploads: all(uploads, 'title'),
    categories: all(categories, 'name'),
    screens: all(screens, 'address'),
  }
}

const NOTHING: Found = { patients: [], institutions: [], uploads: [], categories: [], screens: [] }

const searchRows = () =>
  server.db
    .selectFrom('audit_event')
    .selectAll()
    .where('action', '=', 'search')
    .orderBy('id', 'desc')
    .execute()

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  const [own, other] = [
    await makeInstitution(db, { name: 'Clinica Țiglina', code: 'TIGLINA-1', locality: 'Galați' }),
    await makeInstitution(db, { name: 'Spitalul Dorohoi', code: 'DOROHOI-2', locality: 'Dorohoi' }),
  ]
  ourClinic = own.id
  await makeCategory(db, { name: 'Țesut moale', slug: 'tesut-moale' })
  admin = await server.signIn((await makeUser(db, { role: 'admin' })).email)
  reviewer = await staff('admin::review-files', 'patient::files')
  registrar = await staff('patient::files')
  plainStaff = await staff()
  ownUser = await institutionUser(own.id)
  otherUser = await institutionUser(other.id)
})

describe('the results of each user [1.7]', () => {
  beforeAll(async () => {
    const { db } = server
    const storage = server.services.storage
    const other = (await db.selectFrom('institution').select('id').where('id', '!=', ourClinic).execute())[0]!
    const shared = await makePatient(db, { surname: 'Țigănuș', given_names: 'Doina' })
    const foreign = await makePatient(db, { surname: 'Țigănuș', given_names: 'Străin' })
    await makeReferral(db, { patient_id: shared.id, institution_id: ourClinic })
    await makeReferral(db, { patient_id: shared.id, institution_id: other.id })
    await makeReferral(db, { patient_id: foreign.id, institution_id: other.id })
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute))
    const uploads = [
      { title: 'al nostru', patient_id: shared.id, institution_id: ourClinic, state: 'released' },
      {
        title: 'al nostru, neeliberat',
        patient_id: shared.id,
        institution_id: ourClinic,
        state: 'in_review',
      },
      { title: 'al altora', patient_id: shared.id, institution_id: other.id, state: 'released' },
      { title: 'al străinului', patient_id: foreign.id, institution_id: other.id, state: 'released' },
      { title: 'retras', patient_id: shared.id, institution_id: ourClinic, state: 'withdrawn' },
      { title: 'început', patient_id: shared.id, state: 'receiving' },
    ] as const
    for (const [minute, upload] of uploads.entries()) {
      await makeUpload(db, storage, { ...upload, created_at: at(minute), files: [] })
    }
  })

  const everyUpload = ['început', 'al străinului', 'al altora', 'al nostru, neeliberat', 'al nostru']
  const bothPatients = ['Țigănuș Doina', 'Țigănuș Străin']

  it.each([
    ['an admin', () => admin, { patients: bothPatients, uploads: everyUpload }],
    ['a reviewer', () => reviewer, { patients: bothPatients, uploads: everyUpload }],
    ['a registrar', () => registrar, { patients: bothPatients, uploads: everyUpload }],
    ['staff without features', () => plainStaff, { patients: bothPatients, uploads: [] }],
    ['an institution’s user', () => ownUser, { patients: ['Țigănuș Doina'], uploads: ['al nostru'] }],
    [
      'a user of another institution',
      () => otherUser,
      { patients: bothPatients, uploads: ['al străinului', 'al altora'] },
    ],
  ] as const)('by a name are limited to what %s may read', async (_who, client, expected) => {
    expect(await find(client(), 'tiganus')).toEqual({ ...NOTHING, ...expected })
  })

  it('include categories, and for staff institutions [1.7]', async () => {
    expect(await find(registrar, 'tiglina')).toEqual({ ...NOTHING, institutions: ['Clinica Țiglina'] })
    expect(await find(registrar, 'galati clinica')).toEqual({ ...NOTHING, institutions: ['Clinica Țiglina'] })
    expect(await find(registrar, 'tesut')).toEqual({ ...NOTHING, categories: ['Țesut moale'] })
    expect((await find(ownUser, 'tiglina')).institutions).toEqual([])
    expect((await find(ownUser, 'dorohoi')).institutions).toEqual([])
  })

  it.each([
    ['an admin', () => admin, '/dashboard /uploads /patients /institutions /bulk /logs /admin'],
    ['a reviewer', () => reviewer, '/dashboard /uploads /patients /institutions /bulk /logs'],
    ['a registrar', () => registrar, '/patients /institutions /bulk /logs'],
    [
      'an institution’s user',
      () => ownUser,
      '/institution /institution?tab=pacienti /institution?tab=cereri /institution?tab=intrebari /institution?tab=profil',
    ],
  ] as const)(
    'include for %s exactly the screens that they may open [1.7]',
    async (_who, client, addresses) => {
      const found = await find(client(), '')
      expect(found).toEqual({ ...NOTHING, screens: addresses.split(' ') })
    },
  )

  it('include screens by name and by keyword', async () => {
    expect((await find(admin, 'setari')).screens).toEqual(['/admin'])
    expect((await find(registrar, 'setari')).screens).toEqual([])
    expect((await find(registrar, 'jurn')).screens).toEqual(['/logs'])
    expect((await find(ownUser, 'pac')).screens).toEqual(['/institution?tab=pacienti'])
  })

  it('include no uploads while the site has patient::files off [3.2]', async () => {
    const { db } = server
    const site = { key: 'features', value: JSON.stringify(['admin::review-files']) }
    await db.insertInto('site_setting').values(site).execute()
    try {
      for (const client of [admin, reviewer, registrar, ownUser])
        expect((await find(client, 'tiganus')).uploads).toEqual([])
    } finally {
      await db.deleteFrom('site_setting').where('key', '=', 'features').execute()
    }
  })
})

describe('the details of a patient', () => {
  it('include no whole CNP, and for institutions no phone', async () => {
    const patient = await makePatient(server.db, { surname: 'Zăvoianu', phone: '+40722111222' })
    await makeReferral(server.db, { patient_id: patient.id, institution_id: ourClinic })
    const responses = [
      await registrar.graphql(SEARCH, { query: 'zavoianu' }),
      await ownUser.graphql(SEARCH, { query: 'zavoianu' }),
    ]
    expect(responses.map(({ data }) => data.search.patients[0])).toEqual([
      expect.objectContaining({ cnpMasked: maskCnp(patient.cnp!), phone: '+40722111222' }),
      expect.objectContaining({ cnpMasked: maskCnp(patient.cnp!), phone: null }),
    ])
  })

  it('are not confirmed either: an institution finds no patient by a phone or an e-mail address', async () => {
    const patient = await makePatient(server.db, { phone: '+40722111333', email: 'zamfira@exemplu.test' })
    await makeReferral(server.db, { patient_id: patient.id, institution_id: ourClinic })
    const list = 'query ($search: String) { patients(search: $search) { nodes { id } } }'
    for (const query of ['+40722111333', '0722 111 333', '0722111333', 'zamfira@exemplu.test']) {
      expect((await find(ownUser, query)).patients, query).toEqual([])
      expect((await ownUser.graphql(list, { search: query })).data.patients.nodes, query).toEqual([])
    }
    expect((await find(registrar, '0722 111 333')).patients).toHaveLength(1)
    expect((await find(ownUser, patient.cnp!)).patients).toHaveLength(1)
  })
})

describe('the search', () => {
  it('ignores diacritics, also in one or two letters', async () => {
    await makePatient(server.db, { surname: 'Ștv', given_names: 'Înăq' })
    for (const query of ['st in', 'șt în', 'ŞT', 'stv', 'inaq stv']) {
      expect((await find(registrar, query)).patients, query).toContain('Ștv Înăq')
    }
  })

  it('finds patients by CNP, parts of it, phone and number', async () => {
    const patient = await makePatient(server.db, {
      surname: 'Răchițeanu',
      cnp: '1630615123457',
      birth_date: '1963-06-15',
      sex: 'male',
      phone: '+40733444555',
    })
    await makeUpload(server.db, server.services.storage, { title: 'RMN', patient_id: patient.id, files: [] })
    const name = 'Răchițeanu Ștefan'
    const { number } = patient
    for (const query of ['1630615123457', '16306151', '0733 444 555', String(number)]) {
      expect((await find(registrar, query)).patients, query).toContain(name)
    }
    expect((await find(registrar, '1630615123457')).uploads).toEqual(['RMN'])
    // A part of a CNP does not identify one patient, so it finds no uploads.
    expect((await find(registrar, '16306151')).uploads).toEqual([])
  })

  it('finds an upload by its number and by the beginning of its number', async () => {
    const { number, title, id } = await makeUpload(server.db, server.services.storage, { files: [] })
    const digits = String(number)
    expect((await find(reviewer, digits)).uploads).toEqual([title])
    expect((await find(reviewer, `#${digits}`)).uploads).toEqual([title])
    const { data } = await reviewer.graphql(SEARCH, {
      query: digits.slice(0, 4),
      kinds: ['UPLOAD'],
      first: 10,
    })
    expect(data.search.uploads.map((upload: { id: string }) => upload.id)).toContain(id)
    expect((await find(reviewer, `0${digits}`)).uploads).toEqual([])
  })

  it('returns the requested kinds, and at most the requested number of each', async () => {
    for (let index = 0; index < 12; index += 1) {
      const { id } = await makePatient(server.db, { surname: 'Mulțescu', given_names: `Nr${index}` })
      await makeUpload(server.db, server.services.storage, { patient_id: id, files: [] })
    }
    const count = async (over: object) => {
      const { patients, uploads } = await find(registrar, 'multescu', { ...over })
      return [patients.length, uploads.length]
    }
    expect(await count({})).toEqual([5, 5])
    expect(await count({ first: 10 })).toEqual([10, 10])
    expect(await count({ first: 1 })).toEqual([1, 1])
    expect(await count({ kinds: ['PATIENT'], first: 3 })).toEqual([3, 0])
    expect(await count({ kinds: ['UPLOAD'], first: 3 })).toEqual([0, 3])
    expect(await count({ kinds: [] })).toEqual([0, 0])
  })

  it.each([0, -1, 11, 1_000_000])('rejects a limit of %j', async (first) => {
    const { data, errors } = await registrar.graphql(SEARCH, { query: 'pop', first })
    expect(data).toBeNull()
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: [{ field: 'first' }] })
  })

  it.each([
    '%',
    '%%',
    '__',
    '_%',
    '\\',
    '\\%',
    "''",
    "' or 1=1 --",
    '  ',
    '\u0000\u0000',
    'zzz\u0000zzz',
    '{{}}',
    '((((',
    '.*',
    '😀😀',
    '\ud800\ud800',
    '٣٣٣',
    '#',
    '###',
    '999999999',
    '9'.repeat(100),
    'qx '.repeat(33),
  ])('finds nothing for %j', async (query) => {
    const found = await find(admin, query, { kinds: ['PATIENT', 'INSTITUTION', 'UPLOAD', 'CATEGORY'] })
    expect(found).toEqual(NOTHING)
  })

  it('rejects a text over the maximum length, in Romanian', async () => {
    for (const query of ['a'.repeat(101), 'a'.repeat(10_000)]) {
      const { data, errors } = await registrar.graphql(SEARCH, { query })
      expect(data).toBeNull()
      expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: [{ field: 'query' }] })
      expect(errors[0]?.message).toMatch(/\.$/)
    }
  })

  it.each(['', 'x', ' x '])('does not look for patients with %j', async (query) => {
    await makePatient(server.db, { surname: 'Xenopol' })
    const before = (await searchRows()).length
    expect({ ...(await find(registrar, query)), screens: [] }).toEqual(NOTHING)
    expect(await searchRows()).toHaveLength(before)
  })
})

describe('data of another institution', () => {
  const marker = 'qqzmarker'

  it('is never found, and does not change the response [6.4]', async () => {
    const { db } = server
    const before = await ownUser.graphql(SEARCH, { query: marker, first: 10 })
    const foreign = await makeInstitution(db, { name: `Clinica ${marker}`, code: marker.toUpperCase() })
    const patient = await makePatient(db, { surname: marker, given_names: 'Ion', previous_surname: marker })
    await makeReferral(db, { patient_id: patient.id, institution_id: foreign.id })
    const numbers: number[] = []
    for (const upload of [
      { institution_id: foreign.id, state: 'released' },
      { institution_id: ourClinic, state: 'in_review' },
      // Of our institution, which never referred the patient.
      { institution_id: ourClinic, state: 'released' },
    ] as const) {
      const over = { ...upload, title: marker, patient_id: patient.id, files: [] }
      numbers.push((await makeUpload(db, server.services.storage, over)).number)
    }
    const draft = { title: marker, patient_id: null, state: 'receiving' } as const
    numbers.push((await makeUpload(db, server.services.storage, { ...draft, files: [] })).number)

    for (const query of [marker, marker.slice(0, 3), `ion ${marker}`, patient.cnp!, String(patient.number)]) {
      const response = await ownUser.graphql(SEARCH, { query, first: 10 })
      expect(JSON.stringify(response), query).not.toContain(marker)
    }
    for (const number of numbers) {
      expect((await find(ownUser, String(number))).uploads).toEqual([])
    }
    expect(await ownUser.graphql(SEARCH, { query: marker, first: 10 })).toEqual(before)
    // Staff find the data; a draft of another author only reviewers find.
    expect((await find(registrar, marker)).patients).toEqual([`${marker} Ion`])
    expect((await find(registrar, String(numbers.at(-1)))).uploads).toEqual([])
    expect((await find(reviewer, String(numbers.at(-1)))).uploads).toEqual([marker])
  })
})

describe('the audit log', () => {
  it('has one row for a search, with everything that was returned and without the text', async () => {
    const patient = await makePatient(server.db, { surname: 'Consemnatu' })
    const upload = await makeUpload(server.db, server.services.storage, { patient_id: patient.id, files: [] })
    const before = (await searchRows()).length
    await find(registrar, 'consemnatu')
    const rows = await searchRows()
    expect(rows).toHaveLength(before + 1)
    expect(rows[0]?.subject_ids).toEqual([patient.id, upload.id])
    expect(JSON.stringify(rows[0])).not.toMatch(/consemnatu/i)
    expect(server.logged.join('\n')).not.toMatch(/consemnatu/i)
  })

  it('has a row also if nothing was found, but none for screens and categories', async () => {
    const before = (await searchRows()).length
    await find(registrar, 'nimeninicaieri')
    await find(registrar, 'pacienti', { kinds: ['SCREEN', 'CATEGORY'] })
    const rows = await searchRows()
    expect(rows).toHaveLength(before + 1)
    expect(rows[0]?.subject_ids).toEqual([])
  })
})
