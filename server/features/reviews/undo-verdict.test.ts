import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../db/factories.ts'
import { createTestClient } from '../../../test/client.ts'
import { PATIENCE_MS, startMain } from '../../../test/processes/main-process.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { upsertSettings } from '../site/site.db.ts'
import { lockUpload } from '../uploads/uploads.db.ts'

const FIELDS = 'id state version releaseAt undoUntil reviews { verdict undoneAt isFirst }'
const ACCEPT = `mutation ($id: ID!, $version: Int!, $openedFileIds: [ID!]) {
  acceptUpload(id: $id, version: $version, openedFileIds: $openedFileIds) { ${FIELDS} } }`
const REJECT = `mutation ($id: ID!, $version: Int!) {
  rejectUpload(id: $id, version: $version, reason: "unreadable") { ${FIELDS} } }`
const UNDO = `mutation ($id: ID!, $version: Int!) { undoVerdict(id: $id, version: $version) { ${FIELDS} } }`
const RELEASE = 'mutation ($id: ID!, $version: Int!) { releaseUpload(id: $id, version: $version) { state } }'
const READ = `query ($id: ID!) { upload(id: $id) { ${FIELDS} firstAcceptance { isOwn } } }`
const INBOX = '{ inbox { nodes { id } } }'

let server: TestServer
let registrar: TestClient
let registrarId: string
let ana: TestClient
let ilie: TestClient
let ownUser: TestClient
let institutionId: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  await upsertSettings(db, { undo_seconds: 10 })
  const signIn = async (over: Parameters<typeof makeUser>[1]) =>
    server.signIn((await makeUser(db, over)).email)
  const author = await makeUser(db)
  registrarId = author.id
  registrar = await server.signIn(author.email)
  const features = ['admin::review-files' as const, 'patient::files' as const]
  ana = await signIn({ name: 'Ana Pop', features })
  ilie = await signIn({ name: 'Ilie Țepeș', features })
  institutionId = (await makeInstitution(db)).id
  ownUser = await signIn({ role: 'institution', institutionIds: [institutionId] })
})

async function fileUpload(policy: Parameters<typeof makeCategory>[1] = {}) {
  const { slug } = await makeCategory(server.db, policy)
  const patient = await makePatient(server.db)
  await makeReferral(server.db, { patient_id: patient.id, institution_id: institutionId })
  const { id, files } = await makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: institutionId,
    created_by: registrarId,
    category_slug: slug,
  })
  return { id, version: 1, openedFileIds: files.map((file) => file.id) }
}

const read = async (id: string) => (await ana.runQuery(READ, { id })).upload
const inboxHas = async (id: string) =>
  (await ownUser.runQuery(INBOX)).inbox.nodes.some((node: { id: string }) => node.id === id)
const runReleases = async () => {
  await server.services.jobs.enqueue(server.db, 'release-due-uploads', {})
  await server.runJobs()
}
/** Makes the time of the undo pass without waiting for it. */
async function letTimePass(id: string) {
  const ago = new Date(Date.now() - 1_000)
  await server.db
    .updateTable('upload')
    .set({ release_at: ago })
    .where('id', '=', id)
    .where('release_at', 'is not', null)
    .execute()
  await server.db.updateTable('review').set({ undo_until: ago }).where('upload_id', '=', id).execute()
}
const actionsOf = async (id: string) =>
  (
    await server.db
      .selectFrom('audit_event')
      .select('action')
      .where('subject_id', '=', id)
      .where('action', '!=', 'upload.read')
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

describe('an acceptance', () => {
  it('leaves the upload with the staff for ten seconds, then releases it', async () => {
    const input = await fileUpload()
    const before = Date.now()
    const { acceptUpload } = await ana.runQuery(ACCEPT, input)
    expect(acceptUpload).toMatchObject({ state: 'accepted', reviews: [{ undoneAt: null }] })
    const releaseAt = Date.parse(acceptUpload.releaseAt)
    expect(releaseAt).toBeGreaterThanOrEqual(before + 10_000)
    expect(releaseAt).toBeLessThan(Date.now() + 10_001)
    expect(acceptUpload.undoUntil).toBe(acceptUpload.releaseAt)
    expect((await ilie.runQuery(READ, { id: input.id })).upload.undoUntil).toBeNull()

    await runReleases()
    expect((await read(input.id)).state).toBe('accepted')
    expect(await inboxHas(input.id)).toBe(false)
    expect((await ownUser.graphql(READ, { id: input.id })).errors[0]?.extensions.code).toBe('NOT_FOUND')

    await letTimePass(input.id)
    await runReleases()
    expect(await inboxHas(input.id)).toBe(true)
  })

  it('is undone by its reviewer: the upload is in review, its verdict stays in the history', async () => {
    const input = await fileUpload()
    const { acceptUpload } = await ana.runQuery(ACCEPT, input)
    const { undoVerdict } = await ana.runQuery(UNDO, acceptUpload)
    expect(undoVerdict).toMatchObject({ state: 'in_review', releaseAt: null })
    expect(undoVerdict.reviews).toMatchObject([{ verdict: 'accepted', undoneAt: expect.any(String) }])
    expect(await actionsOf(input.id)).toEqual(['upload.accept', 'upload.undo'])
    await letTimePass(input.id)
    await runReleases()
    expect((await read(input.id)).state).toBe('in_review')
    expect(await inboxHas(input.id)).toBe(false)
    // The reviewer may decide again, and a second undo finds no verdict.
    expect((await ana.graphql(UNDO, undoVerdict)).errors[0]?.message).toBe('Ultimul verdict nu este al tău.')
    const again = await ana.runQuery(ACCEPT, { ...input, version: undoVerdict.version })
    expect(again.acceptUpload.state).toBe('accepted')
  })

  it('is undone by nobody else, nor after the time, nor after the release', async () => {
    const input = await fileUpload()
    const { acceptUpload } = await ana.runQuery(ACCEPT, input)
    expect((await ilie.graphql(UNDO, acceptUpload)).errors[0]).toMatchObject({
      message: 'Ultimul verdict nu este al tău.',
      extensions: { code: 'CONFLICT' },
    })
    expect((await registrar.graphql(UNDO, acceptUpload)).errors[0]?.extensions.code).toBe('FORBIDDEN')
    expect((await ana.graphql(UNDO, { ...acceptUpload, version: 1 })).errors[0]?.extensions.code).toBe(
      'CONFLICT',
    )
    await letTimePass(input.id)
    const late = {
      message: 'Verdictul nu mai poate fi anulat: a trecut timpul pentru asta.',
      extensions: { code: 'CONFLICT' },
    }
    expect((await ana.graphql(UNDO, acceptUpload)).errors[0]).toMatchObject(late)
    await runReleases()
    expect((await ana.graphql(UNDO, { ...acceptUpload, version: 3 })).errors[0]).toMatchObject(late)
    expect((await read(input.id)).state).toBe('released')
  })

  it('released by hand within the time is not undone', async () => {
    const input = await fileUpload()
    const { acceptUpload } = await ana.runQuery(ACCEPT, input)
    expect((await ilie.runQuery(RELEASE, acceptUpload)).releaseUpload.state).toBe('released')
    expect((await ana.graphql(UNDO, { ...acceptUpload, version: 3 })).errors[0]?.extensions.code).toBe(
      'CONFLICT',
    )
  })

  it.each([
    ['a release after hours', { release: 'after_hours', release_hours: 4 }, 4 * 3_600_000],
    ['a release by hand', { release: 'by_hand' }, null],
  ])(
    'in a category with %s keeps the delay of the category and is undone too',
    async (_what, policy, delay) => {
      const input = await fileUpload(policy)
      const { acceptUpload } = await ana.runQuery(ACCEPT, input)
      if (delay === null) expect(acceptUpload.releaseAt).toBeNull()
      else expect(Date.parse(acceptUpload.releaseAt)).toBeGreaterThan(Date.now() + delay - 60_000)
      expect((await ana.runQuery(UNDO, acceptUpload)).undoVerdict.state).toBe('in_review')
    },
  )

  it('and an undo at the time of the release: exactly one of the two wins', async () => {
    for (const [undoFirst, state] of [
      [true, 'in_review'],
      [false, 'released'],
    ] as const) {
      const input = await fileUpload()
      const { acceptUpload } = await ana.runQuery(ACCEPT, input)
      const due = new Date(Date.now() - 1_000)
      await server.db.updateTable('upload').set({ release_at: due }).where('id', '=', input.id).execute()
      const undo = () => ana.graphql(UNDO, acceptUpload)
      const countWaiting = async () => {
        const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db)
        return rows[0]!.count
      }
      const both = await server.db.transaction().execute(async (tx) => {
        await lockUpload(tx, input.id)
        const one = undoFirst ? undo() : runReleases()
        await expect.poll(countWaiting).toBe(1)
        const two = undoFirst ? runReleases() : undo()
        await expect.poll(countWaiting).toBe(2)
        return [one, two] as const
      })
      await Promise.all(both)
      expect((await read(input.id)).state).toBe(state)
      expect(await inboxHas(input.id)).toBe(state === 'released')
    }
  })
})

it('returns the upload to its place in the queue, however often it is undone', async () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const uploads = [await fileUpload(), await fileUpload(), await fileUpload()]
  const ids = uploads.map(({ id }) => id)
  // The first two are in the audit log, as what is filed is; the last one is from before it.
  for (const [index, { id }] of uploads.entries()) {
    const state_since = minutesAgo(30 - 10 * index)
    await server.db
      .updateTable('upload')
      .set({ state_since, created_at: state_since })
      .where('id', '=', id)
      .execute()
    if (index === 2) continue
    await server.db
      .updateTable('upload')
      .set({ created_at: minutesAgo(60) })
      .where('id', '=', id)
      .execute()
    await server.db
      .insertInto('audit_event')
      .values({
        at: state_since,
        actor_name: 'Dosar',
        origin: 'system',
        action: 'upload.check',
        subject_type: 'upload',
        subject_id: id,
        outcome: 'ok',
        changes: JSON.stringify({ state: { from: 'checking', to: 'in_review' } }),
        request_id: 'test',
      })
      .execute()
  }
  const queue = async () =>
    (await ana.runQuery('{ uploads(first: 100) { nodes { id } } }')).uploads.nodes
      .map((node: { id: string }) => node.id)
      .filter((id: string) => ids.includes(id))
  expect(await queue()).toEqual(ids)
  for (const send of [ACCEPT, REJECT, ACCEPT]) {
    for (const input of uploads) {
      const { version } = await read(input.id)
      const verdict = Object.values(await ana.runQuery(send, { ...input, version }))[0] as typeof input
      expect(await queue()).not.toContain(input.id)
      await ana.runQuery(UNDO, verdict)
      expect(await queue()).toEqual(ids)
    }
  }
})

describe('a first of two acceptances', () => {
  it('is undone and leaves no trace for the four eyes', async () => {
    const input = await fileUpload({ reviewers: 2 })
    const { acceptUpload } = await ana.runQuery(ACCEPT, input)
    expect(acceptUpload).toMatchObject({ state: 'in_review', reviews: [{ isFirst: true }] })
    const { undoVerdict } = await ana.runQuery(UNDO, acceptUpload)
    expect(await read(input.id)).toMatchObject({ firstAcceptance: null, version: undoVerdict.version })
    const one = await ilie.runQuery(ACCEPT, { ...input, version: undoVerdict.version })
    expect(one.acceptUpload.state).toBe('in_review')
    const two = await ana.runQuery(ACCEPT, { ...input, version: one.acceptUpload.version })
    expect(two.acceptUpload.state).toBe('accepted')
  })

  it('is not undone after the second', async () => {
    const input = await fileUpload({ reviewers: 2 })
    const { acceptUpload } = await ana.runQuery(ACCEPT, input)
    await ilie.runQuery(ACCEPT, { ...input, version: acceptUpload.version })
    expect((await ana.graphql(UNDO, acceptUpload)).errors[0]?.extensions.code).toBe('CONFLICT')
  })
})

describe('a rejection', () => {
  it('is undone: the upload is in review again, and counts among the rejections of today as the audit log lists it', async () => {
    const input = await fileUpload()
    const rejectedToday = async () =>
      (await ana.runQuery('{ dashboard { rejectedToday } }')).dashboard.rejectedToday
    const before = await rejectedToday()
    const { rejectUpload } = await ana.runQuery(REJECT, input)
    expect(rejectUpload.state).toBe('rejected')
    expect(await rejectedToday()).toBe(before + 1)
    expect((await ana.runQuery(UNDO, rejectUpload)).undoVerdict.state).toBe('in_review')
    expect(await rejectedToday()).toBe(before + 1)
  })

  it('is not undone once its author has submitted the upload again', async () => {
    const input = await fileUpload()
    const { rejectUpload } = await ana.runQuery(REJECT, input)
    await registrar.runQuery('mutation ($id: ID!) { submitUpload(id: $id) { id } }', { id: input.id })
    expect((await ana.graphql(UNDO, rejectUpload)).errors[0]?.extensions.code).toBe('CONFLICT')
  })
})

it('without undo, a verdict releases at once and cannot be undone', async () => {
  await upsertSettings(server.db, { undo_seconds: 0 })
  try {
    const { acceptUpload } = await ana.runQuery(ACCEPT, await fileUpload())
    expect(acceptUpload).toMatchObject({ state: 'released', undoUntil: null })
    expect((await ana.graphql(UNDO, acceptUpload)).errors[0]?.extensions.code).toBe('CONFLICT')
  } finally {
    await upsertSettings(server.db, { undo_seconds: 10 })
  }
})

it('a server killed during the time of the undo releases the upload once, after its restart', async () => {
  const [undone, kept] = [await fileUpload(), await fileUpload()]
  const first = await startMain(server)
  await expect.poll(first.printed, { timeout: PATIENCE_MS }).toContain('Dosar: http')
  const remote = createTestClient(first.url, { cookies: ana.cookies })
  const accepted = await remote.runQuery(ACCEPT, undone)
  await remote.runQuery(UNDO, accepted.acceptUpload)
  await remote.runQuery(ACCEPT, kept)
  await first.kill()
  for (const [input, state] of [
    [undone, 'in_review'],
    [kept, 'accepted'],
  ] as const) {
    expect((await read(input.id)).state).toBe(state)
    expect(await inboxHas(input.id)).toBe(false)
  }

  const second = await startMain(server)
  await expect.poll(second.printed, { timeout: PATIENCE_MS }).toContain('Dosar: http')
  await expect.poll(async () => (await read(kept.id)).state, { timeout: PATIENCE_MS }).toBe('released')
  expect(await actionsOf(kept.id)).toEqual(['upload.accept', 'upload.release'])
  expect(await actionsOf(undone.id)).toEqual(['upload.accept', 'upload.undo'])
  expect((await read(undone.id)).state).toBe('in_review')
  const { releaseAt, releasedAt } = await server.db
    .selectFrom('review')
    .innerJoin('upload', 'upload.id', 'review.upload_id')
    .select(['review.undo_until as releaseAt', 'upload.released_at as releasedAt'])
    .where('upload.id', '=', kept.id)
    .executeTakeFirstOrThrow()
  expect(releasedAt!.getTime()).toBeGreaterThanOrEqual(releaseAt!.getTime())
}, 120_000)
