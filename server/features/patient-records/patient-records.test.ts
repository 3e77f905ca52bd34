import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { makeInstitution, makePatient, makeReferral, makeUpload, makeUser } from '../../../db/factories.ts'
import { FEATURES } from '../../../shared/access/features.ts'
import { PATIENT_RECORDS_PATH } from '../../../shared/patients.ts'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import { sha256 } from '../../../test/sha256.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
let admin: TestClient
let registrar: TestClient
let ana: TestClient
let clinic: { id: string; name: string }

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const signIn = async (over: Parameters<typeof makeUser>[1]) =>
    server.signIn((await makeUser(server.db, over)).email)
  clinic = await makeInstitution(server.db, { name: 'Clinica Țară' })
  admin = await signIn({ role: 'admin', name: 'Ilinca Șerban' })
  registrar = await signIn({ features: ['patient::files', 'patient::news', 'patient::share'] })
  ana = await signIn({ role: 'institution', name: 'Ana Pop', institutionIds: [clinic.id] })
})

async function send(client: TestClient, id: string): Promise<Response> {
  return client.fetch(`${PATIENT_RECORDS_PATH}/${id}.zip`, {
    method: 'POST',
    headers: { authorization: await client.authorization('export') },
  })
}

/** Returns the bytes of every entry by its name, in the order of the archive. */
async function readRecord(client: TestClient, id: string): Promise<Map<string, Buffer>> {
  const response = await send(client, id)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/zip')
  const archive = await fromBufferPromise(Buffer.from(await response.arrayBuffer()), { lazyEntries: true })
  const entries = new Map<string, Buffer>()
  for await (const entry of archive.eachEntry())
    entries.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)))
  return entries
}
const parse = (entries: Map<string, Buffer>, name: string) => JSON.parse(entries.get(name)!.toString())
const hashOf = (bytes: Buffer) => sha256(bytes).toString('hex')

/** A patient with a result, an upload in review, news and a question. */
async function makeKnown() {
  const { db, services } = server
  const patient = await makePatient(db, {
    surname: 'Pop',
    given_names: 'Eva',
    cnp: makeCnp({
      sex: 'female',
      birthDate: '1981-06-26',
      county: 12,
      serial: Math.ceil(Math.random() * 900),
    }),
    designated_persons: 'Ion Pop, soț',
    consents: 'Acord semnat',
  })
  await makeReferral(db, { patient_id: patient.id, institution_id: clinic.id })
  const make = (over: object) =>
    makeUpload(db, services.storage, { patient_id: patient.id, institution_id: clinic.id, ...over })
  const released = await make({ state: 'released', released_at: new Date(), title: 'Ecografie' })
  const waiting = await make({ state: 'in_review', title: 'Neverificat' })
  const { patientNews } = await registrar
    .runQuery(
      'mutation ($id: ID!) { createNews(patientId: $id, news: { kind: note, text: "Sună după 17", visibility: staff }, shownTo: []) { id } }',
      { id: patient.id },
    )
    .then(() =>
      registrar.runQuery('query ($id: ID!) { patientNews(patientId: $id) { id version } }', {
        id: patient.id,
      }),
    )
  await registrar.runQuery(
    'mutation ($id: ID!, $version: Int!) { editNews(id: $id, version: $version, news: { kind: note, text: "Sună seara", visibility: staff }, shownTo: []) { id } }',
    patientNews[0],
  )
  await ana.runQuery('mutation ($id: ID!) { askQuestion(uploadId: $id, text: "Ce este?") { id } }', {
    id: released.id,
  })
  await registrar.runQuery(`mutation ($input: ShareInput!) { createShare(input: $input) { link } }`, {
    input: {
      patientId: patient.id,
      uploadIds: [released.id],
      recipientKind: 'doctor',
      recipientName: 'Dr. Ene',
      channel: 'link',
      proof: 'pin',
      days: 1,
      reason: 'Control',
    },
  })
  return { patient, released, waiting }
}

it('everything about a patient is one archive: data, files with their hashes, and who has looked', async () => {
  const { patient, released, waiting } = await makeKnown()
  const entries = await readRecord(admin, patient.id)
  const record = parse(entries, 'pacient.json')
  expect(record).toMatchObject({
    format: 'dosar-patient-record',
    version: 1,
    writtenBy: 'Ilinca Șerban',
    patient: {
      surname: 'Pop',
      cnp: patient.cnp,
      designated_persons: 'Ion Pop, soț',
      consents: 'Acord semnat',
    },
    mergedPatients: [],
    referrals: [{ institution_name: 'Clinica Țară' }],
    messages: [{ upload_number: released.number, author_name: 'Ana Pop', text: 'Ce este?' }],
    accessRequests: [],
    shares: [
      {
        recipient_name: 'Dr. Ene',
        created_by_name: expect.any(String),
        reason: 'Control',
        uploads: [{ number: released.number }],
        events: [],
      },
    ],
    news: [{ text: 'Sună seara', former: [{ text: 'Sună după 17' }] }],
  })
  const [shown] = record.uploads.filter(({ number }: { number: number }) => number === released.number)
  const [hidden] = record.uploads.filter(({ number }: { number: number }) => number === waiting.number)
  expect(hidden).toMatchObject({ title: 'Neverificat', state: 'in_review', files: [] })
  expect(shown.files.length).toBeGreaterThan(0)
  const sums = entries.get('SHA256SUMS')!.toString()
  for (const { path, sha256: hash, bytes } of shown.files) {
    expect(hashOf(entries.get(path)!)).toBe(hash)
    expect(entries.get(path)!.length).toBe(bytes)
    expect(sums).toContain(`${hash}  ${path}\n`)
  }
  expect(sums).toContain(`${hashOf(entries.get('pacient.json')!)}  pacient.json\n`)
  expect([...entries.keys()].filter((name) => name.startsWith('fisiere/'))).toHaveLength(shown.files.length)

  const access = parse(entries, 'acces.json')
  const acts = access.map(({ who, action }: { who: string; action: string }) => [who, action])
  expect(acts).toContainEqual(['Ana Pop', 'question.ask'])
  // This export too, with the files that it opened.
  expect(acts).toContainEqual(['Ilinca Șerban', 'patient.export-record'])
  expect(acts).toContainEqual(['Ilinca Șerban', 'upload.download'])
  expect(access[0].what).toMatch(/^a /)
})

it('of a merged patient it has the survivor, the former entry and the accesses of both', async () => {
  const { patient } = await makeKnown()
  const survivor = await makePatient(server.db, { surname: 'Popa', cnp: null })
  await registrar.runQuery('query ($id: ID!) { patient(id: $id) { id } }', { id: patient.id })
  const versionOf = async (id: string) =>
    (await server.db.selectFrom('patient').select('version').where('id', '=', id).executeTakeFirstOrThrow())
      .version
  await registrar.runQuery(
    `mutation ($s: ID!, $sv: Int!, $m: ID!, $mv: Int!) {
      mergePatients(survivorId: $s, survivorVersion: $sv, mergedId: $m, mergedVersion: $mv) { id } }`,
    { s: survivor.id, sv: await versionOf(survivor.id), m: patient.id, mv: await versionOf(patient.id) },
  )
  const entries = await readRecord(admin, patient.id)
  const record = parse(entries, 'pacient.json')
  expect(record).toMatchObject({ patient: { surname: 'Popa' }, mergedPatients: [{ surname: 'Pop' }] })
  expect(record.uploads).toHaveLength(2)
  expect(record.messages).toHaveLength(1)
  const actions = parse(entries, 'acces.json').map(({ action }: { action: string }) => action)
  expect(actions).toEqual(expect.arrayContaining(['patient.merge', 'patient.read', 'question.ask']))
})

it('is for administrators alone, with the token of an export, and not without the files of patients', async () => {
  const { patient } = await makeKnown()
  for (const client of [registrar, ana]) expect((await send(client, patient.id)).status).toBe(403)
  expect((await send(admin, crypto.randomUUID())).status).toBe(404)
  const path = `${PATIENT_RECORDS_PATH}/${patient.id}.zip`
  expect((await admin.fetch(path, { method: 'POST' })).status).toBe(401)
  const { db } = server
  const off = async (feature: string) =>
    db
      .insertInto('site_setting')
      .values({ key: 'features', value: JSON.stringify(FEATURES.filter((each) => each !== feature)) })
      .execute()
  const on = () => db.deleteFrom('site_setting').where('key', '=', 'features').execute()
  await off('patient::files')
  expect((await send(admin, patient.id)).status).toBe(403)
  await on()
  for (const [feature, part] of [
    ['patient::news', 'news'],
    ['patient::share', 'shares'],
  ] as const) {
    await off(feature)
    try {
      const record = parse(await readRecord(admin, patient.id), 'pacient.json')
      expect([record.news, record.shares].filter((each) => each === null)).toHaveLength(1)
      expect(record[part]).toBeNull()
    } finally {
      await on()
    }
  }
})
