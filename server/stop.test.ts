import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makeUpload } from '../db/factories.ts'
import { PATIENCE_MS, startMain } from '../test/processes/main-process.ts'
import { createTestServer } from '../test/test-server.ts'

/** So many that a stop finds their job running. */
const FILES = 16

it(
  'a stop while files are checked and drawn is no failure, and the next start goes on',
  async () => {
    const server = await createTestServer()
    const { db, services } = server
    const { files } = await makeUpload(db, services.storage)
    const bytes = await buffer(await services.storage.read(files[0]!.storage_key))
    const { id } = await makeUpload(db, services.storage, {
      state: 'checking',
      files: Array.from({ length: FILES }, () => ({ bytes, scan_result: 'pending' as const })),
    })
    const stateOf = async (name: string) => {
      const { rows } = await sql<{ state: string }>`
        select state::text from pgboss.job where name = ${name} order by created_on desc limit 1`.execute(db)
      return rows[0]?.state
    }

    // The first start finds the check that waits, and the check adds the other job.
    for (const name of ['check-upload', 'draw-thumbnails']) {
      const product = await startMain(server)
      await expect.poll(() => stateOf(name), { timeout: PATIENCE_MS }).toBe('active')
      await product.stop()
      expect(product.printed()).toContain('job interrupted by the stop')
      expect(product.printed()).not.toMatch(/"level":"(warn|error)"/)
      expect(await stateOf(name)).toBe('retry')
    }
    const product = await startMain(server)
    await expect.poll(() => stateOf('draw-thumbnails'), { timeout: PATIENCE_MS }).toBe('completed')
    await product.stop()
    const upload = await db
      .selectFrom('upload')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(upload.state).toBe('in_review')
    const { drawn } = await db
      .selectFrom('file')
      .select((eb) => eb.fn.count<number>('thumbnail').as('drawn'))
      .where('upload_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(drawn).toBe(FILES)
  },
  4 * PATIENCE_MS,
)
