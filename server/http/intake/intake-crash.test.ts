import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createIntegration } from '../../../test/integrations/send-documents.ts'
import { beginPatch } from '../../../test/real-http.ts'
import { startServerProcess } from '../../../test/server-process.ts'
import { sha256 } from '../../../test/sha256.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createSystemContext } from '../../context.ts'
import { deleteExpiredTransfers } from '../../features/uploads/transfers/delete-expired-transfers.ts'

let server: TestServer
let lis: Awaited<ReturnType<typeof createIntegration>>

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  lis = await createIntegration(server)
})

it.each(['file synced', 'link synced', 'committing', 'committed'])(
  'a document whose server dies at "%s" is there once after it was sent again with the same key',
  async (moment) => {
    const file = randomBytes(1024 * 1024 + 17)
    const document = { key: moment, file, name: 'a.pdf', facts: { accessionNumber: moment } }
    document.file.write('%PDF-1.7\n')
    const running = await startServerProcess(server, moment)
    await expect(lis.send(document, running.url)).rejects.toThrow()
    await running.ended

    // PostgreSQL may have not seen yet that the connection with the lock is gone.
    await expect.poll(async () => (await lis.send(document)).status).toBe(200)
    const answer = await lis.send(document)
    const uploads = await server.db
      .selectFrom('upload')
      .innerJoin('file', 'file.upload_id', 'upload.id')
      .select(['upload.id', 'file.id as file', 'file.storage_key'])
      .where('upload.batch_key', '=', moment)
      .execute()
    expect(uploads).toMatchObject([{ id: answer.body.upload, file: answer.body.file }])
    const hash = createHash('sha256')
    for await (const chunk of await server.services.storage.read(uploads[0]!.storage_key)) hash.update(chunk)
    expect(hash.digest('hex')).toBe(sha256(file).toString('hex'))
    expect(answer.body.sha256).toBe(sha256(file).toString('hex'))

    const ctx = createSystemContext(server.services)
    await deleteExpiredTransfers({ ...ctx, now: new Date(Date.now() + 2 * 3_600_000) })
    expect(await readdir(join(server.services.config.dataDir, 'incoming'))).toEqual([])
  },
  60_000,
)

/** Sends what is missing of a document and files it, as a program that has forgotten all of it. */
async function sendResumably(tus: ReturnType<typeof lis.resumable>, file: Buffer, facts: object) {
  const path = await tus.begin(file, 'a.pdf')
  const offset = await tus.offset(path)
  if (offset < file.length) await tus.patch(path, offset, file.subarray(offset))
  return tus.finish(path, facts)
}

it.each([
  'answered 201',
  'answered 200',
  'file synced',
  'answered 204',
  'linked',
  'link synced',
  'committing',
  'committed',
])(
  'a large document whose server dies at "%s" is there once after each of its requests was repeated',
  async (moment) => {
    const file = randomBytes(1024 * 1024 + 17)
    file.write('%PDF-1.7\n')
    const key = `mare ${moment}`
    const facts = { accessionNumber: moment }
    const running = await startServerProcess(server, moment)
    await expect(sendResumably(lis.resumable(key, running.url), file, facts)).rejects.toThrow()
    await running.ended

    // PostgreSQL may have not seen yet that the connection with the lock is gone.
    const repeat = () => sendResumably(lis.resumable(key), file, facts).catch(() => null)
    await expect.poll(async () => (await repeat())?.status).toBe(200)
    const { body } = (await repeat())!
    const files = await server.db
      .selectFrom('upload')
      .innerJoin('file', 'file.upload_id', 'upload.id')
      .select(['upload.id', 'file.id as file', 'file.storage_key'])
      .where('upload.batch_key', '=', key)
      .execute()
    expect(files).toMatchObject([{ id: body.upload, file: body.file }])
    const hash = createHash('sha256')
    for await (const chunk of await server.services.storage.read(files[0]!.storage_key)) hash.update(chunk)
    expect(hash.digest('hex')).toBe(sha256(file).toString('hex'))
    expect(body.sha256).toBe(sha256(file).toString('hex'))

    const ctx = createSystemContext(server.services)
    await deleteExpiredTransfers({ ...ctx, now: new Date(Date.now() + 2 * 3_600_000) })
    expect(await readdir(join(server.services.config.dataDir, 'incoming'))).toEqual([])
  },
  60_000,
)

it('a large document whose server dies while bytes arrive continues with all that were acknowledged', async () => {
  const file = randomBytes(3 * 1024 * 1024)
  file.write('%PDF-1.7\n')
  const running = await startServerProcess(server)
  const tus = lis.resumable('mijloc', running.url)
  const path = await tus.begin(file, 'a.pdf')
  expect((await tus.patch(path, 0, file.subarray(0, 1024 * 1024))).status).toBe(204)
  await beginPatch(`${running.url}${path}`, lis.headers('mijloc'), {
    offset: 1024 * 1024,
    length: 2 * 1024 * 1024,
    sent: file.subarray(1024 * 1024, 2_500_000),
  })
  await running.kill()

  const after = lis.resumable('mijloc')
  await expect.poll(async () => (await after.head(path)).status).toBe(200)
  const offset = await after.offset(path)
  expect(offset).toBeGreaterThanOrEqual(1024 * 1024)
  expect(offset).toBeLessThanOrEqual(2_500_000)
  expect((await after.patch(path, offset, file.subarray(offset))).status).toBe(204)
  const { status, body } = await after.finish(path)
  expect([status, body.sha256]).toEqual([201, sha256(file).toString('hex')])
})

it('is answered only after the file, its folder and its rows are durable, in that order', async () => {
  const running = await startServerProcess(server)
  const { status } = await lis.send({ key: 'ordine', file: Buffer.from('rezultat') }, running.url)
  expect(status).toBe(201)
  expect(running.events.slice(-7)).toEqual([
    'file synced',
    'folder synced',
    'linked',
    'link synced',
    'committing',
    'committed',
    'answered 201',
  ])
})
