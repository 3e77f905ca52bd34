import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  makeCategory,
  makeEmptyUpload,
  makeFile,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../db/factories.ts'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import type { FactKind, FactPlace, FileFact } from '../../../shared/uploads/file-facts.ts'
import { countCalls } from '../../../test/count-calls.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { newId } from '../../platform/ids.ts'
import { replaceFacts } from '../uploads/inspection/facts.db.ts'

const PROPOSAL = `query ($id: ID!) { upload(id: $id) { proposal {
  confidence patients { id number name cnpMasked birthDate reasons reasonText } institution { id } category { slug }
  title examinedOn accessionNumber doctor } duplicates { fileId kind upload { id state patient { id } } } } }`
const TRY = 'query ($text: String!) { proposedCategory(text: $text) { slug } }'
const SAVE =
  'mutation ($version: Int!, $changes: JSON!) { saveSettings(version: $version, changes: $changes) { version } }'
const PDF: FactPlace = { in: 'text', page: 1 }
const DICOM: FactPlace = { in: 'tag', tag: '0010,0010' }

let server: TestServer
let registrar: TestClient
let registrarId: string
let admin: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const author = await makeUser(server.db)
  registrarId = author.id
  registrar = await server.signIn(author.email)
  admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
})

const fact = (kind: FactKind, value: string, place = PDF): FileFact => ({ kind, value, place })

/** Makes an upload of the registrar without a patient, with a file for each list of facts. */
async function makeStating(files: readonly (readonly FileFact[])[], name = 'rezultat.pdf') {
  const { db, services } = server
  const upload = await makeEmptyUpload(db, { created_by: registrarId })
  const ids: string[] = []
  for (const facts of files) {
    const bytes = Buffer.from(newId())
    const { id } = await makeFile(db, services.storage, { bytes, name, upload_id: upload.id })
    await replaceFacts(db, id, facts)
    ids.push(id)
  }
  return { id: upload.id, fileIds: ids }
}

async function propose(files: readonly (readonly FileFact[])[], name?: string) {
  const { id } = await makeStating(files, name)
  const { data, errors } = await registrar.graphql(PROPOSAL, { id })
  expect(errors).toEqual([])
  return data.upload.proposal
}

let serial = 100
async function makePerson(over: Parameters<typeof makePatient>[1] = {}) {
  serial += 1
  const birth_date = `19${60 + (serial % 30)}-04-0${1 + (serial % 9)}`
  const cnp = makeCnp({ sex: 'female', birthDate: birth_date, county: 12, serial })
  return makePatient(server.db, { surname: 'Văduva', given_names: 'Maria', birth_date, cnp, ...over })
}

describe('the patient that is proposed', () => {
  it('is sure by the CNP, with the reason in words', async () => {
    const patient = await makePerson()
    const proposal = await propose([[fact('cnp', patient.cnp!), fact('name', 'VADUVA MARIA')]])
    expect(proposal).toMatchObject({
      confidence: 'sure',
      patients: [
        {
          id: patient.id,
          number: patient.number,
          name: 'Văduva Maria',
          cnpMasked: `*********${patient.cnp!.slice(-4)}`,
          reasons: ['cnp', 'name'],
          reasonText: 'CNP și nume în pagina 1',
        },
      ],
    })
    expect(JSON.stringify(proposal)).not.toContain(patient.cnp)
  })

  it('is sure by the name and the birth date in DICOM', async () => {
    const patient = await makePerson({ given_names: 'Ana Smaranda' })
    const facts = [fact('name', 'Vaduva Ana-Smaranda', DICOM), fact('birth-date', patient.birth_date!, DICOM)]
    expect(await propose([facts])).toMatchObject({
      confidence: 'sure',
      patients: [{ id: patient.id, reasonText: 'nume și data nașterii în DICOM' }],
    })
  })

  it('is sure by the accession number and the birth date with a name that is cut, likely without a name', async () => {
    const patient = await makePerson({ given_names: 'Elena Georgeta' })
    await makeUpload(server.db, server.services.storage, {
      patient_id: patient.id,
      state: 'released',
      accession_number: '2026-00017',
    })
    const facts = [fact('accession', '2026-00017'), fact('birth-date', patient.birth_date!)]
    expect(await propose([[...facts, fact('name', 'Văduva Elena')]])).toMatchObject({
      confidence: 'sure',
      patients: [{ id: patient.id, reasons: ['accession', 'birth-date', 'name'] }],
    })
    expect(await propose([facts])).toMatchObject({ confidence: 'likely', patients: [{ id: patient.id }] })
  })

  it('is in conflict where the CNP is of another person than the name, and lists both', async () => {
    const mother = await makePerson({ given_names: 'Ioana' })
    const child = await makePerson({ given_names: 'Tudor', birth_date: '2025-05-05', cnp: null })
    const proposal = await propose([
      [fact('cnp', mother.cnp!), fact('name', 'Văduva Tudor'), fact('birth-date', '2025-05-05')],
    ])
    expect(proposal.confidence).toBe('conflict')
    expect(proposal.patients.map(({ id }: { id: string }) => id)).toEqual([mother.id, child.id])
  })

  it('is in conflict where two files are about two people', async () => {
    const [one, other] = [await makePerson(), await makePerson()]
    const proposal = await propose([[fact('cnp', one.cnp!)], [fact('cnp', other.cnp!)]])
    expect(proposal.confidence).toBe('conflict')
    expect(proposal.patients).toHaveLength(2)
  })

  it('is not sure where another file states something else, nor by two people of one name and birth date', async () => {
    const patient = await makePerson({ surname: 'Ungureanu' })
    const foreign = await propose([[fact('cnp', patient.cnp!)], [fact('name', 'Mureșan Mihai')]])
    expect(foreign.confidence).toBe('conflict')
    const other = await makePerson({ surname: 'Ungureanu', birth_date: patient.birth_date })
    const both = await propose([[fact('name', 'Ungureanu Maria'), fact('birth-date', patient.birth_date!)]])
    expect(both.confidence).toBe('likely')
    expect(both.patients.map(({ id }: { id: string }) => id).sort()).toEqual([patient.id, other.id].sort())
  })

  it('is not sure where the birth date of another person of this name differs by one digit', async () => {
    await makePerson({ surname: 'Zăvoianu', birth_date: '1981-11-20' })
    const near = await makePerson({ surname: 'Zăvoianu', birth_date: '1981-11-26' })
    const facts = [fact('name', 'Zăvoianu Maria'), fact('birth-date', '1981-11-26')]
    expect(await propose([facts])).toMatchObject({ confidence: 'likely', patients: [{ id: near.id }] })
  })

  it('is no deleted or merged one, and none without facts', async () => {
    const merged = await makePerson({ deleted_at: new Date() })
    expect(await propose([[fact('cnp', merged.cnp!)]])).toMatchObject({ confidence: 'none', patients: [] })
    expect(await propose([[]])).toMatchObject({ confidence: 'none', patients: [], institution: null })
  })

  it('is hidden from institutions', async () => {
    const institution = await makeInstitution(server.db)
    const patient = await makePerson()
    await makeReferral(server.db, { patient_id: patient.id, institution_id: institution.id })
    const { id } = await makeUpload(server.db, server.services.storage, {
      patient_id: patient.id,
      institution_id: institution.id,
      state: 'released',
    })
    const user = await makeUser(server.db, { role: 'institution', institutionIds: [institution.id] })
    const { data } = await (await server.signIn(user.email)).graphql(PROPOSAL, { id })
    expect(data.upload).toEqual({ proposal: null, duplicates: [] })
  })
})

describe('the other details that are proposed', () => {
  it('are the institution that the file names, of those that referred the patient', async () => {
    const patient = await makePerson()
    const [one, other, foreign] = [
      await makeInstitution(server.db, { name: 'Clinica Zorile Noi' }),
      await makeInstitution(server.db, { name: 'Spitalul Județean Cluj', short_name: 'SJU Cluj' }),
      await makeInstitution(server.db, { name: 'Policlinica Izvoarelor' }),
    ]
    for (const { id } of [one, other])
      await makeReferral(server.db, { patient_id: patient.id, institution_id: id })
    const institutionOf = async (value: string) =>
      (await propose([[fact('cnp', patient.cnp!), fact('institution', value)]])).institution
    expect(await institutionOf('CLINICA ZORILE NOI SRL')).toEqual({ id: one.id })
    expect(await institutionOf('S.J.U. Cluj')).toBeNull()
    expect(await institutionOf('SJU CLUJ, secția I')).toEqual({ id: other.id })
    expect(await institutionOf('Policlinica Izvoarelor')).toBeNull()
    expect((await propose([[fact('institution', 'Policlinica Izvoarelor')]])).institution).toEqual({
      id: foreign.id,
    })
  })

  it('are the only institution that referred the patient, if the file names none', async () => {
    const patient = await makePerson()
    const { id } = await makeInstitution(server.db)
    await makeReferral(server.db, { patient_id: patient.id, institution_id: id })
    expect((await propose([[fact('cnp', patient.cnp!)]])).institution).toEqual({ id })
  })

  it('are the date, the number and the doctor, where the files agree on them', async () => {
    const facts = [
      fact('examined-on', '2026-02-03'),
      fact('accession', 'A 17'),
      fact('doctor', 'Dr. Vlad Țepeș'),
    ]
    expect(await propose([facts, [fact('doctor', 'DR. VLAD TEPES')]])).toMatchObject({
      examinedOn: '2026-02-03',
      accessionNumber: 'A 17',
      doctor: 'Dr. Vlad Țepeș',
    })
    expect(await propose([facts, [fact('examined-on', '2026-02-04')]])).toMatchObject({ examinedOn: null })
  })

  it('are the category and the title, by its name or the words of the settings', async () => {
    const slug = 'imagistica-proba'
    await makeCategory(server.db, { slug, name: 'Ecografie de probă' })
    expect(await propose([[]], 'ecografie_de_proba-12.pdf')).toMatchObject({
      category: { slug },
      title: 'Ecografie de probă',
    })
    expect((await registrar.graphql(TRY, { text: 'Eco abd. Popescu' })).data.proposedCategory).toBeNull()
    const { data } = await admin.graphql('{ siteSettings { version } }')
    const saved = await admin.graphql(SAVE, {
      version: data.siteSettings.version,
      changes: { category_words: [{ slug, words: ['eco abd', ' eco abd '] }] },
    })
    expect(saved.errors).toEqual([])
    expect((await registrar.graphql(TRY, { text: 'Eco abd. Popescu' })).data.proposedCategory).toEqual({
      slug,
    })
    expect((await registrar.graphql(TRY, { text: 'Ecou abdominal' })).data.proposedCategory).toBeNull()
  })

  it.each([
    [[{ slug: 'A b', words: ['x'] }]],
    [[{ slug: 'a', words: [' '] }]],
    ['x'],
    [[{ slug: 'a', words: Array(51).fill('x') }]],
  ])('rejects the words %j', async (words) => {
    const { data } = await admin.graphql('{ siteSettings { version } }')
    const { errors } = await admin.graphql(SAVE, {
      version: data.siteSettings.version,
      changes: { category_words: words },
    })
    expect(errors[0]?.extensions.fields?.[0]?.field).toBe('category_words')
  })
})

describe('duplicates', () => {
  it('are other uploads with the same bytes or the same image, also rejected ones, and no hidden ones', async () => {
    const { db, services } = server
    const patient = await makePerson()
    const bytes = Buffer.from('the same bytes')
    const file = { bytes, name: 'a.dcm' }
    const filed = await makeUpload(db, services.storage, {
      patient_id: patient.id,
      files: [file],
      state: 'rejected',
    })
    // A draft of another registrar, which this one may not read.
    await makeUpload(db, services.storage, { patient_id: null, files: [file], state: 'receiving' })
    const slice = await makeUpload(db, services.storage, { patient_id: patient.id, state: 'released' })
    await replaceFacts(db, slice.files[0]!.id, [fact('instance', '1.2.3.4', DICOM)])
    const { id, fileIds } = await makeStating([[fact('instance', '1.2.3.4', DICOM)], []])
    const same = await makeFile(db, services.storage, { ...file, upload_id: id })
    const { data } = await registrar.graphql(PROPOSAL, { id })
    expect(data.upload.duplicates).toHaveLength(2)
    expect(data.upload.duplicates).toEqual(
      expect.arrayContaining([
        {
          fileId: same.id,
          kind: 'bytes',
          upload: { id: filed.id, state: 'rejected', patient: { id: patient.id } },
        },
        {
          fileId: fileIds[0],
          kind: 'instance',
          upload: { id: slice.id, state: 'released', patient: { id: patient.id } },
        },
      ]),
    )
  })
})

it('of 60 documents takes as many statements as of one, and is not asked for fifty times in one request', async () => {
  const people = await Promise.all(Array.from({ length: 60 }, () => makePerson()))
  const { id } = await makeStating(people.map(({ cnp }) => [fact('cnp', cnp!)]))
  const one = await makeStating([[fact('cnp', people[0]!.cnp!)]])
  const count = (uploadId: string) =>
    countCalls('/matching.db.ts', 'selectCandidates', () => registrar.runQuery(PROPOSAL, { id: uploadId }))
  expect(await count(id)).toBe(await count(one.id))
  const aliases = Array.from({ length: 50 }, (_, n) => `a${n}: proposal { confidence }`).join(' ')
  const { errors } = await registrar.graphql(`query ($id: ID!) { upload(id: $id) { ${aliases} } }`, { id })
  expect(errors[0]).toMatchObject({
    message: 'the query costs too much',
    extensions: { code: 'BAD_USER_INPUT' },
  })
})
