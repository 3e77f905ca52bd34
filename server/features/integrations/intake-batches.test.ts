import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCategory, makeInstitution, makeReferral, makeUser } from '../../../db/factories.ts'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import { createRegistrar } from '../../../test/inspection/drafts.ts'
import { createIntegration } from '../../../test/integrations/send-documents.ts'
import { countLockWaits } from '../../../test/locks/lock-waits.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

const BATCHES =
  '{ batches(open: true) { nodes { id name source isOwn authorName counts { announced ready } } } }'
const READ = `query ($id: ID!) { batch(id: $id) { version groups { nodes {
  upload { id version state title authorName isOwn files { id } }
  proposal { confidence isReady title accessionNumber doctor examinedOn
    patients { id reasonText } institution { id } category { slug } } } } } }`
const ACCEPT = `mutation ($uploadId: ID!, $version: Int!) { acceptGroup(uploadId: $uploadId, version: $version) {
  id state authorName isOwn } }`
const UNDO = 'mutation ($batchId: ID!) { undoFiling(batchId: $batchId) { done left { code } } }'
const CLOSE = 'mutation ($id: ID!) { closeBatch(id: $id, withdrawRest: 2) { closedAt } }'
const ADD = `mutation ($batchId: ID!) {
  addToBatch(batchId: $batchId, files: [{ key: "a", name: "a.txt", size: 1 }]) { key } }`

const REJECT = `mutation ($id: ID!, $version: Int!) {
  rejectUpload(id: $id, version: $version, reason: "incomplete", comment: "Lipsește o pagină.") { version } }`
const SUBMIT = 'mutation ($id: ID!) { submitUpload(id: $id) { version state isOwn } }'
const ACCEPT_UPLOAD =
  'mutation ($id: ID!, $version: Int!) { acceptUpload(id: $id, version: $version) { state } }'

let server: TestServer
let registrar: Awaited<ReturnType<typeof createRegistrar>>
let reviewer: TestClient
let institution: { id: string }
let category: { slug: string }

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  registrar = await createRegistrar(server)
  const features = ['patient::files', 'admin::review-files'] as const
  reviewer = await server.signIn((await makeUser(server.db, { features: [...features] })).email)
  institution = await makeInstitution(server.db)
  category = await makeCategory(server.db, { name: 'Radiografii', review_required: false })
})

let serial = 0
type Person = Awaited<ReturnType<typeof registrar.makePerson>>
const makePatient = async (): Promise<Person> => {
  serial += 1
  const birth_date = `19${10 + (serial % 80)}-05-06`
  const cnp = makeCnp({ sex: 'male', birthDate: birth_date, county: 13, serial })
  const patient = await registrar.makePerson({ cnp, birth_date })
  await makeReferral(server.db, { patient_id: patient.id, institution_id: institution.id })
  return patient
}
const report = ({ surname, given_names, cnp }: Person) =>
  Buffer.from(`Pacient: ${surname} ${given_names}\nCNP: ${cnp}\nrezultatul ${++serial}\n`)
const factsOf = ({ surname, given_names, cnp }: Person) => ({ surname, givenNames: given_names, cnp })

const batchOf = async (name = 'LIS central', client = registrar.client) =>
  (await client.runQuery(BATCHES)).batches.nodes.find(
    ({ authorName }: { authorName: string }) => authorName === name,
  )
/** Sends one document by an integration of its own, and returns its batch with the only group. */
async function sendOne(
  document: { file: Buffer; name?: string; facts?: object },
  over: Parameters<typeof createIntegration>[1] = {},
) {
  await server.db.updateTable('batch').set({ closed_at: new Date() }).execute()
  const lis = await createIntegration(server, over)
  const { status } = await lis.send({ key: 'doc-1', ...document })
  expect(status).toBe(201)
  await server.runJobs()
  const { id } = await batchOf()
  const { groups, version } = (await registrar.client.runQuery(READ, { id })).batch
  expect(groups.nodes).toHaveLength(1)
  return { lis, id, version, ...groups.nodes[0] }
}
const codeOf = async (query: string, variables: object, client: TestClient) =>
  (await client.graphql(query, { ...variables })).errors[0]?.extensions.code ?? 'ok'

describe('documents of an integration', () => {
  it('are a batch of the day, which all who may send files see and file, and others do not', async () => {
    const patient = await makePatient()
    const { lis, id, upload, proposal } = await sendOne(
      { file: report(patient), facts: { title: 'RX torace', category: category.slug, doctor: 'dr. Pop' } },
      { institution_id: institution.id },
    )
    const day = new Date().toLocaleDateString('ro-RO', {
      timeZone: 'Europe/Bucharest',
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
    })
    expect(await batchOf()).toMatchObject({
      name: `LIS central, ${day}`,
      source: 'integration',
      isOwn: true,
      counts: { announced: 1, ready: 1 },
    })
    expect(upload).toMatchObject({ authorName: 'LIS central', isOwn: false, state: 'receiving' })
    expect(proposal).toMatchObject({ confidence: 'sure', title: 'RX torace', doctor: 'dr. Pop' })
    expect((await lis.send({ key: 'doc-2', file: Buffer.from('fără nume') })).status).toBe(201)
    expect(await batchOf()).toMatchObject({ id, counts: { announced: 2 } })
    expect(await codeOf(ADD, { batchId: id }, registrar.client)).toBe('FORBIDDEN')

    const other = await server.signIn((await makeUser(server.db, { features: [] })).email)
    expect(await codeOf(BATCHES, {}, other)).toBe('FORBIDDEN')
    expect(await codeOf(READ, { id }, other)).toBe('FORBIDDEN')

    await registrar.client.runQuery(CLOSE, { id })
    expect((await lis.send({ key: 'doc-3', file: Buffer.from('altul') })).status).toBe(201)
    expect((await batchOf()).id).not.toBe(id)
  })

  it('are filed by the person who accepts, who is the author then, and taken back from that person', async () => {
    const patient = await makePatient()
    const { id, upload } = await sendOne(
      { file: report(patient) },
      { institution_id: institution.id, category_slug: category.slug },
    )
    const { acceptGroup } = await reviewer.runQuery(ACCEPT, { uploadId: upload.id, version: upload.version })
    expect(acceptGroup).toMatchObject({ state: 'checking', isOwn: true })
    expect(acceptGroup.authorName).not.toBe('LIS central')
    expect((await registrar.client.runQuery(UNDO, { batchId: id })).undoFiling.left).toMatchObject([
      { code: 'FORBIDDEN' },
    ])
    expect((await reviewer.runQuery(UNDO, { batchId: id })).undoFiling.done).toEqual([upload.id])
    await server.runJobs()
    const { groups } = (await registrar.client.runQuery(READ, { id })).batch
    expect(groups.nodes[0].upload).toMatchObject({ authorName: 'LIS central', state: 'receiving' })
    expect(groups.nodes[0].proposal).toMatchObject({ confidence: 'sure', isReady: true })
  })

  it('are matched also by what the sender states, which the reason names', async () => {
    const patient = await makePatient()
    const { proposal } = await sendOne({ file: Buffer.from(`rezultat ${++serial}`), facts: factsOf(patient) })
    expect(proposal).toMatchObject({ confidence: 'sure', patients: [{ id: patient.id }] })
    expect(proposal.patients[0].reasonText).toBe('CNP și nume în datele trimise cu fișierul')
  })

  it('are a conflict if the sender states another patient than the file', async () => {
    const [ana, barbu] = [await makePatient(), await makePatient()]
    const { proposal } = await sendOne({ file: report(ana), facts: factsOf(barbu) })
    expect(proposal).toMatchObject({ confidence: 'conflict', isReady: false })
  })

  it('go to review by themselves if the setting is on and the file is surely of the patient, and are never accepted by a policy', async () => {
    const patient = await makePatient()
    const facts = { ...factsOf(patient), birthDate: patient.birth_date }
    const over = { institution_id: institution.id, category_slug: category.slug, submits_to_review: true }
    const { upload } = await sendOne({ file: report(patient), facts }, over)
    expect(upload).toMatchObject({ state: 'in_review', authorName: 'LIS central', isOwn: false })
    const row = await server.db
      .selectFrom('upload')
      .selectAll()
      .where('id', '=', upload.id)
      .executeTakeFirstOrThrow()
    // The category requires no reviewer, and the file confirms its patient.
    expect(row).toMatchObject({ created_by: null, patient_id: patient.id, released_at: null })
    const recorded = await server.db
      .selectFrom('audit_event')
      .select(['action', 'actor_name'])
      .where('subject_id', '=', upload.id)
      .where('action', 'in', ['upload.assign', 'upload.submit', 'upload.accept'])
      .orderBy('id')
      .execute()
    expect(recorded).toEqual([
      { action: 'upload.assign', actor_name: 'LIS central' },
      { action: 'upload.submit', actor_name: 'LIS central' },
    ])
  })

  it.each([
    ['the setting is off', { submits_to_review: false }, {}],
    ['the birth date is stated nowhere', {}, { birthDate: null }],
    ['a fact is of another patient', {}, { birthDate: '1931-02-03' }],
    ['the institution has no referral of the patient', { institution_id: '' }, {}],
  ])('wait for a person if %s', async (_why, over, changed) => {
    const patient = await makePatient()
    const facts = { ...factsOf(patient), birthDate: patient.birth_date, ...changed }
    const elsewhere = 'institution_id' in over ? (await makeInstitution(server.db)).id : institution.id
    const settings = {
      category_slug: category.slug,
      submits_to_review: true,
      ...over,
      institution_id: elsewhere,
    }
    // Stated by the file, so that only the stated institution counts.
    const institutionFact = 'institution_id' in over ? { institution: elsewhere } : {}
    const { upload } = await sendOne(
      { file: report(patient), facts: { ...facts, ...institutionFact } },
      settings,
    )
    expect(upload).toMatchObject({ state: 'receiving', authorName: 'LIS central' })
  })

  it('wait for a person after their filing was undone', async () => {
    const patient = await makePatient()
    const facts = { ...factsOf(patient), birthDate: patient.birth_date }
    const over = { institution_id: institution.id, category_slug: category.slug, submits_to_review: true }
    const { id, upload } = await sendOne({ file: report(patient), facts }, over)
    expect(upload.state).toBe('in_review')
    expect((await registrar.client.runQuery(UNDO, { batchId: id })).undoFiling.done).toEqual([upload.id])
    await server.runJobs()
    const { groups } = (await registrar.client.runQuery(READ, { id })).batch
    expect(groups.nodes[0].upload.state).toBe('receiving')
  })

  it('take no file of a person, who would not be its author, until a rejection', async () => {
    const patient = await makePatient()
    const facts = { ...factsOf(patient), birthDate: patient.birth_date }
    const over = { institution_id: institution.id, category_slug: category.slug, submits_to_review: true }
    const waiting = await sendOne({ file: report(patient) }, over)
    const added = report(patient)
    await expect(registrar.tus.begin(waiting.upload.id, added)).rejects.toThrow('POST responded 409')

    const { upload } = await sendOne({ file: report(patient), facts }, over)
    await reviewer.runQuery(REJECT, { id: upload.id, version: upload.version })
    await registrar.tus.begin(upload.id, added)
    const { created_by } = await server.db
      .selectFrom('upload')
      .select('created_by')
      .where('id', '=', upload.id)
      .executeTakeFirstOrThrow()
    expect(created_by).toBe(registrar.userId)
  })

  it('are among the own uploads of all who may mend them after a rejection, until one of them does', async () => {
    const patient = await makePatient()
    const facts = { ...factsOf(patient), birthDate: patient.birth_date }
    const over = { institution_id: institution.id, category_slug: category.slug, submits_to_review: true }
    const { upload } = await sendOne({ file: report(patient), facts }, over)
    const colleague = await createRegistrar(server)
    const listed = async (client: TestClient) => {
      const { myUploads, ownNotices } = await client.runQuery(
        '{ myUploads(states: [rejected, in_review]) { nodes { id } } ownNotices { uploadId } }',
      )
      return [
        myUploads.nodes.some(({ id }: { id: string }) => id === upload.id),
        ownNotices.some(({ uploadId }: { uploadId: string }) => uploadId === upload.id),
      ]
    }
    expect(await listed(registrar.client)).toEqual([false, false])
    await reviewer.runQuery(REJECT, { id: upload.id, version: upload.version })
    expect(await listed(registrar.client)).toEqual([true, true])
    expect(await listed(colleague.client)).toEqual([true, true])
    await registrar.tus.begin(upload.id, report(patient))
    expect(await listed(registrar.client)).toEqual([true, true])
    expect(await listed(colleague.client)).toEqual([false, false])
  })

  it('are not accepted by the person who sends them to review again after a rejection', async () => {
    const patient = await makePatient()
    const facts = { ...factsOf(patient), birthDate: patient.birth_date }
    const over = { institution_id: institution.id, category_slug: category.slug, submits_to_review: true }
    const { upload } = await sendOne({ file: report(patient), facts }, over)
    await reviewer.runQuery(REJECT, { id: upload.id, version: upload.version })
    const { submitUpload } = await reviewer.runQuery(SUBMIT, { id: upload.id })
    expect(submitUpload).toMatchObject({ state: 'in_review', isOwn: true })
    const again = { id: upload.id, version: submitUpload.version }
    expect(await codeOf(ACCEPT_UPLOAD, again, reviewer)).toBe('FORBIDDEN')
  })

  it('come to an open batch also if somebody closes the batch meanwhile', async () => {
    const { lis, id } = await sendOne({ file: Buffer.from(`rezultat ${++serial}`) })
    let sending: ReturnType<typeof lis.send> | undefined
    await server.db.transaction().execute(async (tx) => {
      await tx.selectFrom('batch').select('id').where('id', '=', id).forUpdate().execute()
      sending = lis.send({ key: 'doc-2', file: Buffer.from(`rezultat ${++serial}`) })
      await expect.poll(() => countLockWaits(server.db)).toBe(1)
      // As a draft of the integration does that a person makes in the batch: neither may wait for the other.
      await tx.selectFrom('integration').select('id').where('id', '=', lis.id).forKeyShare().execute()
      await tx.updateTable('batch').set({ closed_at: new Date() }).where('id', '=', id).execute()
    })
    const { status, body } = await sending!
    expect(status).toBe(201)
    const batch = await server.db
      .selectFrom('upload')
      .innerJoin('batch', 'batch.id', 'upload.batch_id')
      .select(['batch.id', 'batch.closed_at'])
      .where('upload.id', '=', body.upload)
      .executeTakeFirstOrThrow()
    expect(batch.closed_at).toBeNull()
    expect(batch.id).not.toBe(id)
  })

  it('stay unreadable if the file is a picture, whatever the sender states', async () => {
    const patient = await makePatient()
    const { proposal } = await sendOne(
      { file: Buffer.from(PIXEL, 'base64'), name: 'scan.png', facts: factsOf(patient) },
      { institution_id: institution.id, category_slug: category.slug },
    )
    expect(proposal).toMatchObject({ confidence: 'sure', isReady: false })
  })
})

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
