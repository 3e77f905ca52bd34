import { expect, it } from 'vitest'
import { makeUpload } from '../../../../db/factories.ts'
import { createTestServer } from '../../../../test/test-server.ts'
import { createSystemContext } from '../../../context.ts'
import { retryChecks } from './retry-checks.ts'

it('retryChecks finishes a check that a killed server lost, and leaves a recent one to its own job', async () => {
  const server = await createTestServer()
  const { db, services } = server
  const lost = await makeUpload(db, services.storage, {
    state: 'checking',
    state_since: new Date(Date.now() - 3_600_000),
  })
  const recent = await makeUpload(db, services.storage, { state: 'checking' })
  const stateOf = async ({ id }: { id: string }) =>
    (await db.selectFrom('upload').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

  await retryChecks(createSystemContext(services))
  await server.runJobs()
  expect(await stateOf(lost)).toBe('in_review')
  expect(await stateOf(recent)).toBe('checking')

  await retryChecks(createSystemContext(services), new Date(Date.now() + 1_000))
  await server.runJobs()
  expect(await stateOf(recent)).toBe('in_review')
})
