import { expect, it } from 'vitest'
import { makeUpload, makeUser } from '../../../../db/factories.ts'
import { LIMITS } from '../../../../shared/limits.ts'
import { createTestServer } from '../../../../test/test-server.ts'

const COUNTS = '{ queueCounts { state count } }'
const PLACE = 'query ($id: ID!) { reviewPlace(uploadId: $id) { place count } }'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

async function openQueue() {
  const server = await createTestServer()
  const features = ['admin::review-files', 'patient::files'] as const
  const reviewer = await server.signIn((await makeUser(server.db, { features: [...features] })).email)
  const file = (state: 'in_review' | 'rejected' | 'released', minutes = 1) =>
    makeUpload(server.db, server.services.storage, { state, state_since: minutesAgo(minutes), files: [] })
  return { server, reviewer, file }
}

it('counts the uploads in each state that waits for somebody, without those in the bin', async () => {
  const { server, reviewer, file } = await openQueue()
  await file('in_review')
  await file('in_review')
  await file('rejected')
  await file('released')
  const binned = await file('rejected')
  await server.db.updateTable('upload').set({ deleted_at: new Date() }).where('id', '=', binned.id).execute()
  const { queueCounts } = (await reviewer.graphql(COUNTS)).data
  expect(
    Object.fromEntries(queueCounts.map((row: { state: string; count: number }) => [row.state, row.count])),
  ).toEqual({
    in_review: 2,
    unassigned: 0,
    rejected: 1,
    accepted: 0,
    quarantined: 0,
  })
})

it('counts no further than what is shown', async () => {
  const { reviewer, file } = await openQueue()
  for (let made = 0; made <= LIMITS.shownCount; made++) await file('in_review', made)
  const { queueCounts } = (await reviewer.graphql(COUNTS)).data
  expect(queueCounts).toContainEqual({ state: 'in_review', count: LIMITS.shownCount })
})

it('returns the place among those in review, the longest waiting first', async () => {
  const { reviewer, file } = await openQueue()
  const last = await file('in_review', 1)
  const first = await file('in_review', 9)
  const middle = await file('in_review', 5)
  const released = await file('released', 7)
  const placeOf = async (id: string) => (await reviewer.graphql(PLACE, { id })).data.reviewPlace
  expect(await placeOf(first.id)).toEqual({ place: 1, count: 3 })
  expect(await placeOf(middle.id)).toEqual({ place: 2, count: 3 })
  expect(await placeOf(last.id)).toEqual({ place: 3, count: 3 })
  expect(await placeOf(released.id)).toBeNull()
  expect(await placeOf('0198c5a0-0000-7000-8000-000000000000')).toBeNull()
})
