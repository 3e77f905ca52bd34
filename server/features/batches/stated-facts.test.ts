import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCategory, makeInstitution, makeReferral, makeUser } from '../../../db/factories.ts'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import { createRegistrar } from '../../../test/inspection/drafts.ts'
import { createIntegration } from '../../../test/integrations/send-documents.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
let registrar: Awaited<ReturnType<typeof createRegistrar>>
let reviewer: TestClient
let x: { id: string }
let y: { id: string }
let category: { slug: string }
let serial = 0

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  registrar = await createRegistrar(server)
  reviewer = await server.signIn(
    (await makeUser(server.db, { features: ['patient::files', 'admin::review-files'] })).email,
  )
  x = await makeInstitution(server.db, { name: 'Clinica X' })
  y = await makeInstitution(server.db, { name: 'Spitalul Y' })
  category = await makeCategory(server.db, { name: 'Analize' })
})

async function makePatient() {
  serial += 1
  const birth_date = `19${20 + serial}-05-06`
  const cnp = makeCnp({ sex: 'male', birthDate: birth_date, county: 13, serial })
  const patient = await registrar.makePerson({ cnp, birth_date })
  for (const { id } of [x, y]) await makeReferral(server.db, { patient_id: patient.id, institution_id: id })
  return patient
}

/** Sends a document of the patient for each of the institutions, as a program states it. */
async function sendForBoth(submits_to_review: boolean, accessionNumber?: string) {
  const patient = await makePatient()
  const lis = await createIntegration(server, { submits_to_review })
  const facts = { ...factsOf(patient), examinedAt: '2026-01-05', category: category.slug }
  const send = (key: string, name: string, marker: string, institution: string) =>
    lis.send({
      key,
      name,
      file: textOf(patient, marker),
      facts: { ...facts, institution, ...(accessionNumber && { accessionNumber }) },
    })
  const answers = [await send('d1', 'x.txt', 'PENTRU-X', x.id), await send('d2', 'y.txt', 'PENTRU-Y', y.id)]
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  await server.runJobs()
  return lis
}

type Person = Awaited<ReturnType<typeof makePatient>>
const factsOf = ({ surname, given_names, cnp, birth_date }: Person) => ({
  surname,
  givenNames: given_names,
  cnp,
  birthDate: birth_date,
})
const textOf = ({ surname, given_names, cnp }: Person, marker: string) =>
  Buffer.from(`Pacient: ${surname} ${given_names}\nCNP: ${cnp}\n${marker} ${++serial}\n`)

for (const accessionNumber of [undefined, 'A-77'])
  for (const submits_to_review of [true, false])
    it(`documents that the program states for two institutions are not one upload (accession ${accessionNumber}, submits ${submits_to_review})`, async () => {
      const lis = await sendForBoth(submits_to_review, accessionNumber)
      const rows = await server.db
        .selectFrom('file')
        .innerJoin('upload', 'upload.id', 'file.upload_id')
        .leftJoin('institution', 'institution.id', 'upload.institution_id')
        .select(['file.name', 'upload.id', 'upload.state', 'institution.name as institution'])
        .where('upload.integration_id', '=', lis.id)
        .orderBy('file.name')
        .execute()
      expect(rows.map(({ name, institution }) => [name, institution])).toEqual([
        ['x.txt', 'Clinica X'],
        ['y.txt', 'Spitalul Y'],
      ])
    })

it('what was stated for Y is not downloaded by X after an ordinary review', async () => {
  const ofX = await server.signIn(
    (await makeUser(server.db, { role: 'institution', institutionIds: [x.id] })).email,
  )
  const lis = await sendForBoth(true)
  const [up] = await server.db
    .selectFrom('upload')
    .selectAll()
    .where('integration_id', '=', lis.id)
    .where('state', '=', 'in_review')
    .execute()
  const { upload } = await reviewer.runQuery(
    'query($id: ID!) { upload(id: $id) { version institution { name } files { id name } } }',
    { id: up!.id },
  )
  await reviewer.runQuery(
    'mutation ($id: ID!, $version: Int!, $o: [ID!]) { acceptUpload(id: $id, version: $version, openedFileIds: $o) { state } }',
    { id: up!.id, version: upload.version, o: upload.files.map((f: { id: string }) => f.id) },
  )
  await server.db
    .updateTable('upload')
    .set({ release_at: new Date(0) })
    .where('id', '=', up!.id)
    .execute()
  await server.runJobs()
  const { inbox } = await ofX.runQuery('{ inbox { nodes { id files { id name } } } }')
  const texts = []
  for (const node of inbox.nodes)
    for (const f of node.files) texts.push(await (await ofX.get(`/files/${f.id}`)).text())
  expect(texts.join()).toContain('PENTRU-X')
  expect(texts.join()).not.toContain('PENTRU-Y')
})

it('a document of a category with two reviewers does not join a group of a category with one', async () => {
  const one = await makeCategory(server.db, { name: 'Analize', reviewers: 1 })
  const two = await makeCategory(server.db, { name: 'Genetică', reviewers: 2 })
  const patient = await makePatient()
  const lis = await createIntegration(server, { submits_to_review: true })
  const facts = { ...factsOf(patient), accessionNumber: 'A-1', institution: x.id }
  for (const [place, { slug }] of [one, two].entries())
    await lis.send({
      key: `d${place}`,
      name: `${place}.txt`,
      file: textOf(patient, 'rezultat'),
      facts: { ...facts, category: slug },
    })
  await server.runJobs()
  const rows = await server.db
    .selectFrom('file')
    .innerJoin('upload', 'upload.id', 'file.upload_id')
    .select(['file.name', 'category_slug', 'state'])
    .where('upload.integration_id', '=', lis.id)
    .orderBy('file.name')
    .execute()
  expect(rows.map(({ category_slug }) => category_slug)).toEqual([one.slug, two.slug])
})
