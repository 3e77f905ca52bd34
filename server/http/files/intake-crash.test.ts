import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createIntegration } from '../../../test/integrations/send-documents.ts'
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
