import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeUser } from '../../../db/factories.ts'
import { INTAKE_FILES_PATH } from '../../../shared/integrations.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { createIntegration } from '../../../test/integrations/send-documents.ts'
import { beginPatch, listen, type RealServer } from '../../../test/real-http.ts'
import { sha256 } from '../../../test/sha256.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { tusRequests } from '../../../test/tus.ts'
import { createSystemContext } from '../../context.ts'
import { upsertSettings } from '../../features/site/site.db.ts'
import { deleteExpiredTransfers } from '../../features/uploads/transfers/delete-expired-transfers.ts'
import { tryLockTransfer } from '../../features/uploads/transfers/transfer-lock.ts'

const MIB = 1024 * 1024
const HOUR_MS = 3_600_000

let server: TestServer
let real: RealServer
let lis: Awaited<ReturnType<typeof createIntegration>>

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  await upsertSettings(server.db, { upload_file_mib: 4 })
  real = await listen(server.app)
  afterAll(() => real.close())
  lis = await createIntegration(server)
})

const text = (size = 2_000) => Buffer.from(randomBytes(size).toString('base64'))
const incomingNames = () => readdir(join(server.services.config.dataDir, 'incoming'))
const incomingSize = (path: string): Promise<number> =>
  stat(join(server.services.config.dataDir, 'incoming', path.split('/').at(-1)!)).then(
    ({ size }) => size,
    () => 0,
  )
const countFiles = async () => {
  const { count } = await server.db
    .selectFrom('file')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
async function storedBytes(fileId: string): Promise<Buffer> {
  const { storage_key } = await server.db
    .selectFrom('file')
    .select('storage_key')
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow()
  return Buffer.concat(await (await server.services.storage.read(storage_key)).toArray())
}
const revoke = (id: string) =>
  server.db.updateTable('integration').set({ revoked_at: new Date() }).where('id', '=', id).execute()
const codeOf = async (response: Response) => [response.status, (await response.json()).code]

/** Sends a whole document, and returns its address and its answer. */
async function sendWhole(key: string, file: Buffer, facts?: object, sender = lis) {
  const tus = sender.resumable(key)
  const path = await tus.begin(file)
  expect((await tus.patch(path, 0, file)).status).toBe(204)
  return { tus, path, answer: await tus.finish(path, facts) }
}

describe('a large document of an integration', () => {
  it('is sent by a client of the protocol, then filed with its facts, like one of a single request', async () => {
    const file = text(2 * MIB)
    const headers = lis.headers('RM 1/2026')
    const path = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(file, {
        endpoint: `${real.url}${INTAKE_FILES_PATH}`,
        headers,
        chunkSize: MIB,
        metadata: { filename: 'Ștefan „Ana”.txt', sha256: sha256(file).toString('hex') },
        onSuccess: () => resolve(new URL(upload.url!).pathname),
        onError: reject,
      })
      upload.start()
    })
    expect(await countFiles()).toBe(0)
    const answer = await lis.resumable('RM 1/2026').finish(path, { title: 'RM genunchi' })
    expect(answer).toMatchObject({
      status: 201,
      body: { sha256: sha256(file).toString('hex'), size: file.length, status: 'received' },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const stored = await server.db
      .selectFrom('file')
      .innerJoin('upload', 'upload.id', 'file.upload_id')
      .select(['file.name', 'upload.title', 'upload.created_by', 'upload.integration_id'])
      .where('file.id', '=', answer.body.file)
      .executeTakeFirstOrThrow()
    expect(stored).toEqual({
      name: 'Ștefan „Ana”.txt',
      title: 'RM genunchi',
      created_by: null,
      integration_id: lis.id,
    })
    expect((await storedBytes(answer.body.file)).equals(file)).toBe(true)
    expect(await incomingNames()).toEqual([])
  })

  it('continues where the connection was cut, also for a program that has forgotten its address', async () => {
    const file = text(2 * MIB)
    const tus = lis.resumable('taiat', real.url)
    const path = await tus.begin(file)
    const { socket } = await beginPatch(`${real.url}${path}`, lis.headers('taiat'), {
      offset: 0,
      length: file.length,
      sent: file.subarray(0, 1_500_000),
    })
    await expect.poll(() => incomingSize(path)).toBeGreaterThan(0)
    socket.resetAndDestroy()
    expect(await tus.begin(file)).toBe(path)
    const offset = await tus.offset(path)
    expect(offset).toBeGreaterThanOrEqual(MIB)
    expect(await codeOf(await tus.patch(path, 0, file))).toEqual([409, 'CONFLICT'])
    expect(await tus.finish(path)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect((await tus.patch(path, offset, file.subarray(offset))).status).toBe(204)
    const { status, body } = await tus.finish(path)
    expect(status).toBe(201)
    expect((await storedBytes(body.file)).equals(file)).toBe(true)
  })

  it('gets its first answer however often any of its requests is repeated, and is there once', async () => {
    const file = text(300_000)
    const facts = { accessionNumber: 'A1' }
    const { tus, path, answer } = await sendWhole('de-doua-ori', file, facts)
    expect(answer.status).toBe(201)
    const files = await countFiles()
    expect(await tus.finish(path, facts)).toMatchObject({ status: 200, body: answer.body })
    expect(await tus.begin(file)).toBe(path)
    expect(await tus.offset(path)).toBe(file.length)
    expect(await codeOf(await tus.patch(path, file.length, Buffer.alloc(0)))).toEqual([403, 'FORBIDDEN'])
    expect(await tus.finish(path, facts)).toMatchObject({ status: 200, body: answer.body })
    expect(await lis.send({ key: 'de-doua-ori', file, facts })).toMatchObject({
      status: 200,
      body: answer.body,
    })
    // The row of the transfer may be gone, the answer is not.
    await server.db.deleteFrom('transfer').where('id', '=', path.split('/').at(-1)!).execute()
    expect(await tus.finish(path, facts)).toMatchObject({ status: 200, body: answer.body })
    expect(await tus.begin(file)).toBe(path)
    expect(await tus.offset(path)).toBe(file.length)
    expect(await countFiles()).toBe(files)
    expect(await incomingNames()).toEqual([])
  })

  it('that was received in one request is not sent again', async () => {
    const file = text()
    const tus = lis.resumable('intai-intreg')
    const path = await tus.begin(file)
    await tus.patch(path, 0, file.subarray(0, 100))
    const { body } = await lis.send({ key: 'intai-intreg', file })
    expect(await tus.begin(file)).toBe(path)
    expect(await tus.offset(path)).toBe(file.length)
    expect(await incomingNames()).toEqual([])
    expect(await tus.finish(path)).toMatchObject({ status: 200, body })
    expect(await codeOf(await tus.create(text()))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })

  it('is a conflict with another length, other bytes or other facts under the same key', async () => {
    const file = text()
    const tus = lis.resumable('altul')
    const path = await tus.begin(file)
    await tus.patch(path, 0, file.subarray(0, 100))
    for (const other of [await tus.create(file, 'a.txt', file.length + 1), await tus.create(text())])
      expect(await codeOf(other)).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(await tus.offset(path)).toBe(100)
    await tus.patch(path, 100, file.subarray(100))
    expect((await tus.finish(path, { title: 'unu' })).status).toBe(201)
    expect(await tus.finish(path, { title: 'doi' })).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_CONFLICT' },
    })
    for (const other of [await tus.create(file, 'a.txt', file.length + 1), await tus.create(text())])
      expect(await codeOf(other)).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })

  it('is filed once when it is finished several times at once', async () => {
    const file = text(500_000)
    const tus = lis.resumable('deodata', real.url)
    const path = await tus.begin(file)
    await tus.patch(path, 0, file)
    const files = await countFiles()
    const answers = await Promise.all(Array.from({ length: 4 }, () => tus.finish(path)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const { status, body } of answers)
      if (status === 409) expect(body.code).toBe('IN_PROGRESS')
      else expect([200, 201]).toContain(status)
    expect(await countFiles()).toBe(files + 1)
  })

  it('takes the bytes of one request at a time', async () => {
    const file = text()
    const tus = lis.resumable('doua-deodata')
    const path = await tus.begin(file)
    await tus.patch(path, 0, file.subarray(0, 100))
    const lock = await tryLockTransfer(server.services.locks, path.split('/').at(-1)!)
    expect(await codeOf(await tus.patch(path, 100, file.subarray(100)))).toEqual([423, 'CONFLICT'])
    expect(await tus.finish(path)).toMatchObject({ status: 409, body: { code: 'IN_PROGRESS' } })
    await lock!.release()
    expect((await tus.patch(path, 100, file.subarray(100))).status).toBe(204)
    expect((await tus.finish(path)).status).toBe(201)
  })

  it('keeps its bytes while its facts are refused, and loses them when their type is', async () => {
    const file = text()
    const { tus, path, answer } = await sendWhole('fapte', file, { cpn: '1' })
    expect(answer).toMatchObject({ status: 400, body: { fields: [{ field: 'cpn' }] } })
    for (const facts of [{ doctor: 5 }, { category: 'nu-exista' }])
      expect((await tus.finish(path, facts)).status).toBe(422)
    expect((await tus.finish(path, { title: 'bun' })).status).toBe(201)

    const files = await countFiles()
    const binary = lis.resumable('binar')
    const other = randomBytes(2_000)
    const at = await binary.begin(other, 'date.bin')
    await binary.patch(at, 0, other)
    expect((await binary.finish(at)).status).toBe(415)
    expect((await binary.head(at)).status).toBe(404)
    expect(await incomingNames()).toEqual([])
    expect(await countFiles()).toBe(files)
  })

  it('with other bytes than announced is sent anew', async () => {
    const file = text()
    const tus = lis.resumable('suma')
    const path = await tus.begin(file)
    await tus.patch(path, 0, text().subarray(0, file.length))
    expect((await tus.finish(path)).status).toBe(460)
    expect(await incomingNames()).toEqual([])
    expect((await tus.finish(path)).status).toBe(404)
    expect(await tus.begin(file)).toBe(path)
    expect(await tus.offset(path)).toBe(0)
    await tus.patch(path, 0, file)
    expect((await tus.finish(path)).status).toBe(201)
  })

  it('can be given up', async () => {
    const file = text()
    const tus = lis.resumable('renuntat')
    const path = await tus.begin(file)
    await tus.patch(path, 0, file.subarray(0, 100))
    expect((await tus.terminate(path)).status).toBe(204)
    expect((await tus.head(path)).status).toBe(404)
    expect(await incomingNames()).toEqual([])
    const other = text(50)
    expect(await tus.begin(other)).toBe(path)
    expect(await tus.offset(path)).toBe(0)
  })

  it('is deleted when it is not finished in time, unless it is being received', async () => {
    const file = text()
    const tus = lis.resumable('uitat')
    const path = await tus.begin(file)
    await tus.patch(path, 0, file.subarray(0, 100))
    const sweep = (hours: number) => {
      const ctx = createSystemContext(server.services)
      return deleteExpiredTransfers({ ...ctx, now: new Date(Date.now() + hours * HOUR_MS) })
    }
    const before = await incomingNames()
    expect(before).toHaveLength(1)
    expect(await sweep(23)).toEqual({ expired: 0, orphaned: 0 })
    const lock = await tryLockTransfer(server.services.locks, path.split('/').at(-1)!)
    await sweep(25)
    expect(await incomingNames()).toEqual(before)
    await lock!.release()
    expect((await sweep(25)).expired).toBeGreaterThan(0)
    expect(await incomingNames()).toEqual([])
    expect((await tus.head(path)).status).toBe(404)
    expect(await tus.begin(file)).toBe(path)
    expect(await tus.offset(path)).toBe(0)
  })
})

describe('a transfer of an integration', () => {
  it('does not exist for another integration, nor with another key, and not at all for a session', async () => {
    const file = text()
    const { path } = await sendWhole('al-meu', file, { cpn: '1' })
    const other = (await createIntegration(server)).resumable('al-meu')
    for (const response of [
      await other.head(path),
      await other.patch(path, file.length, Buffer.from('x')),
      await other.terminate(path),
    ])
      expect(response.status).toBe(404)
    expect((await other.finish(path)).status).toBe(404)
    expect(await other.begin(file)).not.toBe(path)
    expect((await lis.resumable('alta-cheie').finish(path)).status).toBe(404)
    for (const id of ['f'.repeat(32), 'x', '..'])
      expect((await lis.resumable('al-meu').head(`${INTAKE_FILES_PATH}/${id}`)).status).toBe(404)

    const admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
    const session = tusRequests(admin.fetch)
    expect((await session.head(path)).status).toBe(401)
    // As a transfer of a user it does not exist either, and one of a user does not exist here.
    expect((await session.head(path.replace(INTAKE_FILES_PATH, '/files'))).status).toBe(404)
    expect((await session.terminate(path.replace(INTAKE_FILES_PATH, '/files'))).status).toBe(404)
    expect((await lis.resumable('al-meu').finish(path)).status).toBe(201)
  })

  it('ends with the key of the integration, also while bytes arrive', async () => {
    const sender = await createIntegration(server)
    const file = text(2 * MIB)
    const tus = sender.resumable('revocat', real.url)
    const path = await tus.begin(file)
    const sending = await beginPatch(`${real.url}${path}`, sender.headers('revocat'), {
      offset: 0,
      length: file.length,
      sent: file.subarray(0, MIB),
    })
    await expect.poll(() => incomingSize(path)).toBe(MIB)
    await revoke(sender.id)
    expect(await sending.status).toBe(401)
    sending.socket.destroy()
    for (const response of [await tus.create(file), await tus.head(path), await tus.patch(path, MIB, file)])
      expect(response.status).toBe(401)
    expect((await tus.finish(path)).status).toBe(401)
  })

  it('is begun from an allowed address alone', async () => {
    const elsewhere = await createIntegration(server, { addresses: ['10.0.0.0/8'] })
    expect(await codeOf(await elsewhere.resumable('a', real.url).create(text()))).toEqual([403, 'FORBIDDEN'])
  })

  it('is refused if it is too large, or has a name of a program, no length, no hash or no key', async () => {
    const tus = lis.resumable('mare')
    const { count } = await server.db
      .selectFrom('transfer')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const refused = async (response: Response) => {
      const { code, fields = [] } = await response.json()
      return [response.status, code, ...fields.map(({ field }: { field: string }) => field)]
    }
    expect(await refused(await tus.create(text(), 'a.txt', 4 * MIB + 1))).toEqual([413, 'BAD_USER_INPUT'])
    expect(await refused(await tus.create(text(), 'a.txt', LIMITS.fileBytes + 1))).toEqual([
      413,
      'BAD_USER_INPUT',
    ])
    expect(await refused(await tus.create(text(), 'program.exe'))).toEqual([415, 'BAD_USER_INPUT'])
    const length = { 'upload-length': '5' }
    expect(await refused(await tus.send(INTAKE_FILES_PATH, 'POST', {}))).toContain('Upload-Length')
    expect(await refused(await tus.send(INTAKE_FILES_PATH, 'POST', length))).toContain('Upload-Metadata')
    const octets = { ...length, 'content-type': 'application/offset+octet-stream' }
    expect(await refused(await tus.send(INTAKE_FILES_PATH, 'POST', octets, '12345'))).toContain(
      'Content-Type',
    )
    expect(await refused(await lis.resumable('').create(text()))).toContain('Idempotency-Key')
    const after = await server.db
      .selectFrom('transfer')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(after.count).toBe(count)
  })

  it('is refused if the disk has no room, or too many are unfinished, and can be begun later', async () => {
    const sender = await createIntegration(server)
    const file = text(300_000)
    const free = LIMITS.reservedBytes + 2 * file.length + 1_000
    const begun = await server.db
      .selectFrom('transfer')
      .select(['size', 'received'])
      .where('state', '=', 'receiving')
      .execute()
    const expected = begun.reduce((sum, { size, received }) => sum + size - received, 0)
    const freed = vi.spyOn(server.services.storage, 'freeBytes').mockResolvedValue(free + expected)
    onTestFinished(() => freed.mockRestore())
    for (const key of ['1', '2']) await sender.resumable(key).begin(file)
    const third = sender.resumable('3')
    expect(await codeOf(await third.create(file))).toEqual([507, 'UNAVAILABLE'])
    // One that is begun already has its room.
    await sender.resumable('2').begin(file)
    const known = { 'content-length': String(file.length + 500) }
    expect(await sender.send({ key: 'intreg', file, headers: known })).toMatchObject({
      status: 507,
      body: { code: 'UNAVAILABLE' },
    })
    freed.mockRestore()
    await upsertSettings(server.db, { upload_unfinished_per_user: 2 })
    onTestFinished(() => upsertSettings(server.db, { upload_unfinished_per_user: 50 }))
    expect(await codeOf(await third.create(file))).toEqual([429, 'TOO_MANY'])
    await sendWhole('1', file, undefined, sender)
    await third.begin(file)
  })

  it('is described to everybody', async () => {
    const response = await server.app.request(INTAKE_FILES_PATH, { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(response.headers.get('tus-extension')).toBe('creation,termination')
    expect(response.headers.get('tus-max-size')).toBe(String(4 * MIB))
  })
})
