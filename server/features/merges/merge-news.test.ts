import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../db/factories.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

const MERGE = `mutation ($survivorId: ID!, $survivorVersion: Int!, $mergedId: ID!, $mergedVersion: Int!) {
  mergePatients(survivorId: $survivorId, survivorVersion: $survivorVersion, mergedId: $mergedId, mergedVersion: $mergedVersion) { merges { id } } }`
const UNDO = 'mutation ($id: ID!) { undoMerge(id: $id) { newsToCheck } }'
const PREVIEW =
  'query ($survivorId: ID!, $mergedId: ID!) { mergePreview(survivorId: $survivorId, mergedId: $mergedId) { obstacle } }'
const WRITE = `mutation ($patientId: ID!, $text: String!, $visibility: NewsVisibility!, $shownTo: [ID!]!) {
  createNews(patientId: $patientId, news: { kind: warning, text: $text, visibility: $visibility }, shownTo: $shownTo) { id version } }`
const LIST =
  'query ($patientId: ID!, $removed: Boolean) { patientNews(patientId: $patientId, removed: $removed) { text visibility former { visibility } } }'

let server: TestServer
let writer: TestClient
let merger: TestClient
let clinic: { id: string; name: string }
let other: { id: string; name: string }
let ana: TestClient
let foreigner: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const signIn = async (over: Parameters<typeof makeUser>[1]) =>
    server.signIn((await makeUser(server.db, over)).email)
  writer = await signIn({ features: ['patient::files', 'patient::news'] })
  merger = await signIn({ features: ['patient::files'] })
  clinic = await makeInstitution(server.db, { name: 'Clinica Țară' })
  other = await makeInstitution(server.db, { name: 'Spitalul Mare' })
  ana = await signIn({ role: 'institution', institutionIds: [clinic.id] })
  foreigner = await signIn({ role: 'institution', institutionIds: [other.id] })
})

const makePerson = async (...institutionIds: string[]) => {
  const { id } = await makePatient(server.db, { surname: 'Popa', cnp: null, birth_date: '1980-01-01' })
  for (const institution_id of institutionIds)
    await makeReferral(server.db, { patient_id: id, institution_id })
  return id
}
const write = async (patientId: string, text: string, visibility = 'institution') =>
  (await writer.runQuery(WRITE, { patientId, text, visibility, shownTo: [clinic.id, other.id] })).createNews
const textsOf = async (client: TestClient, patientId: string, removed = false) =>
  (await client.runQuery(LIST, { patientId, removed })).patientNews.map(({ text }: { text: string }) => text)
const versionOf = async (id: string) =>
  (await server.db.selectFrom('patient').select('version').where('id', '=', id).executeTakeFirstOrThrow())
    .version
const merge = async (mergedId: string, survivorId: string, client = writer) =>
  client.graphql(MERGE, {
    survivorId,
    mergedId,
    survivorVersion: await versionOf(survivorId),
    mergedVersion: await versionOf(mergedId),
  })

it('news go with a merged patient, removed ones too, and return when the merge is undone', async () => {
  const [merged, survivor] = [await makePerson(clinic.id), await makePerson(clinic.id)]
  await write(merged, 'Alergie')
  const gone = await write(merged, 'Șters')
  await writer.runQuery(
    'mutation ($id: ID!, $version: Int!) { removeNews(id: $id, version: $version) }',
    gone,
  )
  await write(survivor, 'Diabet')
  const { data } = await merge(merged, survivor)
  const read = await textsOf(ana, survivor)
  expect(read.toSorted()).toEqual(['Alergie', 'Diabet'])
  // The old id leads to the survivor.
  expect(await textsOf(ana, merged)).toEqual(read)
  expect(await textsOf(writer, survivor, true)).toEqual(['Șters'])

  const { undoMerge } = await writer.runQuery(UNDO, { id: data.mergePatients.merges[0].id })
  expect(undoMerge.newsToCheck).toBe(0)
  expect(await textsOf(ana, merged)).toEqual(['Alergie'])
  expect(await textsOf(writer, merged, true)).toEqual(['Șters'])
  expect(await textsOf(ana, survivor)).toEqual(['Diabet'])
})

it('a merge that would show news to another institution is refused to each person until only staff read them', async () => {
  const [merged, survivor] = [await makePerson(clinic.id), await makePerson(clinic.id, other.id)]
  await write(survivor, 'Program')
  const { id, version } = await write(merged, 'Alergie')
  for (const client of [writer, merger]) {
    const { errors } = await merge(merged, survivor, client)
    expect(errors[0]!.extensions.code).toBe('CONFLICT')
    // The clinic reads both already.
    expect(JSON.stringify(errors)).toContain('Spitalul Mare')
    expect(JSON.stringify(errors)).not.toContain('Clinica Țară')
  }
  const { mergePreview } = await writer.runQuery(PREVIEW, { survivorId: survivor, mergedId: merged })
  expect(mergePreview.obstacle).toContain('Spitalul Mare')
  await writer.runQuery(
    'mutation ($id: ID!, $version: Int!) { editNews(id: $id, version: $version, news: { kind: warning, text: "Alergie", visibility: staff }, shownTo: []) { id } }',
    { id, version },
  )
  expect((await merge(merged, survivor)).errors).toEqual([])
  expect(await textsOf(foreigner, survivor)).toEqual(['Program'])
  expect((await textsOf(writer, survivor)).toSorted()).toEqual(['Alergie', 'Program'])
})

it('a merge that would show news to the holder of a link with results of the other patient is refused until the link has ended', async () => {
  const [merged, survivor] = [await makePerson(clinic.id), await makePerson(clinic.id)]
  await write(survivor, 'Veniți pe nemâncate', 'patient')
  const { id: uploadId } = await makeUpload(server.db, server.services.storage, {
    state: 'released',
    patient_id: merged,
    institution_id: clinic.id,
  })
  const maker = await server.signIn(
    (await makeUser(server.db, { features: ['patient::files', 'patient::share'] })).email,
  )
  const share = async (recipientKind: string) =>
    (
      await maker.runQuery(
        `mutation ($patientId: ID!, $uploadId: ID!, $recipientKind: ShareRecipientKind!) { createShare(input: {
          patientId: $patientId, uploadIds: [$uploadId], recipientKind: $recipientKind, recipientName: "Ion Pop",
          channel: link, proof: birth_date, reason: "A cerut" }) { share { id } } }`,
        { patientId: merged, uploadId, recipientKind },
      )
    ).createShare.share.id as string
  // A doctor reads no news.
  await share('doctor')
  const designated = await share('designated')
  for (const client of [writer, merger])
    expect((await merge(merged, survivor, client)).errors[0]!.extensions.code).toBe('CONFLICT')
  const { mergePreview } = await writer.runQuery(PREVIEW, { survivorId: merged, mergedId: survivor })
  expect(mergePreview.obstacle).toContain('link cu rezultatele celuilalt')
  await maker.runQuery('mutation ($id: ID!) { endShares(ids: [$id], reason: "Unire") { id } }', {
    id: designated,
  })
  expect((await merge(merged, survivor)).errors).toEqual([])
})

it('a referral that has ended neither shows news nor refuses the merge', async () => {
  const [merged, survivor] = [await makePerson(clinic.id), await makePerson(clinic.id)]
  await makeReferral(server.db, { patient_id: survivor, institution_id: other.id, ended_at: new Date() })
  await write(merged, 'Alergie')
  expect((await merge(merged, survivor)).errors).toEqual([])
  expect(await textsOf(foreigner, survivor)).toEqual([])
})

it('what was written while two patients were merged is for staff alone after the undo, and counted', async () => {
  const [merged, survivor] = [await makePerson(clinic.id), await makePerson(clinic.id)]
  await write(merged, 'Dinainte')
  const { data } = await merge(merged, survivor)
  await write(survivor, 'Al cui?', 'patient')
  await write(survivor, 'Intern', 'staff')
  const { undoMerge } = await writer.runQuery(UNDO, { id: data.mergePatients.merges[0].id })
  expect(undoMerge.newsToCheck).toBe(2)
  expect(await textsOf(ana, survivor)).toEqual([])
  expect(await textsOf(ana, merged)).toEqual(['Dinainte'])
  const { patientNews } = await writer.runQuery(LIST, { patientId: survivor })
  expect(patientNews.find(({ text }: { text: string }) => text === 'Al cui?')).toEqual({
    text: 'Al cui?',
    visibility: 'staff',
    former: [{ visibility: 'patient' }],
  })
})
