import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUser } from '../../../db/factories.ts'
import { makeCnp, maskCnp } from '../../../shared/romania/cnp.ts'
import { nameWords } from '../../../shared/romania/names.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { newId } from '../../platform/ids.ts'

const LIST = `query ($search: String, $first: Int, $after: String) {
  patients(search: $search, first: $first, after: $after) { nodes { id name cnpMasked phone } endCursor }
}`
const CREATE = `mutation ($patient: PatientInput!) {
  createPatient(patient: $patient) { id number name birthDate sex cnpMasked phone version }
}`
const UPDATE = `mutation ($id: ID!, $version: Int!, $patient: PatientInput!) {
  updatePatient(id: $id, version: $version, patient: $patient) { id name version }
}`
const READ =
  'query ($id: ID!) { patient(id: $id) { id name phone notes referrals { institutionName } can { edit } } }'

let server: TestServer
let staff: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  staff = await server.signIn((await makeUser(server.db)).email)
})

const audited = (action: string) =>
  server.db.selectFrom('audit_event').selectAll().where('action', '=', action).orderBy('id', 'desc').execute()

async function namesFor(search: string, client = staff): Promise<string[]> {
  const { data, errors } = await client.graphql(LIST, { search })
  expect(errors).toEqual([])
  return data.patients.nodes.map(({ name }: { name: string }) => name)
}

describe('the search for patients', () => {
  beforeAll(async () => {
    for (const [surname, given_names, over] of [
      ['Șerbănescu', 'Ion-Mihai', { phone: '+40722123456' }],
      ['Popescu', 'Ioana', {}],
      ['Popa', 'Ion', {}],
      ['Târgoviște', 'Ștefania', { cnp: '1630615123457', sex: 'male', birth_date: '1963-06-15' }],
      ['Ionescu', 'Maria', { previous_surname: 'Vlădescu' }],
    ] as const) {
      await makePatient(server.db, { surname, given_names, ...over })
    }
  })

  it.each([
    ['serban', ['Șerbănescu Ion-Mihai']],
    ['Şerbănescu', ['Șerbănescu Ion-Mihai']],
    ['mihai serbanescu', ['Șerbănescu Ion-Mihai']],
    ['ion pop', ['Popa Ion']],
    ['pop io', ['Popa Ion', 'Popescu Ioana']],
    ['ioa', ['Popescu Ioana']],
    // Two words are two words of the name: a search for Ionescu Ion must not return every Ionescu.
    ['ionescu ion', []],
    ['tirgoviste', ['Târgoviște Ștefania']],
    ['vladescu', ['Ionescu Maria']],
    ['po', ['Popa Ion', 'Popescu Ioana']],
    ['0722 123 456', ['Șerbănescu Ion-Mihai']],
    ['+40 722-123-456', ['Șerbănescu Ion-Mihai']],
    ['1630615123457', ['Târgoviște Ștefania']],
    ['16306', ['Târgoviște Ștefania']],
    ['23457', ['Târgoviște Ștefania']],
    ['nimeni', []],
    ['12', []],
    ['%', []],
    ["'; drop table patient; --", []],
  ])('finds %j', async (search, names) => {
    expect(await namesFor(search)).toEqual(names)
  })

  it('returns the newest first without a text, page by page, each patient once', async () => {
    const seen: string[] = []
    let after: string | null = null
    do {
      const { data } = await staff.graphql(LIST, { first: 2, after })
      seen.push(...data.patients.nodes.map(({ id }: { id: string }) => id))
      after = data.patients.endCursor
    } while (after)
    const stored = await server.db
      .selectFrom('patient')
      .select('id')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    expect(seen).toEqual(stored.map(({ id }) => id))
  })

  it('finds by long and short words what a plain filter finds, sorted and page by page', async () => {
    const letters = { minLength: 1, maxLength: 4 }
    const word = fc.array(fc.constantFrom('a', 'b', 'ă', 'm', 'â'), letters).map((each) => each.join(''))
    const name = fc.record({
      surname: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
      given_names: fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join('-')),
      previous_surname: fc.option(word),
    })
    for (const over of fc.sample(name, { numRuns: 300, seed: 1 })) await makePatient(server.db, over)
    const patients = await server.db.selectFrom('patient').selectAll().execute()
    const known = patients
      .map(({ id, name_key, surname, given_names, previous_surname }) => ({
        id,
        name_key,
        words: nameWords([surname, given_names, previous_surname ?? '']),
      }))
      .sort((one, other) =>
        one.name_key === other.name_key
          ? one.id < other.id
            ? -1
            : 1
          : one.name_key < other.name_key
            ? -1
            : 1,
      )
    const part = (minLength: number, maxLength: number) =>
      fc.string({ unit: fc.constantFrom('a', 'b', 'm'), minLength, maxLength })
    // The two longest are two words of the name if they are long; any other may begin the same one.
    const isFound = (words: readonly string[], wanted: readonly string[]) => {
      const begun = (each: string) => words.filter((own) => own.startsWith(each))
      const [one = '', other] = wanted.filter(({ length }) => length >= 3).sort((a, b) => b.length - a.length)
      const isTwice =
        other === undefined || begun(one).some((own) => begun(other).some((each) => each !== own))
      return isTwice && wanted.every((each) => begun(each).length > 0)
    }
    const query = fc.tuple(
      fc.array(part(3, 4), { minLength: 1, maxLength: 3 }),
      fc.array(part(1, 2), { maxLength: 2 }),
    )
    let hits = 0
    await fc.assert(
      fc.asyncProperty(query, fc.boolean(), async ([long, short], isLongLast) => {
        const requested = isLongLast ? [...short, ...long] : [...long, ...short]
        const typed = [...new Set(requested)]
        // Two neighbouring words may be one in the name.
        const spellings = typed.map((word, place) =>
          place === 0
            ? typed
            : [...typed.slice(0, place - 1), `${typed[place - 1]}${word}`, ...typed.slice(place + 1)],
        )
        const expected = known.filter(({ words }) => spellings.some((spelling) => isFound(words, spelling)))
        const found: string[] = []
        let after: string | null = null
        do {
          const { data } = await staff.graphql(LIST, { search: requested.join(' '), first: 7, after })
          found.push(...data.patients.nodes.map(({ id }: { id: string }) => id))
          after = data.patients.endCursor
        } while (after !== null)
        // Where nothing matches, near names are found.
        if (expected.length > 0) expect(found).toEqual(expected.map(({ id }) => id))
        hits += expected.length
      }),
      { numRuns: 120 },
    )
    expect(hits).toBeGreaterThan(50)
  })

  it('finds by three and more words the words that the name does not show', async () => {
    const make = (surname: string, given_names: string, previous_surname: string | null = null) =>
      makePatient(server.db, { surname, given_names, previous_surname })
    await make('Müller', 'Oana Xenia')
    await make('Xârbu', 'Oana Zoe')
    await make('Xopa', 'Oana Zoe', 'Xopescu-Vechi')
    await make('Xopa', 'Oana-Zoe')
    await make('Xopescu', 'Mariana')
    const found = {
      'mueller oana xenia': ['Müller Oana Xenia'],
      'mue o x': ['Müller Oana Xenia'],
      'xirbu oana zoe': ['Xârbu Oana Zoe'],
      'zoe xarb o': ['Xârbu Oana Zoe'],
      'xopescu oana zoe': ['Xopa Oana Zoe'],
      'xopa vechi oana z': ['Xopa Oana Zoe'],
      'zoe v o': ['Xopa Oana Zoe'],
      'oanazoe xopa': ['Xopa Oana Zoe', 'Xopa Oana-Zoe'],
      'xopa oanazoe vechi': ['Xopa Oana Zoe'],
      'x o z': ['Xârbu Oana Zoe', 'Xopa Oana Zoe', 'Xopa Oana-Zoe'],
      'xo z o': ['Xopa Oana Zoe', 'Xopa Oana-Zoe'],
    }
    for (const [search, names] of Object.entries(found)) {
      expect([search, (await namesFor(search)).sort()]).toEqual([search, [...names].sort()])
    }
  })

  it('reports when digits match more patients than are searched', async () => {
    const CUT = `query ($search: String, $after: String) {
      patients(search: $search, after: $after) { isCut endCursor nodes { id } } }`
    const list = async (search: string, after: string | null = null) =>
      (await staff.graphql(CUT, { search, after })).data.patients
    const insert = (from: number, to: number) =>
      sql`insert into patient (id, surname, given_names, name_key, cnp)
        select gen_random_uuid(), 'Pop', 'Ana', 'pop ana', '777' || lpad(n::text, 10, '0')
        from generate_series(${from}::int, ${to}::int) n`.execute(server.db)
    await insert(1, 1_000)
    expect(await list('777')).toMatchObject({ isCut: false })
    await insert(1_001, 1_001)
    const first = await list('777')
    expect(first).toMatchObject({ isCut: true })
    expect(await list('777', first.endCursor)).toMatchObject({ isCut: true })
    expect(await list('77700000001')).toMatchObject({ isCut: false })
    expect(await list('')).toMatchObject({ isCut: false })
    expect(await list('ana')).toMatchObject({ isCut: false })
  })

  it('returns many matches page by page in the order of names', async () => {
    for (const given_names of ['Zoe', 'Ștefan', 'Sorin', 'Ana', 'Înna', 'Ilie', 'Ăna']) {
      await makePatient(server.db, { surname: 'Munteanu', given_names })
    }
    const seen: string[] = []
    let after: string | null = null
    do {
      const { data } = await staff.graphql(LIST, { search: 'munt', first: 3, after })
      seen.push(...data.patients.nodes.map(({ name }: { name: string }) => name.replace('Munteanu ', '')))
      after = data.patients.endCursor
    } while (after)
    expect(seen).toEqual(['Ana', 'Ăna', 'Ilie', 'Înna', 'Sorin', 'Ștefan', 'Zoe'])
  })

  it.each([{ first: 101 }, { first: -1 }, { first: 0 }, { after: 'nonsense' }, { after: 'W10' }])(
    'rejects the page %j',
    async (args) => {
      const { data, errors } = await staff.graphql(LIST, args)
      expect(data).toBeNull()
      expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    },
  )

  it('never shows a whole CNP', async () => {
    const { data } = await staff.graphql(LIST, { search: '1630615123457' })
    expect(data.patients.nodes[0].cnpMasked).toBe(maskCnp('1630615123457'))
  })

  it('records in the audit log which patients were returned', async () => {
    const { data } = await staff.graphql(LIST, { search: 'vladescu' })
    const [entry] = await audited('patient.list')
    expect(entry?.subject_ids).toEqual([data.patients.nodes[0].id])
  })
})

describe('creating a patient', () => {
  const cnp = makeCnp({ sex: 'female', birthDate: '2025-03-14', county: 70, serial: 12 })

  it('reads birth date and sex from the CNP, also from a CNP with the new county code of 2024', async () => {
    const { data, errors } = await staff.graphql(CREATE, {
      patient: { surname: '  Dănilă ', givenNames: 'Ştefania', cnp, phone: '0722.555.666' },
    })
    expect(errors).toEqual([])
    expect(data.createPatient).toMatchObject({
      name: 'Dănilă Ștefania',
      birthDate: '2025-03-14',
      sex: 'female',
      phone: '+40722555666',
      version: 1,
    })
    expect(await namesFor('danila stefania')).toEqual(['Dănilă Ștefania'])
  })

  it('rejects a CNP that another patient has, with an error at the field', async () => {
    const { errors } = await staff.graphql(CREATE, {
      patient: { surname: 'Alta', givenNames: 'Persoană', cnp },
    })
    expect(errors[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      fields: [{ field: 'cnp', message: 'Există deja un pacient cu acest CNP.' }],
    })
    expect(await namesFor('alta persoana')).toEqual([])
  })

  it('succeeds for one of twenty concurrent requests with one CNP', async () => {
    const same = makeCnp({ sex: 'male', birthDate: '1980-01-01', county: 12, serial: 345 })
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        staff.graphql(CREATE, { patient: { surname: 'Unu', givenNames: 'Singur', cnp: same } }),
      ),
    )
    expect(responses.filter(({ errors }) => errors.length === 0)).toHaveLength(1)
    expect(await namesFor('unu singur')).toHaveLength(1)
  })

  it.each([
    [{ surname: '', givenNames: 'Ana' }, 'surname'],
    [{ surname: 'Pop', givenNames: '   ' }, 'givenNames'],
    [{ surname: 'Pop', givenNames: 'Ana', cnp: '1630615123458' }, 'cnp'],
    [{ surname: 'Pop', givenNames: 'Ana', cnp: '123' }, 'cnp'],
    [{ surname: 'Pop', givenNames: 'Ana', birthDate: '2020-02-30' }, 'birthDate'],
    [{ surname: 'Pop', givenNames: 'Ana', birthDate: '2999-01-01' }, 'birthDate'],
    [{ surname: 'Pop', givenNames: 'Ana', birthDate: '1850-01-01' }, 'birthDate'],
    [{ surname: 'Pop', givenNames: 'Ana', phone: '12' }, 'phone'],
    [{ surname: 'Pop', givenNames: 'Ana', email: 'ana@' }, 'email'],
    [{ surname: 'P'.repeat(101), givenNames: 'Ana' }, 'surname'],
  ])('rejects %j at the field %s, in Romanian', async (patient, field) => {
    const { data, errors } = await staff.graphql(CREATE, { patient })
    expect(data).toBeNull()
    expect(errors[0]?.extensions.fields?.map((error) => error.field)).toEqual([field])
    expect(errors[0]?.message).toMatch(/\.$/)
  })

  it.each([{ number: 1 }, { sex: 'x' }, { preferredChannel: 'fax' }])(
    'rejects %j, which the schema does not have',
    async (over) => {
      const { errors } = await staff.graphql(CREATE, { patient: { surname: 'A', givenNames: 'B', ...over } })
      expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    },
  )
})

describe('changing a patient', () => {
  it('rejects an old version, and keeps what the other user saved', async () => {
    const { id } = await makePatient(server.db, { surname: 'Veche', given_names: 'Versiune' })
    const change = (surname: string) =>
      staff.graphql(UPDATE, { id, version: 1, patient: { surname, givenNames: 'Versiune' } })
    expect((await change('Nouă')).data.updatePatient).toMatchObject({ name: 'Nouă Versiune', version: 2 })
    const second = await change('Pierdută')
    expect(second.errors[0]?.extensions.code).toBe('CONFLICT')
    expect(await namesFor('noua versiune')).toEqual(['Nouă Versiune'])
    expect(await namesFor('veche versiune')).toEqual([])
  })

  it('records which fields changed, with the CNP masked', async () => {
    const cnp = makeCnp({ sex: 'male', birthDate: '1971-07-07', county: 22, serial: 77 })
    const { id } = await makePatient(server.db, {
      surname: 'Jurnal',
      given_names: 'Dan',
      sex: 'male',
      cnp: null,
      birth_date: null,
    })
    await staff.graphql(UPDATE, { id, version: 1, patient: { surname: 'Jurnal', givenNames: 'Dan', cnp } })
    const [entry] = await audited('patient.update')
    expect(entry?.patient_id).toBe(id)
    expect(entry?.changes).toMatchObject({ cnp: { from: null, to: maskCnp(cnp) } })
    expect(JSON.stringify(entry)).not.toContain(cnp)
  })

  it('masks a CNP from a note in the audit log', async () => {
    const cnp = makeCnp({ sex: 'female', birthDate: '1955-05-05', county: 12, serial: 78 })
    const grouped = cnp.replace(/(.)(.{6})(.{6})/, '$1 $2 $3')
    const { id } = await makePatient(server.db, { surname: 'Notă', given_names: 'Lia', notes: null })
    const patient = { surname: 'Notă', givenNames: 'Lia', notes: `mama ${cnp}, sau ${grouped}` }
    expect((await staff.graphql(UPDATE, { id, version: 1, patient })).errors).toEqual([])
    const [entry] = await audited('patient.update')
    expect(entry?.changes).toMatchObject({
      notes: { from: null, to: `mama ${maskCnp(cnp)}, sau ${maskCnp(cnp)}` },
    })
  })
})

describe('an institution’s user', () => {
  let ownUser: TestClient
  let referred: string
  let foreign: string

  beforeAll(async () => {
    const [own, other] = [await makeInstitution(server.db), await makeInstitution(server.db)]
    ownUser = await server.signIn(
      (await makeUser(server.db, { role: 'institution', institutionIds: [own.id] })).email,
    )
    referred = (
      await makePatient(server.db, { surname: 'Trimis', given_names: 'Nouă', phone: '+40722000111' })
    ).id
    foreign = (await makePatient(server.db, { surname: 'Trimis', given_names: 'Altora' })).id
    await makeReferral(server.db, { patient_id: referred, institution_id: own.id })
    await makeReferral(server.db, { patient_id: referred, institution_id: other.id })
    await makeReferral(server.db, { patient_id: foreign, institution_id: other.id })
  })

  it('finds only patients that the institution referred [6.4]', async () => {
    expect(await namesFor('trimis', ownUser)).toEqual(['Trimis Nouă'])
    const { data } = await ownUser.graphql(LIST, {})
    expect(data.patients.nodes.map(({ id }: { id: string }) => id)).toEqual([referred])
  })

  it('sees neither the contact data of the patient nor other institutions’ referrals', async () => {
    const { data } = await ownUser.graphql(READ, { id: referred })
    expect(data.patient).toMatchObject({ phone: null, notes: null, can: { edit: false } })
    expect(data.patient.referrals).toHaveLength(1)
  })

  it.each([
    ['an unknown id', () => newId()],
    ['an invalid id', () => 'x'],
    ['an upper-cased id', () => referred.toUpperCase()],
  ])('gets for a patient of others an error equal to that for %s [6.4]', async (_what, other) => {
    const [a, b] = [
      await ownUser.graphql(READ, { id: foreign }),
      await ownUser.graphql(READ, { id: other() }),
    ]
    expect(a.errors[0]?.extensions.code).toBe('NOT_FOUND')
    expect(a).toEqual(b)
  })

  it('may not create, change or refer patients [6.4]', async () => {
    const patient = { surname: 'Pop', givenNames: 'Ana' }
    const { id } = await makeInstitution(server.db)
    for (const response of [
      await ownUser.graphql(CREATE, { patient }),
      await ownUser.graphql(UPDATE, { id: referred, version: 1, patient }),
      await ownUser.graphql('mutation ($r: ReferralInput!) { createReferral(referral: $r) { id } }', {
        r: { patientId: referred, institutionId: id },
      }),
    ]) {
      expect(response).toMatchObject({ status: 200, data: null })
      expect(response.errors[0]?.extensions.code).toBe('FORBIDDEN')
    }
  })
})

describe('the whole CNP', () => {
  it('is returned on request, and the request is recorded', async () => {
    const { id, cnp } = await makePatient(server.db)
    const { data } = await staff.graphql('mutation ($id: ID!) { revealCnp(patientId: $id) }', { id })
    expect(data.revealCnp).toBe(cnp)
    const [entry] = await audited('patient.reveal-cnp')
    expect(entry).toMatchObject({ patient_id: id, outcome: 'ok' })
  })
})

describe('a referral', () => {
  it('makes the patient visible to the institution from the next request on', async () => {
    const institution = await makeInstitution(server.db)
    const user = await makeUser(server.db, { role: 'institution', institutionIds: [institution.id] })
    const institutionUser = await server.signIn(user.email)
    const { id } = await makePatient(server.db)
    expect((await institutionUser.graphql(READ, { id })).errors[0]?.extensions.code).toBe('NOT_FOUND')
    const { errors } = await staff.graphql(
      'mutation ($r: ReferralInput!) { createReferral(referral: $r) { id } }',
      {
        r: {
          patientId: id,
          institutionId: institution.id,
          doctor: 'Dr. Sânziana Țepeș',
          referredOn: '2026-01-05',
        },
      },
    )
    expect(errors).toEqual([])
    expect((await institutionUser.graphql(READ, { id })).data.patient.id).toBe(id)
  })

  it('is not added twice, also by two requests at the same moment; another doctor is another referral', async () => {
    const institution = await makeInstitution(server.db)
    const { id } = await makePatient(server.db)
    const refer = async (doctor: string | null) => {
      const r = { patientId: id, institutionId: institution.id, doctor, number: 'T-1' }
      const query = 'mutation ($r: ReferralInput!) { createReferral(referral: $r) { id } }'
      return (await staff.graphql(query, { r })).errors[0]?.extensions.code
    }
    const codes = await Promise.all([refer('Dr. Sânziana Țepeș'), refer('Dr. Sânziana Țepeș')])
    expect(codes.toSorted()).toEqual(['BAD_USER_INPUT', undefined])
    expect(await refer(null)).toBeUndefined()
    expect(await refer(' ')).toBe('BAD_USER_INPUT')
    const { data } = await staff.graphql(READ, { id })
    expect(data.patient.referrals).toHaveLength(2)
  })
})
