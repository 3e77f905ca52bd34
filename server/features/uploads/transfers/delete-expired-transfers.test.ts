import { randomBytes } from 'node:crypto'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { makeEmptyUpload } from '../../../../db/factories.ts'
import { createTestServer } from '../../../../test/test-server.ts'
import { tusRequests } from '../../../../test/tus.ts'
import { createUser } from '../../../../test/users.ts'
import { createSystemContext } from '../../../context.ts'
import { deleteExpiredTransfers } from './delete-expired-transfers.ts'
import { tryLockTransfer } from './transfer-lock.ts'

const HOUR_MS = 3_600_000

async function setUp() {
  const server = await createTestServer()
  const { id, email } = await createUser(server.db, { email: 'registratura@dosar.test' })
  const client = await server.signIn(email)
  const tus = tusRequests(client.fetch)
  const { id: uploadId } = await makeEmptyUpload(server.db, { created_by: id })
  const dir = join(server.services.config.dataDir, 'incoming')
  const deleteExpired = (hours: number) => {
    const ctx = createSystemContext(server.services)
    return deleteExpiredTransfers({ ...ctx, now: new Date(Date.now() + hours * HOUR_MS) })
  }
  return { server, client, tus, uploadId, dir, deleteExpired }
}

it('transfers without activity for a day are deleted once, finished files never (T1, R05)', async () => {
  const { server, tus, uploadId, dir, deleteExpired } = await setUp()
  const bytes = randomBytes(1000)
  const finished = await tus.begin(uploadId, bytes)
  await tus.patch(finished, 0, bytes)
  const half = await tus.begin(uploadId, bytes)
  await tus.patch(half, 0, bytes.subarray(0, 500))

  expect(await deleteExpired(23)).toEqual({ expired: 0, orphaned: 0 })
  expect(await tus.offset(half)).toBe(500)

  expect(await deleteExpired(25)).toEqual({ expired: 1, orphaned: 0 })
  expect(await deleteExpired(25)).toEqual({ expired: 0, orphaned: 0 })
  expect(await deleteExpired(25 * 30)).toEqual({ expired: 0, orphaned: 0 })
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

it('old bytes without a transfer are deleted, and no other files of the folder', async () => {
  const { tus, uploadId, dir, deleteExpired } = await setUp()
  const bytes = randomBytes(1000)
  const half = await tus.begin(uploadId, bytes)
  await tus.patch(half, 0, bytes.subarray(0, 500))
  const orphan = 'f'.repeat(32)
  await writeFile(join(dir, orphan), 'x')
  await writeFile(join(dir, 'README'), 'x')
  for (const name of [orphan, 'README', half.slice(7)]) {
    await utimes(join(dir, name), new Date(), new Date(Date.now() - HOUR_MS / 2))
  }
  expect(await deleteExpired(0)).toEqual({ expired: 0, orphaned: 0 })
  expect(await deleteExpired(1)).toEqual({ expired: 0, orphaned: 1 })
  expect((await readdir(dir)).sort()).toEqual([half.slice(7), 'README'].sort())
  expect(await tus.offset(half)).toBe(500)
})

it('a transfer that is being received is not deleted', async () => {
  const { server, tus, uploadId, deleteExpired } = await setUp()
  const bytes = randomBytes(1000)
  const path = await tus.begin(uploadId, bytes)
  const lock = await tryLockTransfer(server.services.locks, path.slice(7))
  expect(await deleteExpired(25)).toEqual({ expired: 0, orphaned: 0 })
  await lock!.release()
  expect((await tus.patch(path, 0, bytes)).status).toBe(204)
})
