import { randomBytes } from 'node:crypto'
import { beforeEach, expect, it, vi } from 'vitest'
import { makeUpload, makeUser } from '../../../db/factories.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createSystemContext } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { deleteUnusedFiles } from './delete-unused-files.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let server: TestServer

beforeEach(async () => {
  server = await createTestServer()
})

/** Runs the job once in each of these days from now. */
async function runNightly(days: readonly number[]) {
  const ctx = createSystemContext(server.services)
  for (const day of days) await deleteUnusedFiles({ ...ctx, now: new Date(Date.now() + day * DAY_MS) })
}
const nights = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Stores bytes under a key that begins like another one. */
async function storeBeside(other: string): Promise<string> {
  for (;;) {
    const { key } = await server.services.storage.put(randomBytes(10))
    if (key[0] === other[0]) return key
    await server.services.storage.remove(key)
  }
}
const isStored = async (key: string) => (await server.services.storage.storedAt(key)) !== null
const readKeys = async () =>
  (await server.db.selectFrom('file').select('storage_key').execute()).map(({ storage_key }) => storage_key)

it('bytes without a row are deleted after a week, and no others', async () => {
  await makeUpload(server.db, server.services.storage, {})
  const [used] = await readKeys()
  const unused = await storeBeside(used!)
  const importKey = (await server.services.storage.put(randomBytes(10))).key
  const author = await makeUser(server.db, {})
  const row = { id: newId(), created_by: author.id, file_name: 'a.csv', state: 'read' as const }
  await server.db
    .insertInto('patient_import')
    .values({ ...row, storage_key: importKey })
    .execute()

  await runNightly(nights(0, 6))
  expect(await isStored(unused)).toBe(true)
  await runNightly(nights(8, 23))
  expect(await isStored(unused)).toBe(false)
  expect(await Promise.all([used!, importKey].map(isStored))).toEqual([true, true])
  const recorded = await server.db
    .selectFrom('audit_event')
    .select(['actor_name', 'changes'])
    .where('action', '=', 'upload.sweep')
    .execute()
  expect(recorded).toEqual([{ actor_name: 'Dosar', changes: { files: { to: 1 } } }])
})

it('bytes that a server was killed with before it deleted them are deleted too', async () => {
  await makeUpload(server.db, server.services.storage, {})
  const [used] = await readKeys()
  const purged = await storeBeside(used!)
  await makeUpload(server.db, server.services.storage, {})
  const [, other] = await readKeys()
  await server.db
    .updateTable('file')
    .set({ storage_key: purged, removed_at: new Date(), purged_at: new Date() })
    .where('storage_key', '=', other!)
    .execute()
  // Bytes that begin with the same digit would be one file too many to delete.
  await server.services.storage.remove(other!)
  await runNightly(nights(8, 23))
  expect(await Promise.all([used!, purged].map(isStored))).toEqual([true, false])
})

it('nothing is deleted with the database of other files', async () => {
  const keys = await Promise.all(
    Array.from({ length: 40 }, async () => (await server.services.storage.put(randomBytes(10))).key),
  )
  const error = vi.spyOn(server.services.log, 'error').mockReturnValue()
  await runNightly(nights(8, 23))
  expect((await Promise.all(keys.map(isStored))).every(Boolean)).toBe(true)
  expect(error).toHaveBeenCalledWith('storage: too many files without a row, none is deleted', {
    files: expect.any(Number),
    used: 0,
  })
})
