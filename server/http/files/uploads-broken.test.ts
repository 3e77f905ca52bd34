import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeEmptyUpload, makeUser } from '../../../db/factories.ts'
import { createTestClient } from '../../../test/client.ts'
import { runSql } from '../../../test/databases.ts'
import { countHeldLocks } from '../../../test/locks/lock-waits.ts'
import { beginPatch, cutPatch, listen } from '../../../test/real-http.ts'
import { sha256 } from '../../../test/sha256.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { describe as announce, tusRequests } from '../../../test/tus.ts'
import { createUser } from '../../../test/users.ts'
import { createApp } from '../../app.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { startLocks } from '../../platform/locks.ts'
import { openDiskStorage } from '../../platform/storage/disk-storage.ts'
import { openPartialFiles } from '../../platform/storage/partial-files.ts'

const MIB = 1024 * 1024

let server: TestServer
let registrar: TestClient & { id: string }
let url: string
let tus: ReturnType<typeof tusRequests>

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { id, email } = await createUser(server.db, { email: 'registratura@dosar.test' })
  registrar = { ...(await server.signIn(email)), id }
  const real = await listen(server.app)
  url = real.url
  tus = tusRequests(createTestClient(url, registrar).fetch)
  afterAll(real.close)
})

const newUpload = async () => (await makeEmptyUpload(server.db, { created_by: registrar.id })).id
const filesOf = (uploadId: string) =>
  server.db.selectFrom('file').selectAll().where('upload_id', '=', uploadId).execute()

async function storedSum(uploadId: string): Promise<string> {
  const [file] = await filesOf(uploadId)
  const hash = createHash('sha256')
  for await (const chunk of await server.services.storage.read(file!.storage_key)) hash.update(chunk)
  expect(file!.sha256.toString('hex')).toBe(hash.copy().digest('hex'))
  return hash.digest('hex')
}

const incomingSize = (path: string): Promise<number> =>
  stat(join(server.services.config.dataDir, 'incoming', path.split('/').at(-1)!)).then(
    ({ size }) => size,
    () => 0,
  )

/** Sends the first MiB of a file and leaves the request open; resolves when these bytes are on the disk. */
async function sendFirstMib(path: string, cookie: string, bytes: Uint8Array) {
  const sending = await beginPatch(`${url}${path}`, cookie, {
    offset: 0,
    length: bytes.length,
    sent: bytes.subarray(0, MIB),
  })
  await vi.waitFor(async () => expect(await incomingSize(path)).toBe(MIB), { timeout: 60_000 })
  return sending
}

/** Starts another server on the same database and the same folder. */
async function startSecondServer() {
  const { services, connection } = server
  const db = openDatabase(connection, () => undefined)
  const locks = startLocks(connection, services.log)
  const partialFiles = await openPartialFiles(join(services.config.dataDir, 'incoming'))
  const storage = await openDiskStorage(join(services.config.dataDir, 'files'))
  const real = await listen(createApp({ ...services, db, locks, partialFiles: partialFiles, storage }))
  onTestFinished(async () => {
    await real.close()
    await locks.stop()
    await db.destroy()
  })
  return { ...real, tus: tusRequests(createTestClient(real.url, registrar).fetch) }
}

describe('a connection that breaks', () => {
  it.each([
    ['ends', false],
    ['is reset', true],
  ])('loses no byte that had arrived when it %s', async (_how, abruptly) => {
    const uploadId = await newUpload()
    const bytes = randomBytes(3 * MIB)
    const path = await tus.begin(uploadId, bytes)
    const { socket } = await beginPatch(`${url}${path}`, registrar.cookie, {
      offset: 0,
      length: bytes.length,
      sent: bytes.subarray(0, 1_500_000),
    })
    // The file is written in larger batches than have arrived; the rest of a batch is written when the
    // connection breaks.
    await vi.waitFor(async () => expect(await incomingSize(path)).toBeGreaterThan(0), { timeout: 60_000 })
    if (abruptly) socket.resetAndDestroy()
    else socket.destroy()
    const offset = await vi.waitFor(() => tus.offset(path), { timeout: 60_000 })
    expect(offset).toBeGreaterThanOrEqual(MIB)
    expect(offset).toBeLessThanOrEqual(1_500_000)
    expect((await tus.patch(path, offset, bytes.subarray(offset))).status).toBe(204)
    expect(await storedSum(uploadId)).toBe(sha256(bytes).toString('hex'))
  })

  it('ends with equal bytes wherever and however often it breaks', async () => {
    const cuts = fc.array(
      fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), abruptly: fc.boolean() }),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    await fc.assert(
      fc.asyncProperty(cuts, fc.integer({ min: 1, max: 2_500_000 }), async (breaks, size) => {
        const uploadId = await newUpload()
        const bytes = randomBytes(size)
        const path = await tus.begin(uploadId, bytes)
        let offset = 0
        let sent = 0
        for (const { share, abruptly } of breaks) {
          const end = offset + Math.floor((size - offset) * share)
          if (end === size) break
          sent = Math.max(sent, end)
          const part = { offset, length: size - offset, sent: bytes.subarray(offset, end) }
          await cutPatch(`${url}${path}`, registrar.cookie, part, abruptly)
          const next = await vi.waitFor(() => tus.offset(path), { timeout: 60_000 })
          expect(next).toBeGreaterThanOrEqual(offset)
          expect(next).toBeLessThanOrEqual(sent)
          offset = next
        }
        // The broken request may still be read when the next one starts; then the offset has moved, and the
        // client repeats its request.
        await vi.waitFor(
          async () => {
            offset = await tus.offset(path)
            if (offset === size) return
            expect((await tus.patch(path, offset, bytes.subarray(offset))).status).toBe(204)
          },
          { timeout: 60_000 },
        )
        expect(await storedSum(uploadId)).toBe(sha256(bytes).toString('hex'))
        expect(await filesOf(uploadId)).toHaveLength(1)
      }),
      { numRuns: 25 },
    )
    expect(await readdir(join(server.services.config.dataDir, 'incoming'))).toEqual([])
  }, 60_000)

  it('is stopped within seconds when its sender is silent and reconnects (R03)', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(2 * MIB)
    const path = await tus.begin(uploadId, bytes)
    const silent = await sendFirstMib(path, registrar.cookie, bytes)
    const offset = await vi.waitFor(() => tus.offset(path), { timeout: 60_000 })
    expect(offset).toBe(MIB)
    expect((await tus.patch(path, offset, bytes.subarray(offset))).status).toBe(204)
    expect(await storedSum(uploadId)).toBe(sha256(bytes).toString('hex'))
    silent.socket.destroy()
  })

  it('is stopped at once when its sender cancels', async () => {
    const bytes = randomBytes(2 * MIB)
    const path = await tus.begin(await newUpload(), bytes)
    await beginPatch(`${url}${path}`, registrar.cookie, {
      offset: 0,
      length: bytes.length,
      sent: bytes.subarray(0, MIB),
    })
    await vi.waitFor(async () => expect(await incomingSize(path)).toBeGreaterThan(0), { timeout: 60_000 })
    expect((await tus.terminate(path)).status).toBe(204)
    expect((await tus.head(path)).status).toBe(404)
  })
})

describe('a session that ends', () => {
  it('ends its upload, which continues after the user signs in again (A10)', async () => {
    const { id, email } = await createUser(server.db, { email: 'pleaca@dosar.test' })
    const client = await server.signIn(email)
    const before = tusRequests(createTestClient(url, client).fetch)
    const { id: uploadId } = await makeEmptyUpload(server.db, { created_by: id })
    const bytes = randomBytes(2 * MIB)
    const path = await before.begin(uploadId, bytes)
    const sending = await sendFirstMib(path, client.cookie, bytes)
    await server.db.updateTable('session').set({ revoked_at: new Date() }).where('user_id', '=', id).execute()
    sending.finish(bytes.subarray(MIB))
    expect(await sending.status).toBe(401)
    expect(await filesOf(uploadId)).toEqual([])
    expect((await before.head(path)).status).toBe(401)

    const after = tusRequests(createTestClient(url, await server.signIn(email)).fetch)
    expect(await after.offset(path)).toBe(bytes.length)
    expect(await storedSum(uploadId)).toBe(sha256(bytes).toString('hex'))
  })

  it.each([
    ['a suspension', { status: 'suspended' }, 401],
    ['the loss of the right to files', { features: [] }, 404],
  ] as const)('within seconds after %s, before its last byte [3.2] [6.4]', async (_what, change, status) => {
    const user = await makeUser(server.db)
    const client = await server.signIn(user.email)
    const requests = tusRequests(createTestClient(url, client).fetch)
    const { id: uploadId } = await makeEmptyUpload(server.db, { created_by: user.id })
    const bytes = randomBytes(2 * MIB)
    const path = await requests.begin(uploadId, bytes)
    const sending = await sendFirstMib(path, client.cookie, bytes)
    await server.db
      .updateTable('app_user')
      .set('features' in change ? { features: [...change.features] } : change)
      .where('id', '=', user.id)
      .execute()
    expect(await sending.status).toBe(status)
    expect(await filesOf(uploadId)).toEqual([])
    sending.socket.destroy()
  })
})

describe('two simultaneous requests', () => {
  it('write the same file one at a time on one server (T3, R04)', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(4 * MIB)
    const path = await tus.begin(uploadId, bytes)
    const [first, second] = await Promise.all([
      tus.patch(path, 0, bytes),
      tus.patch(path, 0, randomBytes(4 * MIB)),
    ])
    const statuses = [first.status, second.status]
    // Either may come first; a file with the wrong bytes is rejected at its end.
    expect(statuses.filter((status) => status === 204).length).toBeLessThanOrEqual(1)
    for (const status of statuses) expect([204, 404, 409, 423, 460, 403]).toContain(status)
    if (statuses.includes(204)) expect(await storedSum(uploadId)).toBe(sha256(bytes).toString('hex'))
    else expect(await filesOf(uploadId)).toEqual([])
  })

  it('keep every acknowledged byte when they alternate between two servers and meet on both (T3, R13)', async () => {
    const second = await startSecondServer()
    const uploads = 8
    for (let round = 0; round < uploads; round += 1) {
      const uploadId = await newUpload()
      const bytes = randomBytes(2_000_000)
      const path = await tus.begin(uploadId, bytes)
      let offset = 0
      for (let turn = 0; offset < bytes.length; turn += 1) {
        const end = Math.min(offset + 500_000, bytes.length)
        const [here, there] = turn % 2 === 0 ? [tus, second.tus] : [second.tus, tus]
        const responses =
          turn === 1
            ? await Promise.all(
                [here, there].map((client) => client.patch(path, offset, bytes.subarray(offset, end))),
              )
            : [await here.patch(path, offset, bytes.subarray(offset, end))]
        expect(responses.filter(({ status }) => status === 204)).toHaveLength(1)
        for (const { status } of responses) expect([204, 409, 423]).toContain(status)
        expect(await there.offset(path)).toBe(end)
        offset = end
      }
      expect(await storedSum(uploadId)).toBe(sha256(bytes).toString('hex'))
      expect(await filesOf(uploadId)).toHaveLength(1)
    }
    expect(await countHeldLocks(server.db)).toBe(0)
  })

  it('stop a writer that has lost its database lock, and continue from the bytes on the disk', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(3 * MIB)
    const path = await tus.begin(uploadId, bytes)
    const writer = await beginPatch(`${url}${path}`, registrar.cookie, {
      offset: 0,
      length: bytes.length,
      sent: bytes.subarray(0, 2 * MIB),
    })
    await vi.waitFor(async () => expect(await countHeldLocks(server.db)).toBe(1), { timeout: 60_000 })
    await runSql(
      server.connection,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dosar-locks'",
    )
    expect(await writer.status).toBe(423)
    const offset = await tus.offset(path)
    expect((await tus.patch(path, offset, bytes.subarray(offset))).status).toBe(204)
    expect(await storedSum(uploadId)).toBe(sha256(bytes).toString('hex'))
  })
})

describe('a disk', () => {
  it('receives 60 MB in one request over a real connection', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(60_000_000)
    const path = await tus.begin(uploadId, bytes, 'imagini.zip')
    expect((await tus.patch(path, 0, bytes)).status).toBe(204)
    expect(await storedSum(uploadId)).toBe(sha256(bytes).toString('hex'))
  })

  it('that has lost acknowledged bytes is not trusted to have them', async () => {
    const uploadId = await newUpload()
    const bytes = randomBytes(2000)
    const path = await tus.begin(uploadId, bytes)
    await tus.patch(path, 0, bytes.subarray(0, 1500))
    await truncate(join(server.services.config.dataDir, 'incoming', path.split('/').at(-1)!), 700)
    expect(await tus.offset(path)).toBe(700)
    expect((await tus.patch(path, 700, bytes.subarray(700))).status).toBe(204)
    expect(await storedSum(uploadId)).toBe(sha256(bytes).toString('hex'))
    expect(server.logged.some((line) => line.includes('acknowledged bytes are missing'))).toBe(true)
  })

  it('that is full is reported in Romanian, and the upload continues when there is room (T7, R09)', async (context) => {
    const small = join(server.services.config.dataDir, 'small')
    await mkdir(small)
    const run = promisify(execFile)
    const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', small]).then(
      () => true,
      () => false,
    )
    if (!mounted) return context.skip('needs the right to mount a file system')
    onTestFinished(async () => {
      await run('umount', ['-l', small])
    })
    const { services } = server
    const storage = await openDiskStorage(join(small, 'files'))
    const partialFiles = await openPartialFiles(join(small, 'incoming'))
    const real = await listen(createApp({ ...services, storage, partialFiles: partialFiles }))
    onTestFinished(real.close)
    const client = tusRequests(createTestClient(real.url, registrar).fetch)

    const uploadId = await newUpload()
    const bytes = randomBytes(8 * MIB)
    const path = await client.begin(uploadId, bytes)
    // Fills the disk except for 2 MiB and some reserve.
    const ballast = join(small, 'ballast')
    await writeFile(ballast, new Uint8Array((await storage.freeBytes())! - 2.5 * MIB))
    const full = await client.patch(path, 0, bytes)
    expect(full.status).toBe(507)
    const text = await full.text()
    expect(JSON.parse(text)).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('Nu mai este loc'),
    })
    expect(text).not.toMatch(/ENOSPC|space left/)
    const offset = await client.offset(path)
    expect(offset).toBeLessThanOrEqual(2.5 * MIB)

    const announced = await client.create({
      'upload-length': String(8 * MIB),
      'upload-metadata': announce(uploadId, bytes),
    })
    expect(announced.status).toBe(507)
    expect((await registrar.fetch('/healthz')).status).toBe(200)

    await rm(ballast)
    expect((await client.patch(path, offset, bytes.subarray(offset))).status).toBe(204)
    const [file] = await filesOf(uploadId)
    const hash = createHash('sha256')
    for await (const chunk of await storage.read(file!.storage_key)) hash.update(chunk)
    expect(hash.digest('hex')).toBe(sha256(bytes).toString('hex'))
    expect(await readdir(join(small, 'incoming'))).toEqual([])
  })
})
