import { expect, it, onTestFinished, vi } from 'vitest'
import { makeInstitution, makeUpload, makeUser } from '../../../db/factories.ts'
import { seedDemo } from '../../../db/seed.ts'
import { compareFigures } from '../../../test/dashboard/compare-figures.ts'
import { createTestServer } from '../../../test/test-server.ts'
import { newId } from '../../platform/ids.ts'

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
  // It has no institution that could open it.
  expect(data.dashboard).toMatchObject({ acceptedToday: 1, rejectedToday: 1, released: 1, unopened: 0 })
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
  const { id: institution_id } = await makeInstitution(db)
  const release = (days: number) =>
    makeUpload(db, services.storage, {
      institution_id,
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

it('counts what was released a week ago or earlier and not opened, as the queue lists it', async () => {
  const server = await createTestServer()
  const { db, services } = server
  const reviewer = await server.signIn(
    (await makeUser(db, { features: ['admin::review-files', 'patient::files'] })).email,
  )
  const dayOf = (days: number) =>
    new Date(Date.now() - days * 24 * 3_600_000).toLocaleDateString('sv-SE', { timeZone: 'Europe/Bucharest' })
  const { id: institution_id } = await makeInstitution(db)
  const release = (days: number) => {
    // Noon in Romania, in summer or winter.
    const at = new Date(`${dayOf(days)}T10:00:00Z`)
    return makeUpload(db, services.storage, {
      institution_id,
      state: 'released',
      created_at: at,
      state_since: at,
      released_at: at,
    })
  }
  await release(6)
  const [week, older] = [await release(7), await release(29)]
  await release(30)
  const QUEUE = `query ($since: Date, $until: Date) {
    uploads(states: [released], since: $since, until: $until, unopened: true) { nodes { id } } }`
  const { uploads } = (await reviewer.graphql(QUEUE, { since: dayOf(29), until: dayOf(7) })).data
  expect(uploads.nodes).toEqual([{ id: week.id }, { id: older.id }])
  const UNOPENED = '{ unopenedInstitutions(days: 30, olderThan: 7) { institutionId count } }'
  expect((await reviewer.runQuery(UNOPENED)).unopenedInstitutions).toEqual([
    { institutionId: institution_id, count: 2 },
  ])
  expect((await reviewer.graphql('{ dashboard { unopenedLong } }')).data.dashboard).toEqual({
    unopenedLong: 2,
  })
})

it('begins at midnight in Romania also on a day on which the clocks change', async () => {
  // The thirtieth day is 28 March 2027, which has 23 hours.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-04-26T09:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const server = await createTestServer()
  const { db, services } = server
  const reviewer = await server.signIn(
    (await makeUser(db, { features: ['admin::review-files', 'patient::files'] })).email,
  )
  await db.updateTable('session').set({ last_seen_at: new Date() }).execute()
  const { id: institution_id } = await makeInstitution(db)
  for (const at of [new Date('2027-03-27T21:30:00Z'), new Date('2027-03-27T22:30:00Z')])
    await makeUpload(db, services.storage, {
      institution_id,
      state: 'released',
      created_at: at,
      state_since: at,
      released_at: at,
    })
  const { dashboard, unopenedInstitutions, uploads } = await reviewer.runQuery(`{
    dashboard { released unopened perDay { day count } }
    unopenedInstitutions(days: 30) { count }
    uploads(states: [released], since: "2027-03-28") { nodes { id } } }`)
  expect(uploads.nodes).toHaveLength(1)
  expect(unopenedInstitutions).toEqual([{ count: 1 }])
  expect(dashboard).toEqual({ released: 1, unopened: 1, perDay: [{ day: '2027-03-28', count: 1 }] })
})

it('shows administrators alone the failed mails, the running incidents and a broken chain', async () => {
  const server = await createTestServer()
  const { db } = server
  const READ_ALARMS = '{ dashboard { alarms { failedMails incidents incidentSince isChainBroken } } }'
  const admin = await server.signIn((await makeUser(db, { role: 'admin' })).email)
  const reviewer = await server.signIn((await makeUser(db, { features: ['admin::review-files'] })).email)
  const calm = { failedMails: 0, incidents: 0, incidentSince: null, isChainBroken: false }
  expect((await admin.graphql(READ_ALARMS)).data.dashboard.alarms).toEqual(calm)
  expect((await reviewer.graphql(READ_ALARMS)).data.dashboard.alarms).toBeNull()

  const message = (state: 'failed' | 'bounced' | 'sent', days: number) =>
    db
      .insertInto('message')
      .values({
        id: newId(),
        recipient: 'cineva@exemplu.test',
        kind: 'invitation',
        subject: 'Invitație',
        state,
        created_at: new Date(Date.now() - days * 24 * 3_600_000),
      })
      .execute()
  await message('failed', 1)
  await message('bounced', 6)
  await message('failed', 8)
  await message('sent', 1)
  const at = new Date('2026-02-03T04:05:06Z')
  await db
    .insertInto('audit_verification')
    .values({
      id: newId(),
      started_at: at,
      finished_at: at,
      checked: 1,
      faults: JSON.stringify([{ kind: 'changed', entryId: 1, position: 1, count: 1 }]),
    })
    .execute()
  expect((await admin.graphql(READ_ALARMS)).data.dashboard.alarms).toEqual({
    ...calm,
    failedMails: 2,
    isChainBroken: true,
  })
  const { messages } = (await admin.graphql('{ messages(undelivered: true) { nodes { state } } }')).data
  expect(messages.nodes).toEqual([{ state: 'failed' }, { state: 'bounced' }])
})

it('each figure of the demo is the length of the list that it leads to', { timeout: 300_000 }, async () => {
  const server = await createTestServer()
  await seedDemo({ db: server.db, storage: server.services.storage, now: new Date() })
  const admin = await server.signIn('admin@dosar.test')
  for (const days of [7, 90]) {
    const compared = await compareFigures(admin, days)
    expect(compared.filter(([, figure, listed]) => figure !== listed)).toEqual([])
    expect(compared.filter(([, figure]) => figure > 0).length).toBeGreaterThan(15)
  }
})
