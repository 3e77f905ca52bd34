import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeEmptyUpload } from '../../../db/factories.ts'
import { WHOLE_FILE_BYTES } from '../../../shared/limits.ts'
import { createTestClient } from '../../../test/client.ts'
import { countLockWaits } from '../../../test/locks/lock-waits.ts'
import { startServerProcess } from '../../../test/server-process.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import * as tus from '../../../test/tus.ts'
import { createUser } from '../../../test/users.ts'
import { upsertSettings } from '../../features/site/site.db.ts'
import { transferIdOf } from '../../features/uploads/transfers/transfer-id.ts'
import { lockUpload } from '../../features/uploads/uploads.db.ts'

let server: TestServer
let registrar: TestClient & { id: string }
let colleague: TestClient & { id: string }

async function signedIn(email: string): Promise<TestClient & { id: string }> {
  const { id } = await createUser(server.db, { email })
  return { ...(await server.signIn(email)), id }
}

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  registrar = await signedIn('registratura@dosar.test')
  colleague = await signedIn('coleg@dosar.test')
})

const as = (client: TestClient) => tus.tusRequests(client.fetch)
const newTransferId = () => randomBytes(16).toString('hex')
const newUpload = async (over: Parameters<typeof makeEmptyUpload>[1] = {}) =>
  (await makeEmptyUpload(server.db, { created_by: registrar.id, ...over })).id
const filesOf = (uploadId: string) =>
  server.db.selectFrom('file').selectAll().where('upload_id', '=', uploadId).orderBy('position').execute()
/** Returns the address of the registrar's transfer that was announced by this id. */
const addressOf = (id: string) => `/files/${transferIdOf(registrar.id, id)}`
const transferOf = (id: string) =>
  server.db
    .selectFrom('transfer')
    .selectAll()
    .where('id', '=', transferIdOf(registrar.id, id))
    .executeTakeFirst()

async function storedKeys(): Promise<string[]> {
  const folder = join(server.services.config.dataDir, 'files')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Asserts that the upload has this file alone, recorded once. */
async function expectOneFile(uploadId: string, bytes: Uint8Array): Promise<void> {
  const [file, ...others] = await filesOf(uploadId)
  expect(others).toEqual([])
  const chunks: Buffer[] = []
  for await (const chunk of await server.services.storage.read(file!.storage_key))
    chunks.push(chunk as Buffer)
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
  const entries = await server.db
    .selectFrom('audit_event')
    .select(['action', 'outcome'])
    .where('subject_id', '=', file!.id)
    .execute()
  expect(entries).toEqual([{ action: 'file.receive', outcome: 'ok' }])
}

describe('a small file that comes with its announcement', () => {
  it('is stored, recorded and waits to be read after one request of five statements beside the sign-in', async () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(300_000)])
    // The first request of the minute also records the use of the session.
    await as(registrar).createWhole(await newUpload(), bytes, newTransferId())
    const uploadId = await newUpload()
    const id = newTransferId()
    const submit = vi.spyOn(pg.Query.prototype, 'submit')
    onTestFinished(() => submit.mockRestore())
    const response = await as(registrar).createWhole(uploadId, bytes, id)
    const texts = submit.mock.contexts.map((query) => (query as unknown as { text: string }).text)
    submit.mockRestore()
    expect([
      response.status,
      response.headers.get('upload-offset'),
      response.headers.get('location'),
    ]).toEqual([201, String(bytes.length), addressOf(id)])
    expect(texts.map((text) => text.trim().slice(0, 16))).toEqual([
      'select "session"',
      'begin',
      'select "upload".',
      'with sent as (\n ',
      // The statement of the job that reads the file is missing: the jobs of this server are not in the database.
      'commit',
    ])
    await expectOneFile(uploadId, bytes)
    const [file] = await filesOf(uploadId)
    expect(file).toMatchObject({ name: 'raport.pdf', kind: 'pdf', type: 'application/pdf', position: 1 })
    expect(await transferOf(id)).toMatchObject({
      state: 'finished',
      file_id: file!.id,
      user_id: registrar.id,
    })
    expect(await readdir(join(server.services.config.dataDir, 'incoming'))).toEqual([])
  })

  it('is there once, however often and however many at a time it is announced', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(1000)
    const id = newTransferId()
    const before = (await storedKeys()).length
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => as(registrar).createWhole(uploadId, bytes, id)),
    )
    responses.push(await as(registrar).createWhole(uploadId, bytes, id))
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 201))
    expect(responses.at(-1)!.headers.get('upload-offset')).toBe('1000')
    await expectOneFile(uploadId, bytes)
    expect((await storedKeys()).length).toBe(before + 1)
    // Also once its upload was submitted by another tab.
    await server.db.updateTable('upload').set({ state: 'checking' }).where('id', '=', uploadId).execute()
    expect((await as(registrar).createWhole(uploadId, bytes, id)).status).toBe(201)
    expect((await as(registrar).createWhole(uploadId, bytes, newTransferId())).status).toBe(409)
    await expectOneFile(uploadId, bytes)
  })

  it.each([
    [
      'whole files',
      async (uploadId: string, bytes: Buffer) => () =>
        as(registrar).createWhole(uploadId, bytes, newTransferId()),
    ],
    [
      'last bytes',
      async (uploadId: string, bytes: Buffer) => {
        const path = await as(registrar).begin(uploadId, bytes)
        return () => as(registrar).patch(path, 0, bytes)
      },
    ],
  ])(
    'leaves the database to the requests of others while many %s of its sender wait for one lock',
    async (_, prepare) => {
      const uploadId = await newUpload()
      // As many as the pool has connections, and more.
      const requests = await Promise.all(
        Array.from({ length: 15 }, () => prepare(uploadId, randomBytes(1000))),
      )
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      const { promise: locked, resolve: reportLocked } = Promise.withResolvers<void>()
      const locker = server.db.transaction().execute(async (tx) => {
        await lockUpload(tx, uploadId)
        reportLocked()
        await released
      })
      await locked
      const sent = requests.map((send) => send())
      await vi.waitFor(async () => expect(await countLockWaits(server.db)).toBe(4), { timeout: 60_000 })
      const { id: ofColleague } = await makeEmptyUpload(server.db, { created_by: colleague.id })
      expect((await as(colleague).createWhole(ofColleague, randomBytes(1000), newTransferId())).status).toBe(
        201,
      )
      expect(await countLockWaits(server.db)).toBe(4)
      release()
      await locker
      expect((await Promise.all(sent)).map(({ ok }) => ok)).toEqual(sent.map(() => true))
      expect(await filesOf(uploadId)).toHaveLength(15)
    },
  )

  it('of another upload or content is refused under the same id, which another user may use too', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(1000)
    const id = newTransferId()
    expect((await as(registrar).createWhole(uploadId, bytes, id)).status).toBe(201)
    const other = await newUpload()
    expect((await as(registrar).createWhole(other, bytes, id)).status).toBe(409)
    expect((await as(registrar).createWhole(uploadId, randomBytes(1000), id)).status).toBe(409)
    const { id: ofColleague } = await makeEmptyUpload(server.db, { created_by: colleague.id })
    expect((await as(colleague).createWhole(uploadId, bytes, id)).status).toBe(404)
    expect((await as(colleague).createWhole(ofColleague, bytes, id)).status).toBe(201)
    expect(await filesOf(other)).toEqual([])
    await expectOneFile(ofColleague, bytes)
    await expectOneFile(uploadId, bytes)
  })

  it('leaves nothing behind if it is cut, longer than announced, or has another hash', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(1000)
    const before = await storedKeys()
    const send = async (sent: Uint8Array) =>
      (await as(registrar).createWhole(uploadId, bytes, newTransferId(), sent)).status
    expect(await send(bytes.subarray(0, 500))).toBe(400)
    expect(await send(randomBytes(1001))).toBe(413)
    expect(await send(randomBytes(1000))).toBe(460)
    expect(await filesOf(uploadId)).toEqual([])
    expect(await storedKeys()).toEqual(before)
  })

  it('is one of the most files of its upload, also where several arrive at once', async () => {
    await upsertSettings(server.db, { upload_files: 3 })
    onTestFinished(() => upsertSettings(server.db, { upload_files: 20 }))
    const uploadId = await newUpload()
    const statuses = await Promise.all(
      Array.from(
        { length: 6 },
        async () => (await as(registrar).createWhole(uploadId, randomBytes(100), newTransferId())).status,
      ),
    )
    expect(statuses.toSorted()).toEqual([201, 201, 201, 409, 409, 409])
    expect((await filesOf(uploadId)).map(({ position }) => position)).toEqual([1, 2, 3])
  })

  it('is refused for an upload of another user, after the submission, and over the size of the settings', async () => {
    const bytes = randomBytes(100)
    const send = async (uploadId: string, client = registrar) =>
      (await as(client).createWhole(uploadId, bytes, newTransferId())).status
    expect(await send(await newUpload(), colleague)).toBe(404)
    expect(await send(await newUpload({ state: 'checking' }))).toBe(409)
    expect(await send(await newUpload({ deleted_at: new Date() }))).toBe(404)
    const large = await as(registrar).createWhole(
      await newUpload(),
      randomBytes(WHOLE_FILE_BYTES + 1),
      newTransferId(),
    )
    // Received like a large file, by the same request.
    expect(large.status).toBe(201)
  })

  it('is received like a large one while slow senders fill the memory, who end with their session', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(1000)
    const slowSender = await signedIn('incet@dosar.test')
    const { id: slowUpload } = await makeEmptyUpload(server.db, { created_by: slowSender.id })
    const sendSlowly = () => {
      const announced = randomBytes(WHOLE_FILE_BYTES)
      const body = new ReadableStream({ start: (stream) => stream.enqueue(announced.subarray(0, 10)) })
      return slowSender.fetch('/files', {
        method: 'POST',
        headers: {
          'tus-resumable': '1.0.0',
          'content-type': 'application/offset+octet-stream',
          'content-length': String(WHOLE_FILE_BYTES),
          'upload-length': String(WHOLE_FILE_BYTES),
          'upload-metadata': tus.describe(slowUpload, announced),
        },
        body,
        duplex: 'half',
      } as RequestInit)
    }
    const collect = vi.spyOn(Buffer, 'allocUnsafe')
    const append = vi.spyOn(server.services.partialFiles, 'append')
    onTestFinished(() => void vi.restoreAllMocks())
    const slow = Array.from({ length: 32 }, sendSlowly)
    const ofWholeFiles = () => collect.mock.calls.filter(([size]) => size === WHOLE_FILE_BYTES).length
    await expect.poll(ofWholeFiles).toBe(32)
    expect((await as(registrar).createWhole(uploadId, bytes, newTransferId())).status).toBe(201)
    expect(append).toHaveBeenCalledOnce()
    await expectOneFile(uploadId, bytes)

    await server.db.deleteFrom('session').where('user_id', '=', slowSender.id).execute()
    expect(new Set((await Promise.all(slow)).map(({ status }) => status))).toEqual(new Set([401]))
    expect(await filesOf(slowUpload)).toEqual([])
    expect((await as(registrar).createWhole(uploadId, randomBytes(1000), newTransferId())).status).toBe(201)
    expect(append).toHaveBeenCalledOnce()
  })

  it('is not reported as received once it was taken out of its upload', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(1000)
    const id = newTransferId()
    expect((await as(registrar).createWhole(uploadId, bytes, id)).status).toBe(201)
    await server.db
      .updateTable('file')
      .set({ removed_at: new Date() })
      .where('upload_id', '=', uploadId)
      .execute()
    const again = await as(registrar).createWhole(uploadId, bytes, id)
    expect([again.status, await again.json()]).toEqual([
      409,
      expect.objectContaining({ message: expect.stringContaining('a fost scos') }),
    ])
    expect((await as(registrar).createWhole(uploadId, bytes, newTransferId())).status).toBe(201)
  })

  it('takes the place of a cancelled transfer of its id', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(2_000)
    const id = newTransferId()
    const begun = await as(registrar).create({
      'upload-length': '2000',
      'upload-metadata': tus.describe(uploadId, bytes, undefined, { id }),
    })
    expect([begun.status, begun.headers.get('location')]).toEqual([201, addressOf(id)])
    expect((await as(registrar).terminate(addressOf(id))).status).toBe(204)
    expect((await as(registrar).createWhole(uploadId, bytes, id)).status).toBe(201)
    await expectOneFile(uploadId, bytes)
  })

  it('is there once after a server was killed between its bytes and the commit', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(100_000)
    const id = newTransferId()
    const before = (await storedKeys()).length
    const running = await startServerProcess(server)
    await server.db.transaction().execute(async (tx) => {
      await lockUpload(tx, uploadId)
      const sent = as(createTestClient(running.url, registrar)).createWhole(uploadId, bytes, id)
      sent.catch(() => undefined)
      await expect.poll(() => countLockWaits(server.db)).toBeGreaterThan(0)
      expect((await storedKeys()).length).toBe(before + 1)
      await running.kill()
      await expect(sent).rejects.toThrow()
    })
    expect(await filesOf(uploadId)).toEqual([])
    const again = await startServerProcess(server)
    const client = as(createTestClient(again.url, registrar))
    expect((await client.createWhole(uploadId, bytes, id)).status).toBe(201)
    await again.kill()
    await expectOneFile(uploadId, bytes)
  })
})

describe('an announcement without bytes', () => {
  it('again by the same id finds the transfer and its offset', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(1000)
    const id = newTransferId()
    const announce = () =>
      as(registrar).create({
        'upload-length': '1000',
        'upload-metadata': tus.describe(uploadId, bytes, undefined, { id }),
      })
    expect((await announce()).headers.get('location')).toBe(addressOf(id))
    expect((await as(registrar).patch(addressOf(id), 0, bytes.subarray(0, 400))).status).toBe(204)
    expect((await announce()).status).toBe(201)
    expect(await as(registrar).offset(addressOf(id))).toBe(400)
    // With all bytes, that do not count, it continues where the server is.
    const whole = await as(registrar).createWhole(uploadId, bytes, id)
    expect([whole.status, whole.headers.get('upload-offset')]).toEqual([201, '400'])
    expect((await as(registrar).patch(addressOf(id), 400, bytes.subarray(400))).status).toBe(204)
    await expectOneFile(uploadId, bytes)
    expect((await as(colleague).offset(addressOf(id)).catch(String)).toString()).toContain('404')
    expect((await as(colleague).createWhole(uploadId, bytes, id)).status).toBe(404)
  })

  it('is one of the most files of its upload beside a small file that arrives at once', async () => {
    await upsertSettings(server.db, { upload_files: 1 })
    onTestFinished(() => upsertSettings(server.db, { upload_files: 20 }))
    const uploadId = await newUpload()
    let announced: Promise<Response> | undefined
    let whole: Promise<Response> | undefined
    await server.db.transaction().execute(async (tx) => {
      await lockUpload(tx, uploadId)
      announced = as(registrar).create({
        'upload-length': '2000000',
        'upload-metadata': tus.describe(uploadId, randomBytes(10)),
      })
      await expect.poll(() => countLockWaits(server.db)).toBe(1)
      whole = as(registrar).createWhole(uploadId, randomBytes(100), newTransferId())
      await expect.poll(() => countLockWaits(server.db)).toBe(2)
    })
    expect([(await announced!).status, (await whole!).status].toSorted()).toEqual([201, 409])
  })

  it.each(['x', 'A'.repeat(32), '0'.repeat(31)])('is rejected with the id %s', async (id) => {
    const response = await as(registrar).createWhole(await newUpload(), randomBytes(10), id)
    expect(response.status).toBe(400)
  })
})
