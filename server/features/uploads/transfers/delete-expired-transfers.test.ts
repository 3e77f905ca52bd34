import { randomBytes } from 'node:crypto'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { createTestServer } from '../../../../test/test-server.ts'
import { tusRequests } from '../../../../test/tus.ts'
import { createUpload } from '../../../../test/upload-fixtures.ts'
import { createUser } from '../../../../test/users.ts'
import { createSystemContext } from '../../../context.ts'
import { newId } from '../../../platform/ids.ts'
import { deleteExpiredTransfers } from './delete-expired-transfers.ts'
import { tryLockTransfer } from './transfer-lock.ts'

const HOUR = 3_600_000

async function setUp() {
  const server = await createTestServer()
  const { id, email } = await createUser(server.db, { email: 'registratura@dosar.test' })
  const client = await server.signIn(email)
  const tus = tusRequests(client.fetch)
  const uploadId = await createUpload(server.db, { createdBy: id })
  const dir = join(server.services.config.dataDir, 'incoming')
  const sweep = (hours: number) => {
    const _facts = { id: newId(), ip: null, userAgent: null, origin: 'job' as const }
    const ctx = createSystemContext(server.services)
    return deleteExpiredTransfers({ ...ctx, now: new Date(Date.now() + hours * HOUR) })
  }
  return { server, client, tus, uploadId, dir, sweep }
}

it('removes what nobody continued for a day and never a finished file, however often it runs (T1, R05)', async () => {
  const { server, tus, uploadId, dir, sweep } = await setUp()
  const bytes = randomBytes(1000)
  const finished = await tus.begin(uploadId, bytes)
  await tus.patch(finished, 0, bytes)
  const half = await tus.begin(uploadId, bytes)
  await tus.patch(half, 0, bytes.subarray(0, 500))

  expect(await sweep(23)).toEqual({ expired: 0, forgotten: 0 })
  expect(await tus.offset(half)).toBe(500)

  expect(await sweep(25)).toEqual({ expired: 1, forgotten: 0 })
  expect(await sweep(25)).toEqual({ expired: 0, forgotten: 0 })
  expect(await sweep(25 * 30)).toEqual({ expired: 0, forgotten: 0 })
  expect((await tus.head(half)).status).toBe(404)
  expect(await readdir(dir)).toEqual([])
  expect(await tus.offset(finished)).toBe(1000)
  const file = await server.db.selectFrom('file').selectAll().executeTakeFirstOrThrow()
  expect((await buffer(await server.services.storage.read(file.storage_key))).equals(bytes)).toBe(true)
  const rows = await server.db
    .selectFrom('audit_event')
    .selectAll()
    .where('action', '=', 'upload.sweep')
    .execute()
  expect(rows).toMatchObject([{ actor_name: 'Dosar', changes: { transfers: { to: 1 } } }])
})

it('removes bytes that belong to nothing, once they are old, and nothing else that lies there', async () => {
  const { tus, uploadId, dir, sweep } = await setUp()
  const bytes = randomBytes(1000)
  const half = await tus.begin(uploadId, bytes)
  await tus.patch(half, 0, bytes.subarray(0, 500))
  const torn = 'f'.repeat(32)
  await writeFile(join(dir, torn), 'x')
  await writeFile(join(dir, 'README'), 'x')
  for (const name of [torn, 'README', half.slice(7)]) {
    await utimes(join(dir, name), new Date(), new Date(Date.now() - HOUR / 2))
  }
  expect(await sweep(0)).toEqual({ expired: 0, forgotten: 0 })
  expect(await sweep(1)).toEqual({ expired: 0, forgotten: 1 })
  expect((await readdir(dir)).sort()).toEqual([half.slice(7), 'README'].sort())
  expect(await tus.offset(half)).toBe(500)
})

it('leaves alone what is being received', async () => {
  const { server, tus, uploadId, sweep } = await setUp()
  const bytes = randomBytes(1000)
  const path = await tus.begin(uploadId, bytes)
  const lock = await tryLockTransfer(server.services.locks, path.slice(7))
  expect(await sweep(25)).toEqual({ expired: 0, forgotten: 0 })
  await lock!.release()
  expect((await tus.patch(path, 0, bytes)).status).toBe(204)
})
