import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeEmptyUpload } from '../../../db/factories.ts'
import { createTestClient } from '../../../test/client.ts'
import { beginPatch } from '../../../test/real-http.ts'
import { startServerProcess } from '../../../test/server-process.ts'
import { sha256 } from '../../../test/sha256.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { tusRequests } from '../../../test/tus.ts'
import { createUser } from '../../../test/users.ts'
import { createSystemContext } from '../../context.ts'
import { deleteExpiredTransfers } from '../../features/uploads/transfers/delete-expired-transfers.ts'
import { newId } from '../../platform/ids.ts'

const MIB = 1024 * 1024

let server: TestServer
let registrar: TestClient & { id: string }

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { id, email } = await createUser(server.db, { email: 'registratura@dosar.test' })
  registrar = { ...(await server.signIn(email)), id }
})

const newUpload = async () => (await makeEmptyUpload(server.db, { created_by: registrar.id })).id
const incomingNames = () => readdir(join(server.services.config.dataDir, 'incoming'))

/** Asserts one file row, one audit row, and the sent bytes in the storage. */
async function expectOneFile(uploadId: string, bytes: Uint8Array): Promise<void> {
  const files = await server.db.selectFrom('file').selectAll().where('upload_id', '=', uploadId).execute()
  expect(files).toHaveLength(1)
  const hash = createHash('sha256')
  for await (const chunk of await server.services.storage.read(files[0]!.storage_key)) hash.update(chunk)
  expect(hash.digest('hex')).toBe(sha256(bytes).toString('hex'))
  const rows = await server.db
    .selectFrom('audit_event')
    .selectAll()
    .where('subject_id', '=', files[0]!.id)
    .execute()
  expect(rows).toMatchObject([{ action: 'file.receive', outcome: 'ok' }])
}

async function sweepLater(hours: number) {
  const _facts = { id: newId(), ip: null, userAgent: null, origin: 'job' as const }
  const ctx = createSystemContext(server.services)
  return deleteExpiredTransfers({ ...ctx, now: new Date(Date.now() + hours * 3_600_000) })
}

describe('a server that dies', () => {
  it('resumes from at least the bytes that it acknowledged, and ends with equal bytes (R01)', async () => {
    const seed = randomBytes(4).readUInt32BE()
    const uploadId = await newUpload()
    const bytes = randomBytes(24 * MIB)
    let running = await startServerProcess(server)
    let tus = tusRequests(createTestClient(running.url, registrar).fetch)
    const path = await tus.begin(uploadId, bytes)
    let acknowledged = 0
    let sent = 0
    for (let round = 0; round < 5; round += 1) {
      const killAfter = createHash('sha256').update(`${seed} ${round}`).digest().readUInt32BE() % (4 * MIB)
      const whole = await tus.patch(path, acknowledged, bytes.subarray(acknowledged, acknowledged + MIB))
      expect([seed, round, whole.status]).toEqual([seed, round, 204])
      acknowledged += MIB
      const cut = acknowledged + killAfter
      sent = Math.max(sent, cut)
      const length = bytes.length - acknowledged
      await beginPatch(`${running.url}${path}`, registrar.cookie, {
        offset: acknowledged,
        length,
        sent: bytes.subarray(acknowledged, cut),
      })
      await running.kill()
      running = await startServerProcess(server)
      tus = tusRequests(createTestClient(running.url, registrar).fetch)
      const offset = await tus.offset(path)
      expect(offset, `seed ${seed}, round ${round}`).toBeGreaterThanOrEqual(acknowledged)
      expect(offset, `seed ${seed}, round ${round}`).toBeLessThanOrEqual(sent)
      acknowledged = offset
    }
    expect((await tus.patch(path, acknowledged, bytes.subarray(acknowledged))).status).toBe(204)
    await expectOneFile(uploadId, bytes)
    expect(await incomingNames()).toEqual([])
  }, 120_000)

  it.each(['file synced', 'linked', 'link synced', 'committing', 'committed'])(
    'between the last byte and the response, at "%s", has the file or resumes it (R02)',
    async (moment) => {
      const uploadId = await newUpload()
      const bytes = randomBytes(2 * MIB + 17)
      const first = await startServerProcess(server, moment)
      const before = tusRequests(createTestClient(first.url, registrar).fetch)
      const path = await before.begin(uploadId, bytes)
      await expect(before.patch(path, 0, bytes)).rejects.toThrow()
      await first.ended

      const second = await startServerProcess(server)
      const after = tusRequests(createTestClient(second.url, registrar).fetch)
      // A client that gets the last acknowledgement sends no further request, so the file must be stored by
      // then.
      const offset = await after.offset(path)
      expect(offset).toBe(bytes.length)
      await expectOneFile(uploadId, bytes)
      expect(await after.offset(path)).toBe(bytes.length)

      await sweepLater(2)
      expect(await incomingNames()).toEqual([])
      await expectOneFile(uploadId, bytes)
    },
    60_000,
  )
})

it('responds to the last byte only after the file, its folder and its row are durable, in that order (T4, R06)', async () => {
  const running = await startServerProcess(server)
  const tus = tusRequests(createTestClient(running.url, registrar).fetch)
  const bytes = randomBytes(MIB)
  const path = await tus.begin(await newUpload(), bytes)

  running.events.length = 0
  expect((await tus.patch(path, 0, bytes.subarray(0, 1000))).status).toBe(204)
  expect(running.events).toEqual(['file synced', 'folder synced', 'answered 204'])

  running.events.length = 0
  expect((await tus.patch(path, 1000, bytes.subarray(1000))).status).toBe(204)
  expect(running.events.slice(-6)).toEqual([
    'file synced',
    'linked',
    'link synced',
    'committing',
    'committed',
    'answered 204',
  ])
})
