import { expect, it } from 'vitest'
import { makeUpload, makeUser } from '../../../db/factories.ts'
import { createTestServer } from '../../../test/test-server.ts'

const READ = `{ dashboard {
  waiting { state count oldest } acceptedToday rejectedToday released unopened perDay { day count } } }`

it('counts the waiting uploads, the verdicts of today and the unopened uploads', async () => {
  const server = await createTestServer()
  const { db } = server
  const { storage } = server.services
  const reviewer = await server.signIn(
    (await makeUser(db, { features: ['admin::review-files', 'patient::files'] })).email,
  )
  const oldest = new Date('2026-02-03T04:05:06Z')
  await makeUpload(db, storage, { state: 'in_review', state_since: oldest })
  const [accepted, rejected] = [await makeUpload(db, storage), await makeUpload(db, storage)]
  await makeUpload(db, storage, { state: 'withdrawn' })
  const verdict = (call: string, id: string) =>
    reviewer.graphql(`mutation { ${call.replace('$', `id: "${id}", version: 1`)} { id } }`)
  await verdict('acceptUpload($, reason: "other", comment: "da")', accepted.id)
  await verdict('rejectUpload($, reason: "duplicate")', rejected.id)

  const { data } = await reviewer.graphql(READ)
  expect(data.dashboard).toMatchObject({ acceptedToday: 1, rejectedToday: 1, released: 1, unopened: 1 })
  expect(data.dashboard.waiting).toContainEqual({
    state: 'in_review',
    count: 1,
    oldest: oldest.toISOString(),
  })
  expect(data.dashboard.perDay.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(4)
})

it('is only for staff with the review feature [6.3][6.4]', async () => {
  const server = await createTestServer()
  const staff = await server.signIn((await makeUser(server.db)).email)
  expect((await staff.graphql(READ)).errors[0]?.extensions.code).toBe('FORBIDDEN')
})

it('counts what the queue lists for these days, and a withdrawal does not change the days before', async () => {
  const server = await createTestServer()
  const { db, services } = server
  const reviewer = await server.signIn(
    (await makeUser(db, { features: ['admin::review-files', 'patient::files'] })).email,
  )
  const institutionUser = await makeUser(db)
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000)
  const release = (days: number) =>
    makeUpload(db, services.storage, {
      state: 'released',
      created_at: daysAgo(days),
      state_since: daysAgo(days),
      released_at: daysAgo(days),
    })
  const [opened, unopened] = [await release(3), await release(20)]
  await release(31)
  await db
    .insertInto('upload_opening')
    .values({ upload_id: opened.id, user_id: institutionUser.id, opened_at: daysAgo(1) })
    .execute()
  const { dashboard } = (await reviewer.graphql(READ)).data
  expect(dashboard).toMatchObject({ released: 2, unopened: 1 })
  const since = daysAgo(29).toLocaleDateString('sv-SE', { timeZone: 'Europe/Bucharest' })
  const QUEUE = `query ($since: Date, $unopened: Boolean) {
    uploads(states: [released], since: $since, unopened: $unopened) { nodes { id } } }`
  const listed = async (unopenedOnly: boolean) =>
    (await reviewer.graphql(QUEUE, { since, unopened: unopenedOnly })).data.uploads.nodes
  expect(await listed(false)).toEqual([{ id: opened.id }, { id: unopened.id }])
  expect(await listed(true)).toEqual([{ id: unopened.id }])

  await db.updateTable('upload').set({ state: 'withdrawn' }).where('id', '=', opened.id).execute()
  expect((await reviewer.graphql(READ)).data.dashboard.perDay).toEqual(dashboard.perDay)
})
