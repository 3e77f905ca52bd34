import { expect, it } from 'vitest'
import { makeUpload } from '../../../../db/factories.ts'
import { createTestServer } from '../../../../test/test-server.ts'
import { createSystemContext } from '../../../context.ts'
import { retryChecks } from './retry-checks.ts'

it('finishes a check that a killed server took with it, and leaves a fresh one to its own job', async () => {
  const server = await createTestServer()
  const { db, services: parts } = server
  const lost = await makeUpload(db, parts.storage, {
    state: 'checking',
    state_since: new Date(Date.now() - 3_600_000),
  })
  const fresh = await makeUpload(db, parts.storage, { state: 'checking' })
  const _facts = { id: 'test', ip: null, userAgent: null, origin: 'job' as const }
  const stateOf = async ({ id }: { id: string }) =>
    (await db.selectFrom('upload').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

  await retryChecks(createSystemContext(parts))
  await server.runJobs()
  expect(await stateOf(lost)).toBe('in_review')
  expect(await stateOf(fresh)).toBe('checking')

  await retryChecks(createSystemContext(parts), new Date(Date.now() + 1_000))
  await server.runJobs()
  expect(await stateOf(fresh)).toBe('in_review')
})
