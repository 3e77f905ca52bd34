import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeEmptyUpload, makeInstitution, makePatient, makeReferral } from '../../../db/factories.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { countLockWaits } from '../../../test/locks/lock-waits.ts'
import { sha256 } from '../../../test/sha256.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import * as tus from '../../../test/tus.ts'
import { createUser } from '../../../test/users.ts'
import { lockUpload } from '../../features/uploads/uploads.db.ts'
import { newId } from '../../platform/ids.ts'

let server: TestServer
let registrar: TestClient & { id: string }
let colleague: TestClient & { id: string }
let institutionUser: TestClient & { id: string }
let anonymous: TestClient

async function signedIn(email: string, role: 'staff' | 'institution'): Promise<TestClient & { id: string }> {
  const { id } = await createUser(server.db, { email, role })
  return { ...(await server.signIn(email)), id }
}

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  registrar = await signedIn('registratura@dosar.test', 'staff')
  colleague = await signedIn('coleg@dosar.test', 'staff')
  institutionUser = await signedIn('institutia@dosar.test', 'institution')
  anonymous = { ...registrar, fetch: (path, init) => server.app.request(path, init) as Promise<Response> }
})

const as = (client: TestClient) => tus.tusRequests(client.fetch)
const newUpload = async (over: Parameters<typeof makeEmptyUpload>[1] = {}) =>
  (await makeEmptyUpload(server.db, { created_by: registrar.id, ...over })).id
const transferOf = (path: string) =>
  server.db
    .selectFrom('transfer')
    .selectAll()
    .where('id', '=', path.split('/').at(-1)!)
    .executeTakeFirstOrThrow()
const filesOf = (uploadId: string) =>
  server.db.selectFrom('file').selectAll().where('upload_id', '=', uploadId).orderBy('position').execute()
const incomingNames = () => readdir(join(server.services.config.dataDir, 'incoming'))

async function allStoredNames(): Promise<string[]> {
  const entries = await readdir(server.services.config.dataDir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

async function stored(uploadId: string): Promise<Buffer> {
  const [file] = await filesOf(uploadId)
  const chunks: Buffer[] = []
  for await (const chunk of await server.services.storage.read(file!.storage_key))
    chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

describe('receiving a file', () => {
  it('stores a file sent in parts with its hash and its audit row, and leaves no partial file', async () => {
    const uploadId = await newUpload()
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(2_500_000)])
    const path = await as(registrar).begin(uploadId, bytes, 'Ștefan raport.pdf')
    expect(path).toMatch(/^\/files\/[0-9a-f]{32}$/)
    expect(
      (await as(registrar).patch(path, 0, bytes.subarray(0, 1_234_567))).headers.get('upload-offset'),
    ).toBe('1234567')
    expect(await as(registrar).offset(path)).toBe(1_234_567)
    expect((await as(registrar).patch(path, 1_234_567, bytes.subarray(1_234_567))).status).toBe(204)

    const [file] = await filesOf(uploadId)
    expect(file).toMatchObject({
      name: 'Ștefan raport.pdf',
      kind: 'pdf',
      type: 'application/pdf',
      size: bytes.length,
      scan_result: 'pending',
    })
    expect(file!.sha256.equals(sha256(bytes))).toBe(true)
    expect((await stored(uploadId)).equals(bytes)).toBe(true)
    expect(await transferOf(path)).toMatchObject({
      state: 'finished',
      received: bytes.length,
      file_id: file!.id,
    })
    expect(await incomingNames()).toEqual([])
    const rows = await server.db
      .selectFrom('audit_event')
      .selectAll()
      .where('subject_id', '=', file!.id)
      .execute()
    expect(rows).toMatchObject([{ action: 'file.receive', actor_id: registrar.id, outcome: 'ok' }])
  })

  it('stores a file sent with its creation request', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(70_000)
    const response = await as(registrar).createWithBody(uploadId, bytes)
    expect(response.status).toBe(201)
    expect(response.headers.get('upload-offset')).toBe('70000')
    expect((await stored(uploadId)).equals(bytes)).toBe(true)
  })

  it('lets the sender query a finished file, but not change it', async () => {
    const bytes = randomBytes(1000)
    const path = await as(registrar).begin(await newUpload(), bytes)
    await as(registrar).patch(path, 0, bytes)
    const head = await as(registrar).head(path)
    expect([head.status, head.headers.get('upload-offset'), head.headers.get('upload-length')]).toEqual([
      200,
      '1000',
      '1000',
    ])
    expect((await as(registrar).patch(path, 1000, new Uint8Array(1))).status).toBe(403)
    expect((await as(registrar).terminate(path)).status).toBe(403)
    expect((await transferOf(path)).state).toBe('finished')
  })

  it('discards an unfinished file when its sender cancels', async () => {
    const bytes = randomBytes(1000)
    const path = await as(registrar).begin(await newUpload(), bytes)
    await as(registrar).patch(path, 0, bytes.subarray(0, 500))
    expect((await as(registrar).terminate(path)).status).toBe(204)
    expect((await as(registrar).head(path)).status).toBe(404)
    expect(await incomingNames()).toEqual([])
  })

  it('does not claim to discard a file that was finished while the request waited', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(1000)
    const path = await as(registrar).begin(uploadId, bytes)
    const tryAcquire = vi.spyOn(server.services.locks, 'tryAcquire')
    const transaction = await server.db.startTransaction().execute()
    await lockUpload(transaction, uploadId)
    const patched = as(registrar).patch(path, 0, bytes)
    await expect.poll(() => countLockWaits(server.db)).toBe(1)
    const discarded = as(registrar).terminate(path)
    await expect.poll(() => tryAcquire.mock.calls.length).toBeGreaterThan(1)
    await transaction.commit().execute()
    expect([(await patched).status, (await discarded).status]).toEqual([204, 403])
    expect((await transferOf(path)).state).toBe('finished')
  })

  it('rejects a wrong offset and changes nothing', async () => {
    const bytes = randomBytes(1000)
    const path = await as(registrar).begin(await newUpload(), bytes)
    await as(registrar).patch(path, 0, bytes.subarray(0, 500))
    const response = await as(registrar).patch(path, 400, bytes.subarray(400))
    expect([response.status, (await response.json()).code]).toEqual([409, 'CONFLICT'])
    expect(await as(registrar).offset(path)).toBe(500)
  })
})

describe('authorisation', () => {
  it('is required for every method [6.4]', async () => {
    const path = await as(registrar).begin(await newUpload(), randomBytes(10))
    const responses = await Promise.all([
      as(anonymous).create({ 'upload-length': '10' }),
      as(anonymous).head(path),
      as(anonymous).patch(path, 0, randomBytes(10)),
      as(anonymous).terminate(path),
    ])
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401])
    expect(await responses[0]!.json()).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect((await transferOf(path)).received).toBe(0)
  })

  it('treats a transfer of another user like one that does not exist [6.4]', async () => {
    const bytes = randomBytes(1000)
    const path = await as(registrar).begin(await newUpload(), bytes)
    await as(registrar).patch(path, 0, bytes.subarray(0, 300))
    const unknown = `/files/${randomBytes(16).toString('hex')}`
    for (const client of [colleague, institutionUser]) {
      for (const send of [
        (target: string) => as(client).head(target),
        (target: string) => as(client).patch(target, 300, bytes.subarray(300)),
        (target: string) => as(client).terminate(target),
      ]) {
        const [foreign, none] = [await send(path), await send(unknown)]
        expect([foreign.status, await foreign.text()]).toEqual([404, await none.text()])
        expect([...foreign.headers]).toEqual([...none.headers])
      }
    }
    expect(await as(registrar).offset(path)).toBe(300)
  })

  it('lets only the author of an upload add files, and hides the upload from all others [6.4]', async () => {
    const { id: institution_id } = await makeInstitution(server.db)
    await server.db
      .insertInto('user_institution')
      .values({ user_id: institutionUser.id, institution_id })
      .execute()
    const { id: patient_id } = await makePatient(server.db)
    await makeReferral(server.db, { patient_id, institution_id, created_by: registrar.id })
    const uploadId = await newUpload({ patient_id, institution_id })
    const bytes = randomBytes(10)
    const none = await as(colleague).createWithBody(newId(), bytes)
    const text = await none.text()
    for (const client of [colleague, institutionUser]) {
      const response = await as(client).createWithBody(uploadId, bytes)
      expect([response.status, await response.text()]).toEqual([404, text])
      expect(response.headers.get('tus-resumable')).toBe('1.0.0')
    }
    expect(await filesOf(uploadId)).toEqual([])
  })

  it('rejects files for an upload that was submitted', async () => {
    const uploadId = await newUpload({ state: 'checking' })
    expect((await as(registrar).createWithBody(uploadId, randomBytes(10))).status).toBe(409)
  })

  it('rejects the last byte when the upload was submitted or changed owner in the meantime (D08)', async () => {
    const changes = [{ state: 'checking' as const }, { created_by: colleague.id }]
    for (const change of changes) {
      const uploadId = await newUpload()
      const bytes = randomBytes(1000)
      const path = await as(registrar).begin(uploadId, bytes)
      await as(registrar).patch(path, 0, bytes.subarray(0, 500))
      await server.db.updateTable('upload').set(change).where('id', '=', uploadId).execute()
      const before = await allStoredNames()
      expect((await as(registrar).patch(path, 500, bytes.subarray(500))).status).toBe(409)
      expect(await filesOf(uploadId)).toEqual([])
      expect((await transferOf(path)).state).toBe('cancelled')
      expect(await allStoredNames()).toEqual(before.filter((name) => !path.endsWith(name)))
      const denied = await server.db
        .selectFrom('audit_event')
        .selectAll()
        .where('subject_id', '=', uploadId)
        .execute()
      expect(denied).toMatchObject([{ action: 'file.receive', outcome: 'denied' }])
    }
  })

  it('uses the overriding method, also to check permissions (D05)', async () => {
    const bytes = randomBytes(100)
    const path = await as(registrar).begin(await newUpload(), bytes)
    for (const method of ['DELETE', 'PATCH', 'HEAD', 'GET', 'nonsense']) {
      const headers = {
        'x-http-method-override': method,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      }
      expect((await as(colleague).send(path, 'POST', headers, bytes as BodyInit)).status).toBe(404)
    }
    expect(await as(registrar).offset(path)).toBe(0)
    const headers = {
      'x-http-method-override': 'PATCH',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    }
    expect((await as(registrar).send(path, 'POST', headers, bytes as BodyInit)).status).toBe(204)
    expect((await transferOf(path)).state).toBe('finished')
  })
})

describe('hostile requests', () => {
  it('reach a transfer only by an id of 32 hex digits (D01, D07, T2)', async () => {
    const path = await as(registrar).begin(await newUpload(), randomBytes(10))
    const names = [
      `${path.slice(7)}.json`,
      `..%2f..%2f${path.slice(7)}`,
      `%2e%2e%2f${path.slice(7)}`,
      `${path.slice(7)}%00`,
      `${path.slice(7)}%5c`,
      `%252e%252e/${path.slice(7)}`,
      `x/${path.slice(7)}`,
      `${path.slice(7)}/`,
      path.slice(7).toUpperCase(),
      `\u2215${path.slice(7)}`,
      'a'.repeat(10_000),
    ]
    const before = await allStoredNames()
    for (const name of names) {
      for (const method of ['HEAD', 'PATCH', 'DELETE', 'POST']) {
        const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
        const response = await as(registrar).send(`/files/${name}`, method, headers)
        expect([name, method, response.status]).toEqual([name, method, 404])
      }
    }
    expect(await allStoredNames()).toEqual(before)
    expect(await as(registrar).offset(path)).toBe(0)
  })

  it('get no bytes from the address of a transfer (T6)', async () => {
    const bytes = Buffer.from('<script>alert(1)</script>')
    const path = await as(registrar).begin(await newUpload(), bytes, 'x.html')
    await as(registrar).patch(path, 0, bytes)
    for (const client of [registrar, colleague, anonymous]) {
      const response = await client.fetch(path)
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toContain('application/json')
    }
  })

  it('cannot choose a path: the name is data, and the bytes get a random key (D02)', async () => {
    for (const name of ['../../etc/passwd', '{{7*7}}', `\${x}`, '%s', 'C:\\boot.ini']) {
      const uploadId = await newUpload()
      const bytes = randomBytes(10)
      const path = await as(registrar).begin(uploadId, bytes, name)
      expect((await as(registrar).patch(path, 0, bytes)).status).toBe(204)
      const [file] = await filesOf(uploadId)
      expect(file!.name).toBe(name.replace(/[/\\]/g, '').replace(/[:*]/g, '_'))
      expect(file!.storage_key).toMatch(/^([0-9a-f]{2})\/\1[0-9a-f]{6}-[0-9a-f-]{27}$/)
    }
  })

  it('must declare the size, and cannot exceed it (D03)', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(1000)
    const meta = { 'upload-metadata': tus.describe(uploadId, bytes) }
    const status = async (headers: Record<string, string>) =>
      (await as(registrar).create({ ...meta, ...headers })).status
    expect(await status({})).toBe(400)
    expect(await status({ 'upload-length': '-1' })).toBe(400)
    expect(await status({ 'upload-length': '1.5' })).toBe(400)
    expect(await status({ 'upload-length': '1e3' })).toBe(400)
    expect(await status({ 'upload-length': '0' })).toBe(400)
    expect(await status({ 'upload-length': String(LIMITS.fileBytes + 1) })).toBe(413)
    const tooLarge = await as(registrar).create({ ...meta, 'upload-length': String(LIMITS.fileBytes + 1) })
    expect(await tooLarge.json()).toMatchObject({ message: expect.stringContaining('prea mare') })
    expect(await status({ 'upload-length': '9'.repeat(30) })).toBe(400)
    expect(await status({ 'upload-defer-length': '1' })).toBe(400)
    expect(await status({ 'upload-length': '1000', 'upload-concat': 'partial' })).toBe(400)
    expect((await as(registrar).createWithBody(uploadId, bytes, randomBytes(1001))).status).toBe(413)

    const path = await as(registrar).begin(uploadId, bytes)
    expect((await as(registrar).patch(path, 0, bytes.subarray(0, 400))).status).toBe(204)
    expect(await as(registrar).offset(path)).toBe(400)
    expect((await as(registrar).patch(path, 400, randomBytes(601))).status).toBe(413)
    expect(await filesOf(uploadId)).toEqual([])
  })

  it('may send only the four known metadata keys, each once and readable (D06)', async () => {
    const uploadId = await newUpload()
    const known = { filename: 'a.pdf', uploadId, sha256: 'a'.repeat(64) }
    const bad = [
      tus.metadata({ ...known, patientId: newId() }),
      tus.metadata({ ...known, __proto__x: 'a' }),
      tus.metadata({ ...known, filename: 'a\r\nX-Evil: 1.pdf' }),
      tus.metadata({ ...known, filename: 'a\0.pdf' }),
      tus.metadata({ ...known, filename: 'a\u0085.pdf' }),
      tus.metadata({ ...known, filename: 'a'.repeat(1025) }),
      tus.metadata({ ...known, filename: Uint8Array.of(0xc3, 0x28) }),
      tus.metadata({ ...known, filename: '  ' }),
      tus.metadata({ ...known, sha256: 'A'.repeat(64) }),
      tus.metadata({ ...known, sha256: 'a'.repeat(63) }),
      tus.metadata({ ...known, uploadId: '1 or 1=1' }),
      tus.metadata({ filename: 'a.pdf', uploadId }),
      tus.metadata({ uploadId, sha256: 'a'.repeat(64) }),
      `${tus.metadata(known)},filename YQ==`,
      `${tus.metadata(known)},filetype a`,
      `${tus.metadata(known)},filetype Y Q==`,
      `${tus.metadata(known)},`,
      tus.metadata(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 'v']))),
      'filename',
      '',
    ]
    for (const value of bad) {
      const response = await as(registrar).create({ 'upload-length': '10', 'upload-metadata': value })
      expect([value.slice(0, 60), response.status]).toEqual([value.slice(0, 60), 400])
    }
    const good = await as(registrar).create({ 'upload-length': '10', 'upload-metadata': tus.metadata(known) })
    expect(good.status).toBe(201)
  })

  it('cannot create more than 20 files per upload and 50 unfinished ones per user (D04)', async () => {
    const { id } = await createUser(server.db, { email: `${newId()}@dosar.test` })
    const email = (
      await server.db.selectFrom('app_user').select('email').where('id', '=', id).executeTakeFirstOrThrow()
    ).email
    const busy = as(await server.signIn(email))
    const uploads = [1, 2, 3].map(() => newUpload({ created_by: id }))
    const [first, second, third] = await Promise.all(uploads)
    const begin = async (uploadId: string) => {
      const response = await busy.create({
        'upload-length': '10',
        'upload-metadata': tus.describe(uploadId, randomBytes(10)),
      })
      return response.status
    }
    const statuses = async (uploadId: string, count: number) =>
      (await Promise.all(Array.from({ length: count }, () => begin(uploadId)))).sort()
    expect(await statuses(first!, 22)).toEqual([...Array(20).fill(201), 409, 409])
    expect(await statuses(second!, 20)).toEqual(Array(20).fill(201))
    expect(await statuses(third!, 12)).toEqual([...Array(10).fill(201), 429, 429])
  })

  describe('of many large files', () => {
    const GIB = 1024 ** 3

    /** A sender without transfers, on a disk with this many free bytes. */
    async function setUp(freeBytes: number) {
      const freed = vi.spyOn(server.services.storage, 'freeBytes').mockResolvedValue(freeBytes)
      onTestFinished(() => freed.mockRestore())
      await server.db
        .updateTable('transfer')
        .set({ state: 'cancelled' })
        .where('state', '=', 'receiving')
        .execute()
      const begins = async () => {
        const { id, email } = await createUser(server.db, { email: `${newId()}@dosar.test` })
        const client = as(await server.signIn(email))
        const uploadId = await newUpload({ created_by: id })
        const begin = (gib: number) =>
          client.create({
            'upload-length': String(gib * GIB),
            'upload-metadata': tus.describe(uploadId, randomBytes(10)),
          })
        return { begin, terminate: client.terminate }
      }
      return { freed, begins }
    }
    const statusesOf = async (responses: Promise<Response>[]) =>
      (await Promise.all(responses)).map(({ status }) => status).sort()

    it('cannot announce more than 20 GiB unfinished bytes of a person, before any byte is sent (D04)', async () => {
      const { begins } = await setUp(500 * GIB)
      const [one, other] = [await begins(), await begins()]
      const places = await Promise.all(Array.from({ length: 10 }, () => one.begin(2)))
      expect(places.map(({ status }) => status)).toEqual(Array(10).fill(201))
      const refused = await one.begin(1 / 1024)
      expect([refused.status, await refused.json()]).toEqual([
        413,
        {
          code: 'BAD_USER_INPUT',
          message: expect.stringContaining('persoane au împreună cel mult 20 GB'),
        },
      ])
      expect((await other.begin(2)).status).toBe(201)
      // Space that a person gives up can be used again.
      expect((await one.terminate(places[0]!.headers.get('location')!)).status).toBe(204)
      expect(await statusesOf([one.begin(1), one.begin(1), one.begin(1)])).toEqual([201, 201, 413])
    })

    it('cannot announce more than the disk has room for, of all persons together (D04)', async () => {
      const { freed, begins } = await setUp(6 * GIB)
      const people = await Promise.all([begins(), begins(), begins(), begins()])
      // Of four at the same moment, two fit beside the reserve.
      expect(await statusesOf(people.map(({ begin }) => begin(2)))).toEqual([201, 201, 507, 507])
      const refused = await people[0]!.begin(2)
      expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE' })
      expect((await people[1]!.begin(1)).status).toBe(201)
      freed.mockResolvedValue(8 * GIB)
      expect((await people[0]!.begin(2)).status).toBe(201)
    })

    it('counts only the bytes that have not arrived, since the others are on the disk already', async () => {
      const { freed, begins } = await setUp(4 * GIB)
      const { begin } = await begins()
      expect((await begin(2)).status).toBe(201)
      await server.db
        .updateTable('transfer')
        .set({ received: 1.5 * GIB })
        .where('state', '=', 'receiving')
        .execute()
      freed.mockResolvedValue(2.5 * GIB)
      expect((await begin(2)).status).toBe(507)
      expect((await begin(1.5)).status).toBe(201)
    })
  })

  it('cannot store a file whose hash differs from the declared one (T5)', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(5000)
    const path = await as(registrar).begin(uploadId, bytes)
    const wrong = Buffer.from(bytes)
    wrong[4999]! ^= 1
    await as(registrar).patch(path, 0, wrong.subarray(0, 2000))
    const before = await allStoredNames()
    const response = await as(registrar).patch(path, 2000, wrong.subarray(2000))
    expect(response.status).toBe(460)
    expect(await response.json()).toEqual({
      code: 'CONFLICT',
      message: 'Fișierul nu a ajuns întreg. Trebuie încărcat din nou.',
    })
    expect((await transferOf(path)).state).toBe('cancelled')
    expect((await as(registrar).head(path)).status).toBe(404)
    expect(await filesOf(uploadId)).toEqual([])
    expect(await allStoredNames()).toEqual(before.filter((name) => !path.endsWith(name)))
  })

  it('cannot come from another site (T8)', async () => {
    const bytes = randomBytes(10)
    const options = await anonymous.fetch('/files', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    })
    expect(options.status).toBe(204)
    expect(options.headers.get('tus-extension')).toBe('creation,creation-with-upload,termination')
    const evil = await registrar.fetch('/files', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example', 'tus-resumable': '1.0.0' },
    })
    expect(evil.status).toBe(403)
    const own = await as(registrar).createWithBody(await newUpload(), bytes)
    for (const { headers } of [options, evil, own]) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  it('cannot redirect to another host by the Host header (A14)', async () => {
    const response = await as(registrar).create({
      'upload-length': '10',
      'upload-metadata': tus.describe(await newUpload(), randomBytes(10)),
      'x-forwarded-host': 'evil.example',
      host: 'evil.example',
    })
    expect(response.headers.get('location')).toMatch(/^\/files\/[0-9a-f]{32}$/)
  })
})
