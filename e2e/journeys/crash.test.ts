import { createHash, randomBytes, randomInt } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from '../../db/demo/random.ts'
import { namePairs } from '../../shared/romania/names.ts'
import { CREATE_UPLOAD, SUBMIT_UPLOAD } from '../../test/documents.ts'
import { beginPatch } from '../../test/real-http.ts'
import { tusRequests } from '../../test/tus.ts'
import { REGISTRAR } from '../harness/accounts.ts'
import { signInClient } from '../harness/client.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { expect, test } from '../harness/test.ts'

const MIB = 1024 * 1024
const CHUNK_BYTES = 4 * MIB
/** Often, so that the next kill comes in the middle of requests; the timeout only ends a test that hangs. */
const POLL = { timeout: 60_000, intervals: [20] }
const WRITERS = 8
/** Acknowledgements between two kills: enough for every writer to be in the middle of a request. */
const ACKNOWLEDGED_BETWEEN = 80

const READ_UPLOAD = `query ($id: ID!) { upload(id: $id) { state files { id name size sha256 scanResult } transfers { id } } }`
const CREATE_PATIENT = `mutation ($patient: PatientInput!) { createPatient(patient: $patient) { id } }`

// A separate product, since these tests kill it.
let product: Product
test.beforeAll(async () => {
  product = await startProduct()
})
test.afterAll(() => product.stop())

test('an upload resumes after kill -9 of the server, and the bytes are the same', async () => {
  const seed = String(randomInt(1_000_000))
  const random = createRandom(`crash ${seed}`)
  await test.step(`seed ${seed}`, () => undefined)

  const registrar = await signInClient(product.url, REGISTRAR)
  const tus = tusRequests(registrar.fetch)
  const { createUpload } = await registrar.runQuery(CREATE_UPLOAD, {
    upload: { title: 'Tomografie toracică' },
  })
  const bytes = randomBytes(40 * MIB)
  // A text file, whose type the inspection recognises by content.
  bytes.fill('Rezultatul de laborator.\n')
  for (let place = 0; place < bytes.length; place += 4096)
    bytes.write(random.integer(0, 1e9).toString(36), place)
  const path = await tus.begin(createUpload.id, bytes, 'serie.txt')

  let acknowledged = 0
  for (let round = 1; round <= 3; round += 1) {
    const killAt = random.integer(acknowledged + 1, Math.floor((bytes.length * round) / 4))
    while (killAt - acknowledged > CHUNK_BYTES) {
      const chunk = bytes.subarray(acknowledged, acknowledged + CHUNK_BYTES)
      expect((await tus.patch(path, acknowledged, chunk)).status).toBe(204)
      acknowledged += CHUNK_BYTES
    }
    await test.step(`kill -9 at byte ${killAt}`, async () => {
      const sent = bytes.subarray(acknowledged, killAt)
      const length = bytes.length - acknowledged
      const { socket } = await beginPatch(`${product.url}${path}`, registrar.cookie, {
        offset: acknowledged,
        length,
        sent,
      })
      await product.kill()
      socket.destroy()
      await product.restart()
    })
    const offset = await tus.offset(path)
    expect(offset).toBeGreaterThanOrEqual(acknowledged)
    expect(offset).toBeLessThanOrEqual(killAt)
    acknowledged = offset
  }
  expect((await tus.patch(path, acknowledged, bytes.subarray(acknowledged))).status).toBe(204)

  await registrar.runQuery(SUBMIT_UPLOAD, { id: createUpload.id })
  const read = async () => (await registrar.runQuery(READ_UPLOAD, { id: createUpload.id })).upload
  await expect.poll(async () => (await read()).state, { timeout: 20_000 }).toBe('unassigned')
  const { files, transfers } = await read()
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(files).toEqual([
    expect.objectContaining({ name: 'serie.txt', size: bytes.length, sha256, scanResult: 'unscanned' }),
  ])
  expect(transfers).toEqual([])
  expect(await readdir(join(product.dataDir, 'incoming'))).toEqual([])
  const downloaded = await registrar.fetch(`/files/${files[0].id}`)
  expect(
    createHash('sha256')
      .update(await downloaded.bytes())
      .digest('hex'),
  ).toBe(sha256)
  const received = await product.db
    .selectFrom('audit_event')
    .select('id')
    .where('action', '=', 'file.receive')
    .where('subject_id', '=', files[0].id)
    .execute()
  expect(received).toHaveLength(1)
})

test('kill -9 of PostgreSQL loses no acknowledged change and leaves no partial change', async () => {
  const registrar = await signInClient(product.url, REGISTRAR)
  const acknowledged: { id: string; note: string }[] = []
  const refused: { retryAfter: string | null }[] = []
  let stopped = false

  const write = async (writer: number) => {
    for (let number = 1; !stopped; number += 1) {
      const note = `${writer}-${number}`
      const patient = { surname: 'Scriitoru', givenNames: 'Ana Maria', notes: note }
      const { status, data, errors, retryAfter } = await registrar.graphql(CREATE_PATIENT, { patient })
      if (status === 200 && errors.length === 0) acknowledged.push({ id: data.createPatient.id, note })
      else {
        expect(status, JSON.stringify(errors)).toBe(503)
        refused.push({ retryAfter })
        await pause(50)
      }
    }
  }
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
  const moreAcknowledged = async (more: number) => {
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length - before, POLL).toBeGreaterThan(more)
  }

  for (let kills = 0; kills < 3; kills += 1) {
    await moreAcknowledged(ACKNOWLEDGED_BETWEEN)
    const already = refused.length
    const postmaster = product.postmasterId()
    process.kill(postmaster, 'SIGKILL')
    // The product responds that it is unavailable, and recovers automatically.
    await expect.poll(() => refused.length, POLL).toBeGreaterThan(already)
    await moreAcknowledged(WRITERS)
    expect(product.postmasterId()).not.toBe(postmaster)
  }
  stopped = true
  await Promise.all(writers)
  expect(refused.filter(({ retryAfter }) => retryAfter === null)).toEqual([])
  expect((await fetch(`${product.url}/healthz`)).status).toBe(200)

  const rows = await product.db
    .selectFrom('patient')
    .select((eb) => [
      'id',
      'notes',
      eb
        .selectFrom('audit_event')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('subject_id', '=', 'patient.id')
        .where('action', '=', 'patient.create')
        .as('created'),
      eb
        .selectFrom('patient_name_pair')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('patient_id', '=', 'patient.id')
        .as('pairs'),
    ])
    .where('surname', '=', 'Scriitoru')
    .execute()
  const present = new Map(rows.map(({ id, notes }) => [id, notes]))
  expect(acknowledged.filter(({ id, note }) => present.get(id) !== note)).toEqual([])
  const pairs = namePairs(['Scriitoru', 'Ana Maria']).length
  expect(rows.filter((row) => row.created !== 1 || row.pairs !== pairs)).toEqual([])
  const orphans = await product.db
    .selectFrom('audit_event')
    .select('subject_id')
    .where('action', '=', 'patient.create')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('patient').select('id').whereRef('patient.id', '=', 'audit_event.subject_id'))),
    )
    .execute()
  expect(orphans).toEqual([])
})
