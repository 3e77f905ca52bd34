import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCategory, makeInstitution, makeReferral, makeUpload, makeUser } from '../../../db/factories.ts'
import { getCategories, saveCategories } from '../../../test/categories.ts'
import { type Files, makePdf } from '../../../test/hostile-files.ts'
import { writeDicom } from '../../../test/inspection/dicom-files.ts'
import { createRegistrar, makeReport } from '../../../test/inspection/drafts.ts'
import { countLockWaits } from '../../../test/locks/lock-waits.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { createSystemContext } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { upsertSettings } from '../site/site.db.ts'
import { checkUpload } from '../uploads/inspection/check-upload.ts'
import { groupUpload } from './grouping/group-upload.ts'

const CREATE = 'mutation ($name: String!) { createBatch(name: $name) { id number version source isOwn } }'
const ADD = `mutation ($batchId: ID!, $files: [FileToAnnounce!]!) { addToBatch(batchId: $batchId, files: $files) {
  key uploadId refusal isReceived transfer { id received size } } }`
const READ = `query ($id: ID!, $filter: BatchFilter, $first: Int, $after: String) { batch(id: $id) { version closedAt counts {
  waiting ready sure likely none conflict duplicate unreadable refused filed released rejected announced missing }
  groups(filter: $filter, first: $first, after: $after) { endCursor nodes { undoUntil
    upload { id version state title patient { id } files { id name } }
    proposal { confidence isReady isDuplicate isUnreadable isRefused title examinedOn accessionNumber doctor
      patients { id reasonText } institution { id } category { slug } duplicates { id } } } } } }`
const ACCEPT = `mutation ($uploadId: ID!, $version: Int!, $details: GroupDetailsInput) {
  acceptGroup(uploadId: $uploadId, version: $version, details: $details) {
    id state source patient { id } institution { id } category { slug } title examinedOn referringDoctor } }`
const ACTED = 'done left { uploadId code reason } endCursor'
const ACCEPT_SURE = `mutation ($batchId: ID!, $version: Int!, $after: ID) {
  acceptSureGroups(batchId: $batchId, version: $version, after: $after) { ${ACTED} } }`
const UNDO = `mutation ($batchId: ID!, $uploadIds: [ID!]) { undoFiling(batchId: $batchId, uploadIds: $uploadIds) { ${ACTED} } }`
const CHOOSE = `mutation ($uploadId: ID!, $patientId: ID!) {
  chooseGroupPatient(uploadId: $uploadId, patientId: $patientId) { id version state patient { id } } }`
const CHOSEN = 'query ($id: ID!) { batch(id: $id) { groups { nodes { chosen { id } } } } }'
const REGROUP = `mutation ($uploadId: ID!, $fileIds: [ID!]!, $toUploadId: ID) {
  regroupFiles(uploadId: $uploadId, fileIds: $fileIds, toUploadId: $toUploadId) { id version files { name } } }`
const FACTS = `query ($id: ID!, $patientId: ID) { upload(id: $id) { draftFacts(patientId: $patientId) {
  fileId agrees fact { kind value place } } } }`
const REVEAL = `mutation ($uploadId: ID!) { revealFoundPerson(uploadId: $uploadId) { cnp surname givenNames birthDate } }`
const CLOSE = 'mutation ($id: ID!, $rest: Int) { closeBatch(id: $id, withdrawRest: $rest) { closedAt } }'

let server: TestServer
let registrar: Awaited<ReturnType<typeof createRegistrar>>
let reviewer: TestClient
let institution: { id: string }
let category: { slug: string }

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  registrar = await createRegistrar(server)
  const { db } = server
  reviewer = await server.signIn(
    (await makeUser(db, { features: ['patient::files', 'admin::review-files'] })).email,
  )
  institution = await makeInstitution(db)
  category = await makeCategory(db, { name: 'Hemoglobină' })
})

type Person = Awaited<ReturnType<typeof registrar.makePerson>>
const makePatient = async (): Promise<Person> => {
  const patient = await registrar.makePerson()
  await makeReferral(server.db, { patient_id: patient.id, institution_id: institution.id, doctor: 'dr. Pop' })
  return patient
}
let serial = 0
/** Returns a report of its own about the person. */
const report = ({ surname, given_names, cnp }: Person, more = 'Data examinării: 05.01.2026') => {
  serial += 1
  return Buffer.from(`Pacient: ${surname} ${given_names}\nCNP: ${cnp}\n${more}\nhemoglobina 14,${serial}\n`)
}

/** Announces the files, with their names as keys, and returns the id of the batch. */
async function announce(
  files: Files,
  client = registrar.client,
): Promise<{ id: string; added: Announced[] }> {
  const { createBatch } = await client.runQuery(CREATE, { name: 'Dosarul de luni' })
  return { id: createBatch.id, added: await add(createBatch.id, files, client) }
}
type Announced = {
  key: string
  uploadId: string
  refusal: string | null
  isReceived: boolean
  transfer: { id: string } | null
}
const add = async (batchId: string, files: Files, client = registrar.client): Promise<Announced[]> =>
  (
    await client.runQuery(ADD, {
      batchId,
      files: Object.entries(files).map(([name, bytes]) => ({ key: name, name, size: bytes.length })),
    })
  ).addToBatch

/** Sends a batch as a page does, and has its files read. */
async function sendBatch(files: Files): Promise<string> {
  const { id, added } = await announce(files)
  for (const { key, uploadId } of added) await registrar.send(uploadId, { [key]: files[key]! })
  await server.runJobs()
  return id
}
const read = async (id: string, variables: object = {}, client = registrar.client) =>
  (await client.runQuery(READ, { id, ...variables })).batch
// biome-ignore lint/suspicious/noExplicitAny: a test reads any response and asserts its shape
const groupsOf = async (id: string, filter?: string): Promise<any[]> =>
  (await read(id, { filter })).groups.nodes
type Named = { upload: { files: { name: string }[] } }
const names = (group: Named) => group.upload.files.map(({ name }) => name)
const codeOf = async (query: string, variables: object, client: TestClient = registrar.client) =>
  (await client.graphql(query, { ...variables })).errors[0]?.extensions.code ?? 'ok'
const acceptSure = async (batchId: string) => {
  const { version } = await read(batchId)
  return (await registrar.client.runQuery(ACCEPT_SURE, { batchId, version })).acceptSureGroups
}
const undo = async (batchId: string, uploadIds?: string[]) =>
  (await registrar.client.runQuery(UNDO, { batchId, uploadIds })).undoFiling

describe('a batch of mixed files', () => {
  it('is grouped by patient and examination, with what is not certain apart', async () => {
    const [ana, barbu] = [await makePatient(), await makePatient()]
    const filed = report(ana, 'Data examinării: 02.01.2026')
    const other = await makeUpload(server.db, server.services.storage, {
      state: 'released',
      patient_id: ana.id,
      files: [{ bytes: filed }],
    })
    const first = report(barbu)
    const id = await sendBatch({
      'ana 1.txt': report(ana),
      'barbu.txt': first,
      'ana 2.txt': report(ana),
      'ana alta zi.txt': report(ana, 'Data examinării: 06.01.2026'),
      'ct.dcm': writeDicom({
        '0010,0020': barbu.cnp!,
        '0010,0010': `${barbu.surname}^${barbu.given_names}`,
        '0008,0050': 'CT77',
      }),
      'necunoscut.txt': Buffer.from('fără nume'),
      'amestecat.txt': Buffer.concat([report(ana), report(barbu)]),
      'parola.pdf': await makePdf(1, { userPassword: 'secret' }),
      'program.pdf': Buffer.from('MZ\x90\0 un program'),
      'din nou.txt': filed,
      'barbu copie.txt': first,
    })
    const { counts, groups } = await read(id)
    expect(counts).toEqual({
      waiting: 0,
      ready: 3,
      sure: 6,
      likely: 0,
      none: 3,
      conflict: 1,
      duplicate: 2,
      unreadable: 1,
      refused: 1,
      filed: 0,
      released: 0,
      rejected: 0,
      announced: 11,
      missing: 0,
    })
    expect(groups.nodes.map(names)).toEqual([
      ['ana 1.txt', 'ana 2.txt'],
      ['barbu.txt'],
      ['ana alta zi.txt'],
      ['ct.dcm'],
      ['necunoscut.txt'],
      ['amestecat.txt'],
      ['parola.pdf'],
      ['program.pdf'],
      ['din nou.txt'],
      ['barbu copie.txt'],
    ])
    expect(groups.nodes[0]).toMatchObject({
      undoUntil: null,
      // Nobody has said yes.
      upload: { patient: null, state: 'receiving', title: 'ana 1.txt' },
      proposal: {
        confidence: 'sure',
        isReady: true,
        title: 'Hemoglobină',
        examinedOn: '2026-01-05',
        doctor: 'dr. Pop',
        patients: [{ id: ana.id, reasonText: expect.stringContaining('CNP') }],
        institution: { id: institution.id },
        category: { slug: category.slug },
      },
    })
    expect((await groupsOf(id, 'duplicate')).map(({ proposal }) => proposal.duplicates)).toEqual([
      [{ id: other.id }],
      [{ id: groups.nodes[1].upload.id }],
    ])
    const { batch } = await registrar.client.runQuery(
      'query ($id: ID!) { batch(id: $id) { groups { nodes { proposal { statedNames } } } } }',
      { id },
    )
    expect(
      batch.groups.nodes.map(({ proposal }: { proposal: { statedNames: string[] } }) => proposal.statedNames),
    ).toEqual(
      groups.nodes.map((group: Named) =>
        names(group)[0] === 'amestecat.txt'
          ? [ana, barbu].map(({ surname, given_names }) => `${surname} ${given_names}`).toSorted()
          : [],
      ),
    )
    expect((await groupsOf(id, 'refused')).map(names)).toEqual([['program.pdf']])
    expect((await groupsOf(id, 'unreadable')).map(names)).toEqual([['parola.pdf']])

    const page = await read(id, { first: 4, filter: 'sure' })
    const next = await read(id, { first: 4, filter: 'sure', after: page.groups.endCursor })
    expect([...page.groups.nodes, ...next.groups.nodes].map(names)).toHaveLength(6)
    expect(next.groups.endCursor).toBeNull()

    const acted = await acceptSure(id)
    expect(acted).toMatchObject({ left: [], endCursor: null })
    expect(acted.done).toHaveLength(3)
    await server.runJobs()
    expect((await groupsOf(id, 'filed')).map(({ upload }) => [upload.state, upload.patient.id])).toEqual([
      ['in_review', ana.id],
      ['in_review', barbu.id],
      ['in_review', ana.id],
    ])
    expect((await read(id)).counts).toMatchObject({ ready: 0, filed: 3, sure: 3 })
  })

  it('of one examination has as many groups as it needs places', async () => {
    await upsertSettings(server.db, { upload_files: 3 })
    const patient = await makePatient()
    const files = Array.from({ length: 5 }, (_, index) => [
      `${index}.txt`,
      report(patient, 'Nr. examinare: CT1234'),
    ])
    const id = await sendBatch(Object.fromEntries(files))
    await upsertSettings(server.db, { upload_files: 20 })
    expect((await groupsOf(id)).map(({ upload }) => upload.files.length)).toEqual([3, 2])
  })
})

describe('an announcement', () => {
  it('is answered in the same way again, with what has arrived and what is under way', async () => {
    const files = { 'a.txt': Buffer.from('unu'), 'b.txt': Buffer.from('doi'), 'c.txt': Buffer.from('trei') }
    const { id, added } = await announce(files)
    expect(added).toMatchObject(
      Object.keys(files).map((key) => ({ key, refusal: null, isReceived: false, transfer: null })),
    )
    await registrar.send(added[0]!.uploadId, { 'a.txt': files['a.txt'] })
    const path = await registrar.tus.begin(added[1]!.uploadId, files['b.txt'], 'b.txt')
    await registrar.tus.patch(path, 0, files['b.txt'].subarray(0, 2))
    const again = await add(id, { ...files, 'd.txt': Buffer.from('patru') })
    expect(again.slice(0, 3).map(({ uploadId }) => uploadId)).toEqual(added.map(({ uploadId }) => uploadId))
    expect(again).toMatchObject([
      { isReceived: true },
      { isReceived: false, transfer: { id: path.split('/').at(-1), received: 2, size: 3 } },
      { isReceived: false, transfer: null },
      { key: 'd.txt' },
    ])
    expect((await read(id)).counts).toMatchObject({ announced: 4, missing: 3, waiting: 4 })
    const ids = again.map(({ uploadId }) => uploadId)
    // They are in no other list.
    const { myUploads } = await registrar.client.runQuery(
      '{ myUploads(states: [receiving, withdrawn], first: 100) { nodes { id } } }',
    )
    const { uploads } = await reviewer.runQuery(
      '{ uploads(states: [receiving, withdrawn], first: 100) { nodes { id } } }',
    )
    for (const list of [myUploads, uploads])
      expect(list.nodes.filter((each: { id: string }) => ids.includes(each.id))).toEqual([])
    const { dashboard } = await reviewer.runQuery('{ dashboard { waiting { state count } } }')
    expect(dashboard.waiting.find(({ state }: { state: string }) => state === 'receiving')?.count ?? 0).toBe(
      0,
    )
  })

  it('of a file that is too large is refused, and of the others accepted', async () => {
    const { createBatch } = await registrar.client.runQuery(CREATE, { name: 'Mare' })
    const files = [
      { key: 'a', name: 'a.pdf', size: 1e12 },
      { key: 'b', name: 'b.pdf', size: 10 },
    ]
    const { addToBatch } = await registrar.client.runQuery(ADD, { batchId: createBatch.id, files })
    expect(addToBatch).toMatchObject([
      { key: 'a', uploadId: null, refusal: expect.stringContaining('prea mare') },
      { key: 'b', uploadId: expect.any(String), refusal: null },
    ])
  })

  it('of the longest name that a request can have costs the server no more than a moment', async () => {
    const { id } = await announce({ 'a.txt': Buffer.from('a') })
    const name = `a${'.'.repeat(100_000)}x.pdf`
    const before = process.cpuUsage()
    expect(await codeOf(ADD, { batchId: id, files: [{ key: 'long', name, size: 1 }] })).toBe('ok')
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2)
  })

  it('of too many files, without a key or with none at all is refused', async () => {
    const { id } = await announce({ 'a.txt': Buffer.from('a') })
    const many = (count: number, from = 0) =>
      Array.from({ length: count }, (_, index) => ({ key: `f${from + index}`, name: 'a.pdf', size: 1 }))
    for (const files of [
      [],
      many(101),
      [{ key: '', name: 'a', size: 1 }],
      [{ key: 'a\0', name: 'a', size: 1 }],
    ])
      expect(await codeOf(ADD, { batchId: id, files })).toBe('BAD_USER_INPUT')
    for (let from = 0; from < 900; from += 100)
      expect(await codeOf(ADD, { batchId: id, files: many(100, from) })).toBe('ok')
    expect(await codeOf(ADD, { batchId: id, files: many(100, 900) })).toBe('BAD_USER_INPUT')
    expect(await codeOf(ADD, { batchId: id, files: many(99, 900) })).toBe('ok')
  })
})

describe('the grouping', () => {
  it('that is made twice is the same', async () => {
    const patient = await makePatient()
    const { id, added } = await announce({ 'a.txt': report(patient), 'b.txt': report(patient) })
    for (const { key, uploadId } of added) await registrar.send(uploadId, { [key]: report(patient) })
    await server.runJobs()
    const before = await read(id)
    expect(before.groups.nodes.map((group: Named) => names(group).sort())).toEqual([['a.txt', 'b.txt']])
    const context = createSystemContext(server.services)
    for (const { uploadId } of added) await groupUpload(context, { batchId: id, uploadId })
    expect(await read(id)).toEqual(before)
  })

  it('follows a patient who is added afterwards, also of several files', async () => {
    const surname = 'Zamfir'
    const cnp = '1800101221144'
    const person = { surname, given_names: 'Dorel', cnp } as Person
    const id = await sendBatch({ 'a.txt': report(person), 'b.txt': report(person) })
    expect((await groupsOf(id)).map(({ proposal }) => proposal.confidence)).toEqual(['none', 'none'])
    const { createPatient } = await registrar.client.runQuery(
      'mutation ($patient: PatientInput!) { createPatient(patient: $patient) { id } }',
      { patient: { surname, givenNames: 'Dorel', cnp } },
    )
    await server.runJobs()
    expect(await groupsOf(id)).toMatchObject([
      {
        upload: { files: [{ name: 'a.txt' }, { name: 'b.txt' }] },
        proposal: { confidence: 'sure', isReady: false, patients: [{ id: createPatient.id }] },
      },
    ])
    await registrar.client.runQuery(
      'mutation ($referral: ReferralInput!) { createReferral(referral: $referral) { id } }',
      {
        referral: { patientId: createPatient.id, institutionId: institution.id },
      },
    )
    await server.runJobs()
    expect((await read(id)).counts).toMatchObject({ ready: 1 })
  })

  it('follows new words of a category, and a new category', async () => {
    const send = async (word: string) => {
      const { surname, given_names, cnp } = await makePatient()
      return sendBatch({ 'a.txt': Buffer.from(`Pacient: ${surname} ${given_names}\nCNP: ${cnp}\n${word}\n`) })
    }
    const [ofWords, ofCategory] = [await send('angiofluorografie'), await send('videocapilaroscopie')]
    const slugOf = async (id: string) => (await groupsOf(id))[0].proposal.category?.slug ?? null
    expect([await slugOf(ofWords), await slugOf(ofCategory)]).toEqual([null, null])
    const admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
    const { siteSettings } = await admin.runQuery('{ siteSettings { version } }')
    await admin.runQuery(
      'mutation ($version: Int!, $changes: JSON!) { saveSettings(version: $version, changes: $changes) { version } }',
      {
        version: siteSettings.version,
        changes: { category_words: [{ slug: category.slug, words: ['angiofluorografie'] }] },
      },
    )
    await server.runJobs()
    expect([await slugOf(ofWords), await slugOf(ofCategory)]).toEqual([category.slug, null])
    const { tree } = await getCategories(admin)
    await saveCategories(admin, [...tree, { slug: 'capilaroscopie', name: 'Videocapilaroscopie' }])
    await server.runJobs()
    expect([await slugOf(ofWords), await slugOf(ofCategory)]).toEqual([category.slug, 'capilaroscopie'])
  })

  it('is changed by its author: a file goes to a new group or another one, and nothing joins them by itself', async () => {
    const patient = await makePatient()
    const id = await sendBatch({
      'a.txt': report(patient),
      'b.txt': report(patient),
      'c.txt': Buffer.from('bine'),
    })
    const [both, unknown] = await groupsOf(id)
    const [a, b] = both.upload.files
    const { regroupFiles: split } = await registrar.client.runQuery(REGROUP, {
      uploadId: both.upload.id,
      fileIds: [b.id],
    })
    await server.runJobs()
    expect((await groupsOf(id)).map(names)).toEqual([['a.txt'], ['c.txt'], ['b.txt']])
    expect((await groupsOf(id))[2]).toMatchObject({
      upload: { id: split.id },
      proposal: { confidence: 'sure' },
    })

    await registrar.client.runQuery(REGROUP, {
      uploadId: both.upload.id,
      fileIds: [a.id],
      toUploadId: unknown.upload.id,
    })
    await server.runJobs()
    expect((await groupsOf(id)).map(names)).toEqual([['c.txt', 'a.txt'], ['b.txt']])
    expect((await groupsOf(id))[0].proposal).toMatchObject({
      confidence: 'sure',
      patients: [{ id: patient.id }],
    })
    const stranger = await sendBatch({ 'd.txt': Buffer.from('alt lot') })
    const [foreign] = await groupsOf(stranger)
    const move = { uploadId: split.id, fileIds: [b.id] }
    expect(await codeOf(REGROUP, { ...move, toUploadId: foreign.upload.id })).toBe('NOT_FOUND')
    expect(await codeOf(REGROUP, { ...move, toUploadId: split.id })).toBe('NOT_FOUND')
    expect(await codeOf(REGROUP, move)).toBe('BAD_USER_INPUT')
    expect(await codeOf(REGROUP, { ...move, fileIds: [a.id] })).toBe('NOT_FOUND')
    expect(await codeOf(REGROUP, { ...move, fileIds: [] })).toBe('BAD_USER_INPUT')
  })
})

describe('a group', () => {
  it('is filed with what its author chooses in place of the proposal', async () => {
    const [patient, other] = [await makePatient(), await makePatient()]
    const id = await sendBatch({ 'a.txt': report(patient) })
    const [{ upload }] = await groupsOf(id)
    const details = { patientId: other.id, title: 'Hemogramă', note: null }
    const { acceptGroup } = await registrar.client.runQuery(ACCEPT, {
      uploadId: upload.id,
      version: upload.version,
      details,
    })
    expect(acceptGroup).toEqual({
      id: upload.id,
      state: 'checking',
      source: 'bulk',
      patient: { id: other.id },
      institution: { id: institution.id },
      category: { slug: category.slug },
      title: 'Hemogramă',
      examinedOn: '2026-01-05',
      referringDoctor: null,
    })
    expect(await codeOf(ACCEPT, { uploadId: upload.id, version: upload.version })).toBe('CONFLICT')
  })

  it('is not filed without a patient, or from an older version', async () => {
    const patient = await makePatient()
    const id = await sendBatch({ 'a.txt': Buffer.from('fără nume'), 'b.txt': report(patient) })
    const [unknown, known] = (await groupsOf(id)).map(({ upload }) => ({
      uploadId: upload.id,
      version: upload.version,
    }))
    expect(await codeOf(ACCEPT, unknown!)).toBe('BAD_USER_INPUT')
    expect(await codeOf(ACCEPT, { ...known!, version: known!.version - 1 })).toBe('CONFLICT')
    expect(await codeOf(ACCEPT, { ...unknown!, details: { patientId: newId() } })).toBe('NOT_FOUND')
    expect((await read(id)).counts.filed).toBe(0)
  })

  it('is filed while a file is moved to it: one of the two is done, and neither fails by waiting for the other', async () => {
    const { db } = server
    const patient = await makePatient()
    const id = await sendBatch({ 'a.txt': report(patient), 'b.txt': Buffer.from('fără nume') })
    const [known, unknown] = (await groupsOf(id)).map(({ upload }) => upload)
    const { filed, moved } = await db.transaction().execute(async (tx) => {
      // The filing waits in its middle, with the group locked.
      await tx.selectFrom('patient').select('id').where('id', '=', patient.id).forUpdate().execute()
      const filing = codeOf(ACCEPT, { uploadId: known.id, version: known.version })
      await expect.poll(() => countLockWaits(db)).toBe(1)
      const moving = codeOf(REGROUP, {
        uploadId: unknown.id,
        fileIds: [unknown.files[0].id],
        toUploadId: known.id,
      })
      await expect.poll(() => countLockWaits(db)).toBe(2)
      return { filed: filing, moved: moving }
    })
    expect([await filed, await moved]).toEqual(['ok', 'CONFLICT'])
  })

  it('that has changed since the batch was shown is left when all are filed', async () => {
    const [patient, other] = [await makePatient(), await makePatient()]
    const id = await sendBatch({ 'a.txt': report(patient), 'b.txt': report(other) })
    const { version } = await read(id)
    const more = await add(id, { 'c.txt': report(patient) })
    await registrar.send(more[0]!.uploadId, { 'c.txt': report(patient) })
    await server.runJobs()
    const [joined, same] = await groupsOf(id)
    expect(names(joined)).toEqual(['a.txt', 'c.txt'])
    const { acceptSureGroups } = await registrar.client.runQuery(ACCEPT_SURE, { batchId: id, version })
    expect(acceptSureGroups).toMatchObject({
      done: [same.upload.id],
      left: [{ uploadId: joined.upload.id, code: 'CONFLICT' }],
    })
  })

  it('that became a duplicate is left when all are filed', async () => {
    const patient = await makePatient()
    const bytes = report(patient)
    const [one, two] = [await sendBatch({ 'a.txt': bytes }), await sendBatch({ 'b.txt': bytes })]
    expect((await acceptSure(one)).done).toHaveLength(1)
    expect(await acceptSure(two)).toMatchObject({
      done: [],
      left: [{ reason: expect.stringContaining('este deja') }],
    })
    await server.runJobs()
    expect((await read(two)).counts).toMatchObject({ ready: 0, duplicate: 1, filed: 0 })
  })
})

describe('a patient who was chosen for a group', () => {
  const choose = async (uploadId: string, { id: patientId }: { id: string }) =>
    (await registrar.client.runQuery(CHOOSE, { uploadId, patientId })).chooseGroupPatient

  /** Returns whom each group of a batch was chosen for. */
  const chosenOf = async (id: string): Promise<({ id: string } | null)[]> =>
    (await registrar.client.runQuery(CHOSEN, { id })).batch.groups.nodes.map(
      (group: { chosen: { id: string } | null }) => group.chosen,
    )

  it('is kept for any page, with the institution of this patient, and the group is filed for no other', async () => {
    const [patient, other] = [await makePatient(), await registrar.makePerson()]
    const clinic = await makeInstitution(server.db)
    await makeReferral(server.db, { patient_id: other.id, institution_id: clinic.id, doctor: 'dr. Ene' })
    const id = await sendBatch({
      'a.txt': report(patient),
      'b.txt': report(patient, 'Data examinării: 07.01.2026'),
    })
    const [group] = await groupsOf(id)
    const { version, ...chosen } = await choose(group.upload.id, other)
    // A choice is no filing.
    expect(chosen).toEqual({ id: group.upload.id, state: 'receiving', patient: null })
    const [again] = await groupsOf(id)
    expect(await chosenOf(id)).toEqual([{ id: other.id }, null])
    expect(again).toMatchObject({
      upload: { version },
      proposal: { isReady: false, institution: { id: clinic.id }, doctor: 'dr. Ene' },
    })
    await server.runJobs()
    expect((await groupsOf(id))[0]).toEqual(again)
    expect((await acceptSure(id)).done).toHaveLength(1)
    expect((await groupsOf(id))[0]).toEqual(again)
    const { acceptGroup } = await registrar.client.runQuery(ACCEPT, { uploadId: again.upload.id, version })
    expect(acceptGroup).toMatchObject({ patient: { id: other.id }, institution: { id: clinic.id } })
    expect(await chosenOf(id)).toEqual([null, null])
    await undo(id, [again.upload.id])
    await server.runJobs()
    expect(await chosenOf(id)).toEqual([{ id: other.id }, null])
  })

  it('keeps other files away from it, and counts no more once it has other files', async () => {
    const [patient, other] = [await makePatient(), await makePatient()]
    const id = await sendBatch({
      'a.txt': report(patient),
      'b.txt': report(patient),
      'c.txt': Buffer.from('bine'),
    })
    const [both, unknown] = await groupsOf(id)
    await choose(both.upload.id, other)
    const more = await add(id, { 'd.txt': report(patient) })
    await registrar.send(more[0]!.uploadId, { 'd.txt': report(patient) })
    await server.runJobs()
    expect((await groupsOf(id)).map(names)).toEqual([['a.txt', 'b.txt'], ['c.txt'], ['d.txt']])
    await choose(unknown.upload.id, other)
    const move = {
      uploadId: both.upload.id,
      fileIds: [both.upload.files[1].id],
      toUploadId: unknown.upload.id,
    }
    await registrar.client.runQuery(REGROUP, move)
    await server.runJobs()
    expect(await chosenOf(id)).toEqual([null, null, null])
    expect((await groupsOf(id))[0].proposal).toMatchObject({
      confidence: 'sure',
      patients: [{ id: patient.id }],
    })
  })

  it('is after a merge the surviving patient', async () => {
    const chosen = await registrar.makePerson()
    const survivor = await registrar.makePerson()
    const id = await sendBatch({ 'a.txt': Buffer.from('fără nume') })
    const [{ upload }] = await groupsOf(id)
    await choose(upload.id, chosen)
    await server.db
      .updateTable('patient')
      .set({ merged_into: survivor.id })
      .where('id', '=', chosen.id)
      .execute()
    expect(await chosenOf(id)).toEqual([{ id: survivor.id }])
    const [{ version }] = (await groupsOf(id)).map((group) => group.upload)
    const { acceptGroup } = await registrar.client.runQuery(ACCEPT, {
      uploadId: upload.id,
      version,
      details: { categorySlug: category.slug },
    })
    expect(acceptGroup.patient).toEqual({ id: survivor.id })
  })

  it('is not the patient any more whom a later change of the details names', async () => {
    const [chosen, later] = [await registrar.makePerson(), await registrar.makePerson()]
    const id = await sendBatch({ 'a.txt': Buffer.from('fără nume') })
    const [{ upload }] = await groupsOf(id)
    const { version } = await choose(upload.id, chosen)
    await registrar.client.runQuery(
      'mutation ($id: ID!, $version: Int!, $upload: UploadInput!) { editUpload(id: $id, version: $version, upload: $upload) { id } }',
      { id: upload.id, version, upload: { title: 'a.txt', patientId: later.id } },
    )
    expect(await chosenOf(id)).toEqual([null])
  })

  it('is none for a group without files, of an unknown patient, or once it is filed', async () => {
    const patient = await makePatient()
    const { id, added } = await announce({ 'a.txt': Buffer.from('a') })
    const empty = { uploadId: added[0]!.uploadId, patientId: patient.id }
    expect(await codeOf(CHOOSE, empty)).toBe('BAD_USER_INPUT')
    const other = await sendBatch({ 'a.txt': report(patient) })
    const [{ upload }] = await groupsOf(other)
    expect(await codeOf(CHOOSE, { uploadId: upload.id, patientId: newId() })).toBe('NOT_FOUND')
    await acceptSure(other)
    expect(await codeOf(CHOOSE, { uploadId: upload.id, patientId: patient.id })).toBe('CONFLICT')
    expect((await read(id)).counts.filed).toBe(0)
  })
})

describe('a file of a group that was read', () => {
  it('says what it states and where, for its author and reviewers, compared with any patient', async () => {
    const [patient, other] = [await makePatient(), await makePatient()]
    const id = await sendBatch({ 'a.pdf': await makeReport(patient) })
    const [{ upload }] = await groupsOf(id)
    const factsFor = async (patientId: string | null, client = registrar.client) =>
      (await client.runQuery(FACTS, { id: upload.id, patientId })).upload.draftFacts
    const facts = await factsFor(patient.id)
    expect(facts).toMatchObject([
      { fact: { kind: 'cnp', value: `*********${patient.cnp!.slice(-4)}` }, agrees: true },
      { fact: { kind: 'name', value: `${patient.surname} Ion` }, agrees: true },
    ])
    for (const { fileId, fact } of facts) {
      expect(fileId).toBe(upload.files[0].id)
      expect(fact.place).toMatchObject({ page: 1, box: [0, 0, 0, 0].map(() => expect.any(Number)) })
    }
    const agreeing = async (...args: Parameters<typeof factsFor>) =>
      (await factsFor(...args)).map(({ agrees }: { agrees: boolean | null }) => agrees)
    expect(await agreeing(other.id)).toEqual([false, false])
    expect(await agreeing(null)).toEqual([null, null])
    expect(await agreeing(patient.id, reviewer)).toEqual([true, true])
    expect(await codeOf(FACTS, { id: upload.id, patientId: newId() })).toBe('NOT_FOUND')
    const colleague = await createRegistrar(server)
    expect(await codeOf(FACTS, { id: upload.id }, colleague.client)).toBe('NOT_FOUND')
  })

  it('is previewed by its author alone, and only after it was read [6.4]', async () => {
    const patient = await makePatient()
    const { id, added } = await announce({ 'a.pdf': await makeReport(patient), 'rau.pdf': Buffer.from('MZ') })
    const [[good], [bad]] = [
      await registrar.send(added[0]!.uploadId, { 'a.pdf': await makeReport(patient) }),
      await registrar.send(added[1]!.uploadId, { 'rau.pdf': Buffer.from('MZ') }),
    ]
    const statusOf = async (path: string, client = registrar.client) => {
      const response = await client.fetch(path)
      await response.arrayBuffer()
      return response.status
    }
    expect(await statusOf(`/files/${good}/preview`)).toBe(409)
    await server.runJobs()
    expect(await statusOf(`/files/${good}/preview`)).toBe(200)
    expect(await statusOf(`/files/${good}`)).toBe(409)
    expect(await statusOf(`/files/${bad}/preview`)).toBe(409)
    const colleague = await createRegistrar(server)
    expect(await statusOf(`/files/${good}/preview`, colleague.client)).toBe(404)
    expect(await statusOf(`/files/${good}/preview`, reviewer)).toBe(409)
    await registrar.client.runQuery(CLOSE, { id, rest: 2 })
    expect(await statusOf(`/files/${good}/preview`)).toBe(409)
  })

  it('names the person who is added as a patient, to its author alone, and the access is recorded', async () => {
    const cnp = '1800101221144'
    const person = { surname: 'ZĂVOIANU-POP', given_names: 'IOSIF MARIN', cnp } as Person
    const id = await sendBatch({
      'a.txt': report(person),
      'b.txt': Buffer.concat([report(person), report(await makePatient())]),
      'c.txt': Buffer.from('fără nume'),
      'd.txt': Buffer.from('Pacient: Ion Zgubilici'),
    })
    const groups = await groupsOf(id)
    const revealed = async (index: number) =>
      (await registrar.client.runQuery(REVEAL, { uploadId: groups[index].upload.id })).revealFoundPerson
    expect(await revealed(0)).toEqual({
      cnp,
      surname: 'Zăvoianu-Pop',
      givenNames: 'Iosif Marin',
      birthDate: null,
    })
    expect(await revealed(1)).toBeNull()
    expect(await revealed(2)).toBeNull()
    expect(await revealed(3)).toEqual({
      cnp: null,
      surname: 'Zgubilici',
      givenNames: 'Ion',
      birthDate: null,
    })
    const [{ upload }] = groups
    expect(await codeOf(REVEAL, { uploadId: upload.id }, reviewer)).toBe('FORBIDDEN')
    const rows = await server.db
      .selectFrom('audit_event')
      .select('actor_id')
      .where('action', '=', 'upload.reveal-person')
      .where('subject_id', '=', upload.id)
      .execute()
    expect(rows).toEqual([{ actor_id: registrar.userId }])
  })
})

describe('a filing', () => {
  it('is undone until a verdict: the group is proposed again, and filed anew', async () => {
    const [patient, other] = [await makePatient(), await makePatient()]
    const id = await sendBatch({ 'a.txt': report(patient), 'b.txt': report(other) })
    const { done } = await acceptSure(id)
    await server.runJobs()
    const [first, second] = await groupsOf(id, 'filed')
    expect(first.undoUntil).not.toBeNull()
    const REJECT =
      'mutation ($id: ID!, $version: Int!) { rejectUpload(id: $id, version: $version, reason: "incomplete") { id } }'
    await reviewer.runQuery(REJECT, { id: second.upload.id, version: second.upload.version })
    expect((await read(id)).counts).toMatchObject({ filed: 2, released: 0, rejected: 1 })
    expect(await undo(id)).toMatchObject({
      done: [first.upload.id],
      left: [{ uploadId: second.upload.id, code: 'CONFLICT' }],
    })
    expect(
      (
        await server.db
          .selectFrom('file')
          .select('scan_result')
          .where('upload_id', '=', first.upload.id)
          .execute()
      )[0],
    ).toEqual({ scan_result: 'pending' })
    await server.runJobs()
    const [again] = await groupsOf(id, 'sure')
    expect(again).toMatchObject({
      undoUntil: null,
      upload: { id: first.upload.id, state: 'receiving', patient: null },
      proposal: { isReady: true },
    })
    expect((await acceptSure(id)).done).toEqual([first.upload.id])
    await server.runJobs()
    expect((await groupsOf(id, 'filed'))[0].upload.state).toBe('in_review')
    expect(done).toHaveLength(2)
  })

  it('is not undone by others, after half an hour, or if there was none', async () => {
    const patient = await makePatient()
    const id = await sendBatch({ 'a.txt': report(patient), 'b.txt': Buffer.from('bine') })
    const [ready, unknown] = await groupsOf(id)
    await acceptSure(id)
    expect((await undo(id, [unknown.upload.id, newId()])).left).toMatchObject([
      { code: 'CONFLICT' },
      { code: 'NOT_FOUND' },
    ])
    const variables = { batchId: id, uploadIds: [ready.upload.id] }
    expect(await codeOf(UNDO, variables, reviewer)).toBe('NOT_FOUND')
    await server.db
      .updateTable('upload')
      .set({ filed_at: new Date(Date.now() - 31 * 60_000) })
      .where('id', '=', ready.upload.id)
      .execute()
    expect(await undo(id, [ready.upload.id])).toMatchObject({ done: [], left: [{ code: 'CONFLICT' }] })
    expect(await undo(id)).toEqual({ done: [], left: [], endCursor: null })
  })

  it('that is undone while the batch is closed leaves no group in a closed batch, in either order', async () => {
    const { db } = server
    const lockRow = (tx: typeof db, table: 'batch' | 'upload', id: string) =>
      tx.selectFrom(table).select('id').where('id', '=', id).forUpdate().execute()
    for (const first of ['undo', 'close'] as const) {
      const id = await sendBatch({ 'a.txt': report(await makePatient()) })
      const { done } = await acceptSure(id)
      await server.runJobs()
      const run = { undo: () => undo(id, done), close: () => codeOf(CLOSE, { id }) }
      const begun = await db.transaction().execute(async (tx) => {
        await (first === 'undo' ? lockRow(tx, 'upload', done[0]) : lockRow(tx, 'batch', id))
        const one = run[first]()
        await expect.poll(() => countLockWaits(db)).toBe(1)
        const other = run[first === 'undo' ? 'close' : 'undo']()
        await expect.poll(() => countLockWaits(db)).toBe(2)
        return first === 'undo' ? { undone: one, closed: other } : { undone: other, closed: one }
      })
      expect(await begun.undone).toMatchObject({ done })
      expect(await begun.closed).toBe(first === 'undo' ? 'CONFLICT' : 'ok')
      const { closedAt, groups } = await read(id)
      expect([closedAt, groups.nodes[0].upload.state]).toEqual([null, 'receiving'])
    }
  })

  it('that is undone while its files are checked is checked again as a whole', async () => {
    const patient = await makePatient()
    const id = await sendBatch({ 'a.txt': report(patient) })
    const { done } = await acceptSure(id)
    server.dropJobs()
    await undo(id)
    await checkUpload(createSystemContext(server.services), done[0])
    expect((await groupsOf(id))[0].upload.state).toBe('receiving')
    await server.runJobs()
    await acceptSure(id)
    await server.runJobs()
    expect((await groupsOf(id))[0].upload.state).toBe('in_review')
  })
})

describe('a closed batch', () => {
  it('keeps no drafts without files, and takes no more; what was filed can still be undone', async () => {
    const patient = await makePatient()
    const { id, added } = await announce({ 'a.txt': report(patient), 'nu vine.txt': Buffer.from('x') })
    await registrar.send(added[0]!.uploadId, { 'a.txt': report(patient) })
    await server.runJobs()
    expect(await codeOf(CLOSE, { id })).toBe('CONFLICT')
    await acceptSure(id)
    expect(await codeOf(CLOSE, { id })).toBe('ok')
    expect((await read(id)).counts).toMatchObject({ filed: 1, waiting: 0, missing: 0 })
    expect(await codeOf(ADD, { batchId: id, files: [{ key: 'b', name: 'b', size: 1 }] })).toBe('CONFLICT')
    expect(await codeOf(CLOSE, { id })).toBe('CONFLICT')
    expect((await undo(id)).done).toHaveLength(1)
    expect((await read(id)).closedAt).toBeNull()
    expect(await codeOf(CLOSE, { id, rest: 1 })).toBe('ok')
    expect((await read(id)).groups.nodes).toEqual([])
  })

  it('has withdrawn only as many groups as its author has confirmed, not what arrived meanwhile', async () => {
    const patient = await makePatient()
    const { id, added } = await announce({ 'a.txt': report(patient), 'b.txt': Buffer.from('x') })
    await registrar.send(added[0]!.uploadId, { 'a.txt': report(patient) })
    expect(await codeOf(CLOSE, { id })).toBe('CONFLICT')
    await registrar.send(added[1]!.uploadId, { 'b.txt': report(patient) })
    const { errors } = await registrar.client.graphql(CLOSE, { id, rest: 1 })
    expect(errors[0]).toMatchObject({
      message: 'Între timp lotul are 2 grupuri netrimise. Confirmă din nou.',
      extensions: { code: 'CONFLICT' },
    })
    expect((await read(id)).closedAt).toBeNull()
    expect(await groupsOf(id)).toHaveLength(2)
    expect(await codeOf(CLOSE, { id, rest: 2 })).toBe('ok')
    expect(await groupsOf(id)).toEqual([])
  })
})

describe('the readers of a batch', () => {
  it('are its author and administrators, who change nothing', async () => {
    const patient = await makePatient()
    const id = await sendBatch({ 'a.txt': report(patient) })
    const [{ upload }] = await groupsOf(id)
    const admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
    const colleague = await createRegistrar(server)
    const { version } = await read(id)
    expect((await read(id, {}, admin)).groups.nodes).toHaveLength(1)
    const requests: [string, object][] = [
      [READ, { id }],
      [ADD, { batchId: id, files: [{ key: 'b', name: 'b', size: 1 }] }],
      [ACCEPT_SURE, { batchId: id, version }],
      [UNDO, { batchId: id }],
      [CLOSE, { id, rest: 1 }],
      [ACCEPT, { uploadId: upload.id, version: upload.version }],
      [REGROUP, { uploadId: upload.id, fileIds: [upload.files[0].id] }],
      [CHOOSE, { uploadId: upload.id, patientId: patient.id }],
    ]
    for (const [query, variables] of requests) {
      expect(await codeOf(query, variables, colleague.client)).toBe('NOT_FOUND')
      if (query !== READ) expect(await codeOf(query, variables, admin)).toBe('FORBIDDEN')
    }
    const { batches } = await colleague.client.runQuery('{ batches { nodes { id } } }')
    expect(batches.nodes).toEqual([])
    const own = await registrar.client.runQuery(
      '{ batches(first: 1, open: true) { nodes { id } endCursor } }',
    )
    expect(own.batches.nodes).toEqual([{ id }])
  })
})
