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
import { readShownHolds, SUBMIT_UPLOAD } from '../../../test/documents.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { lockUpload } from '../uploads/uploads.db.ts'

const READ = `query ($id: ID!) { upload(id: $id) { id state version releaseAt nextInReview can { decide release withdraw }
  policy { reviewers release releaseHours } firstAcceptance { reviewerName acceptedAt isOwn }
  reviews { verdict isFirst isAutomatic reviewerName } } }`
const QUEUE = `{ uploads(first: 100) { nodes { id firstAcceptance { reviewerName isOwn } } } }`
const ACCEPT = `mutation ($id: ID!, $version: Int!, $comment: String = "cu originalul", $shownHolds: [ShownHoldInput!]) {
  acceptUpload(id: $id, version: $version, shownHolds: $shownHolds, reason: "compared-original", comment: $comment) { id state version releaseAt } }`
const REJECT = `mutation ($id: ID!, $version: Int!) {
  rejectUpload(id: $id, version: $version, reason: "unreadable") { id state } }`
const EDIT = `mutation ($id: ID!, $version: Int!, $upload: UploadInput!) {
  editUpload(id: $id, version: $version, upload: $upload) { id state version } }`
const RELEASE =
  'mutation ($id: ID!, $version: Int!) { releaseUpload(id: $id, version: $version) { id state version } }'
const RETURN =
  'mutation ($id: ID!, $version: Int!) { returnUpload(id: $id, version: $version) { id state version } }'
const WITHDRAW = 'mutation ($id: ID!) { withdrawUpload(id: $id) { id state } }'
const INBOX = '{ inbox { nodes { id } } }'
const HOUR_MS = 3_600_000

let server: TestServer
let registrar: TestClient
let registrarId: string
let ana: TestClient
let ilie: TestClient
let own: { id: string }
let ownUser: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  const signIn = async (over: Parameters<typeof makeUser>[1]) =>
    server.signIn((await makeUser(db, over)).email)
  const author = await makeUser(db, { features: ['patient::files'] })
  registrarId = author.id
  registrar = await server.signIn(author.email)
  ana = await signIn({ name: 'Ana Pop', features: ['admin::review-files', 'patient::files'] })
  ilie = await signIn({ name: 'Ilie Țepeș', features: ['admin::review-files', 'patient::files'] })
  own = await makeInstitution(db)
  ownUser = await signIn({ role: 'institution', institutionIds: [own.id] })
})

/**
 * Creates an upload in review, in a category with this policy, for a patient referred by the own institution.
 */
async function fileUpload(
  policy: Parameters<typeof makeCategory>[1],
  over: Parameters<typeof makeUpload>[2] = {},
) {
  const { slug } = await makeCategory(server.db, policy)
  const patient = await makePatient(server.db)
  await makeReferral(server.db, { patient_id: patient.id, institution_id: own.id })
  return makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: own.id,
    created_by: registrarId,
    category_slug: slug,
    ...over,
  })
}

const read = async (id: string, by = ana) => (await by.graphql(READ, { id })).data.upload
const versionOf = async (id: string): Promise<number> => (await read(id)).version
const codeOf = ({ errors }: { errors: { extensions: { code: string } }[] }) => errors[0]?.extensions.code
const isInInbox = async (id: string) =>
  (await ownUser.graphql(INBOX)).data.inbox.nodes.some((node: { id: string }) => node.id === id)
const eventsOf = (id: string) =>
  server.db
    .selectFrom('audit_event')
    .select(['action', 'actor_id', 'actor_name', 'changes'])
    .where('subject_id', '=', id)
    .where('action', '!=', 'upload.read')
    .orderBy('id')
    .execute()
const runReleases = async () => {
  await server.services.jobs.enqueue(server.db, 'release-due-uploads', {})
  await server.runJobs()
}
const makeReleaseDue = (id: string) =>
  server.db
    .updateTable('upload')
    .set({ release_at: new Date(Date.now() - 1_000) })
    .where('id', '=', id)
    .execute()

const countWaiting = async () => {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db)
  return rows[0]!.count
}

/** Runs two requests that both wait for the upload's lock, which the first one gets first. */
async function runConcurrently<A, B>(
  id: string,
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<[A, B]> {
  const both = await server.db.transaction().execute(async (tx) => {
    await lockUpload(tx, id)
    const one = first()
    await expect.poll(countWaiting).toBe(1)
    const two = second()
    await expect.poll(countWaiting).toBe(2)
    return [one, two] as const
  })
  return Promise.all(both)
}

const TWO = { reviewers: 2 }

describe('a category with two reviewers', () => {
  it('takes no first acceptance of an upload that is not in review', async () => {
    const { id } = await fileUpload(TWO)
    for (const state of ['quarantined', 'accepted', 'rejected'] as const) {
      await server.db.updateTable('upload').set({ state }).where('id', '=', id).execute()
      const { errors } = await ana.graphql(ACCEPT, { id, version: 1 })
      expect(errors[0]?.extensions.code).toBe('CONFLICT')
    }
    expect(await eventsOf(id)).toEqual([])
  })

  it('needs two different people: the first acceptance leaves an upload in review for the others', async () => {
    const { id } = await fileUpload(TWO)
    const first = await ana.graphql(ACCEPT, { id, version: 1 })
    expect(first.data.acceptUpload).toMatchObject({ state: 'in_review', version: 2 })
    expect(await isInInbox(id)).toBe(false)

    expect(await read(id, ana)).toMatchObject({
      policy: { reviewers: 2 },
      firstAcceptance: { reviewerName: 'Ana Pop', isOwn: true },
      can: { decide: true },
      reviews: [{ verdict: 'accepted', isFirst: true, isAutomatic: false }],
    })
    expect((await read(id, ilie)).firstAcceptance).toMatchObject({ reviewerName: 'Ana Pop', isOwn: false })
    const own = await ana.graphql(ACCEPT, { id, version: 2 })
    expect(own.errors[0]).toMatchObject({
      message: 'Ai acceptat deja această încărcare. A doua verificare o face altcineva.',
      extensions: { code: 'CONFLICT' },
    })

    const second = await ilie.graphql(ACCEPT, { id, version: 2 })
    expect(second.data.acceptUpload.state).toBe('released')
    expect(await isInInbox(id)).toBe(true)
    expect((await read(id)).firstAcceptance).toBeNull()
    expect((await eventsOf(id)).map(({ action }) => action)).toEqual([
      'upload.accept-first',
      'upload.accept',
      'upload.release',
    ])
  })

  it('counts the two acceptances of an upload as one of the day, after the second', async () => {
    const { id } = await fileUpload(TWO)
    const accepted = async () =>
      (await ana.graphql('{ dashboard { acceptedToday } }')).data.dashboard.acceptedToday
    const before = await accepted()
    await ana.graphql(ACCEPT, { id, version: 1 })
    expect(await accepted()).toBe(before)
    await ilie.graphql(ACCEPT, { id, version: 2 })
    expect(await accepted()).toBe(before + 1)
  })

  it('keeps an upload in both queues, and leads only those to it who have not accepted it', async () => {
    const queueOf = async (client: TestClient): Promise<string[]> =>
      (await client.graphql(QUEUE)).data.uploads.nodes.map((node: { id: string }) => node.id)
    const { id } = await fileUpload(TWO, { state_since: new Date('2026-01-01T08:00:00Z') })
    const after = await fileUpload({}, { state_since: new Date('2026-01-01T09:00:00Z') })
    const last = await fileUpload({}, { state_since: new Date('2026-01-01T07:00:00Z') })
    await ana.graphql(ACCEPT, { id, version: 1 })
    expect((await read(last.id, ilie)).nextInReview).toBe(id)
    expect((await read(last.id, ana)).nextInReview).toBe(after.id)
    expect(await queueOf(ana)).toEqual(await queueOf(ilie))
    const { nodes } = (await ana.graphql(QUEUE)).data.uploads
    expect(nodes.find((node: { id: string }) => node.id === id).firstAcceptance).toEqual({
      reviewerName: 'Ana Pop',
      isOwn: true,
    })
  })

  it('needs only one rejection, also by the first to accept, and then two acceptances again', async () => {
    for (const reviewer of [ana, ilie]) {
      const { id } = await fileUpload(TWO)
      await ana.graphql(ACCEPT, { id, version: 1 })
      expect((await reviewer.graphql(REJECT, { id, version: 2 })).data.rejectUpload.state).toBe('rejected')
      await registrar.graphql(SUBMIT_UPLOAD, { id })
      expect((await read(id)).firstAcceptance).toBeNull()
      const again = await ilie.graphql(ACCEPT, { id, version: await versionOf(id) })
      expect(again.data.acceptUpload.state).toBe('in_review')
    }
  })

  it.each([
    ['another patient', async () => ({ title: 'CT', patientId: (await makePatient(server.db)).id })],
    ['no patient and then one', async () => ({ title: 'CT', patientId: null })],
    ['another title', async (patientId: string) => ({ title: 'Alt titlu', patientId })],
  ])('resets the first acceptance when the upload is given %s', async (_what, change) => {
    const upload = await fileUpload(TWO)
    const { id } = upload
    await ana.graphql(ACCEPT, { id, version: 1 })
    const { slug } = await server.db
      .selectFrom('upload')
      .select('category_slug as slug')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const edit = async (details: object) =>
      registrar.graphql(EDIT, {
        id,
        version: await versionOf(id),
        upload: { ...details, categorySlug: slug },
      })
    const details = await change(upload.patient_id!)
    expect((await edit(details)).errors).toEqual([])
    if (!details.patientId) await edit({ title: 'CT', patientId: (await makePatient(server.db)).id })

    expect((await read(id)).firstAcceptance).toBeNull()
    const one = await ilie.graphql(ACCEPT, { id, version: await versionOf(id) })
    expect(one.data.acceptUpload.state).toBe('in_review')
    const two = await ana.graphql(ACCEPT, { id, version: one.data.acceptUpload.version })
    expect(two.data.acceptUpload.state).toBe('released')
  })

  it('counts the first of two concurrent acceptances and rejects the other as outdated', async () => {
    const { id } = await fileUpload(TWO)
    const [one, two] = await runConcurrently(
      id,
      () => ana.graphql(ACCEPT, { id, version: 1 }),
      () => ilie.graphql(ACCEPT, { id, version: 1 }),
    )
    expect(one.data.acceptUpload).toMatchObject({ state: 'in_review', version: 2 })
    expect(codeOf(two)).toBe('CONFLICT')
    expect((await ilie.graphql(ACCEPT, { id, version: 2 })).data.acceptUpload.state).toBe('released')
  })

  it('does not accept as second any of twenty concurrent requests of one person', async () => {
    const { id } = await fileUpload(TWO)
    await Promise.all(Array.from({ length: 20 }, (_, n) => ana.graphql(ACCEPT, { id, version: 1 + (n % 3) })))
    expect(await read(id)).toMatchObject({ state: 'in_review', version: 2 })
  })

  it('requires a reason of both reviewers if a file has another person’s CNP', async () => {
    const other = await makePatient(server.db)
    const text = `CNP ${other.cnp}`
    const { id } = await fileUpload(TWO, { files: [{ bytes: Buffer.from(text), content_text: text }] })
    for (const [version, client] of [ana, ilie].entries()) {
      const input = { id, version: version + 1, shownHolds: await readShownHolds(client, id) }
      expect(codeOf(await client.graphql(ACCEPT, { ...input, comment: ' ' }))).toBe('BAD_USER_INPUT')
      expect((await client.graphql(ACCEPT, { ...input, comment: 'CNP-ul mamei' })).errors).toEqual([])
    }
    expect((await read(id)).state).toBe('released')
  })

  it('needs only one acceptance if the category requires one by then', async () => {
    const { id, category_slug } = await fileUpload(TWO)
    await ana.graphql(ACCEPT, { id, version: 1 })
    await server.db.updateTable('category').set({ reviewers: 1 }).where('slug', '=', category_slug!).execute()
    expect((await read(id, ana)).firstAcceptance).toBeNull()
    expect((await ana.graphql(ACCEPT, { id, version: 2 })).data.acceptUpload.state).toBe('released')
  })
})

describe('an accepted upload', () => {
  it('whose category is no longer in the list waits for a manual release', async () => {
    const { id } = await fileUpload({}, { category_slug: 'nu-mai-este' })
    expect((await ana.graphql(ACCEPT, { id, version: 1 })).data.acceptUpload.state).toBe('accepted')
  })

  it('after a first acceptance and a move to a category with one reviewer needs another person', async () => {
    const { slug } = await makeCategory(server.db)
    const { id, patient_id: patientId } = await fileUpload(TWO)
    expect((await ana.graphql(ACCEPT, { id, version: 1 })).errors).toEqual([])
    const upload = { title: 'Alt titlu', patientId, institutionId: own.id, categorySlug: slug }
    const edited = await ana.graphql(
      `mutation ($id: ID!, $version: Int!, $upload: UploadInput!) {
        editUpload(id: $id, version: $version, upload: $upload) { version } }`,
      { id, version: 2, upload },
    )
    const { version } = edited.data.editUpload
    const { errors } = await ana.graphql(ACCEPT, { id, version })
    expect(errors[0]?.message).toContain('A doua verificare o face altcineva')
    expect((await ilie.graphql(ACCEPT, { id, version })).data.acceptUpload.state).toBe('released')
  })
})

describe('the release of an accepted upload', () => {
  const LATER = { release: 'after_hours', release_hours: 4 }
  const BY_HAND = { release: 'by_hand' }

  it.each([['without a category', { category_slug: null }]])('is immediate %s', async (_what, over) => {
    const { id } = await fileUpload({ ...LATER, reviewers: 2 }, over)
    expect((await ana.graphql(ACCEPT, { id, version: 1 })).data.acceptUpload.state).toBe('released')
  })

  it('is automatic after some hours, not earlier', async () => {
    const { id } = await fileUpload(LATER)
    const before = Date.now()
    const { data } = await ana.graphql(ACCEPT, { id, version: 1 })
    expect(data.acceptUpload.state).toBe('accepted')
    const due = Date.parse(data.acceptUpload.releaseAt)
    expect(due).toBeGreaterThanOrEqual(before + 4 * HOUR_MS)
    expect(due).toBeLessThanOrEqual(Date.now() + 4 * HOUR_MS)

    await runReleases()
    expect(await read(id)).toMatchObject({ state: 'accepted', can: { release: true, decide: false } })
    expect(await isInInbox(id)).toBe(false)

    await makeReleaseDue(id)
    await runReleases()
    expect(await read(id)).toMatchObject({ state: 'released', releaseAt: null })
    expect(await isInInbox(id)).toBe(true)
    expect(await eventsOf(id)).toMatchObject([
      { action: 'upload.accept', changes: { release_at: { to: data.acceptUpload.releaseAt } } },
      { action: 'upload.release', actor_id: null, actor_name: 'Dosar' },
    ])
  })

  it('follows the policy at the time of acceptance, even if the category changes', async () => {
    const { id, category_slug } = await fileUpload(LATER)
    await ana.graphql(ACCEPT, { id, version: 1 })
    const change = { release: 'by_hand', release_hours: null }
    await server.db.updateTable('category').set(change).where('slug', '=', category_slug!).execute()
    await makeReleaseDue(id)
    await runReleases()
    expect((await read(id)).state).toBe('released')
  })

  it('is left to a reviewer if the category says so', async () => {
    const { id } = await fileUpload(BY_HAND)
    const { data } = await ana.graphql(ACCEPT, { id, version: 1 })
    expect(data.acceptUpload).toMatchObject({ state: 'accepted', releaseAt: null, version: 2 })
    await runReleases()
    expect((await read(id)).state).toBe('accepted')
    expect(codeOf(await ilie.graphql(RELEASE, { id, version: 1 }))).toBe('CONFLICT')
    expect((await ilie.graphql(RELEASE, { id, version: 2 })).data.releaseUpload.state).toBe('released')
    expect(codeOf(await ilie.graphql(RELEASE, { id, version: 3 }))).toBe('CONFLICT')
    expect((await eventsOf(id)).at(-1)).toMatchObject({ action: 'upload.release', actor_name: 'Ilie Țepeș' })
  })

  it('may be earlier, by a reviewer', async () => {
    const { id } = await fileUpload(LATER)
    await ana.graphql(ACCEPT, { id, version: 1 })
    expect((await ilie.graphql(RELEASE, { id, version: 2 })).data.releaseUpload.state).toBe('released')
    await makeReleaseDue(id)
    await runReleases()
    expect(await read(id)).toMatchObject({ state: 'released', version: 3 })
  })

  it('does not happen after a reviewer has returned the upload, which then needs new acceptances', async () => {
    const { id } = await fileUpload({ ...LATER, reviewers: 2 })
    await ana.graphql(ACCEPT, { id, version: 1 })
    await ilie.graphql(ACCEPT, { id, version: 2 })
    await makeReleaseDue(id)
    expect((await ilie.graphql(RETURN, { id, version: 3 })).data.returnUpload.state).toBe('in_review')
    await runReleases()
    expect(await read(id)).toMatchObject({ state: 'in_review', releaseAt: null, firstAcceptance: null })
    expect((await ana.graphql(ACCEPT, { id, version: 4 })).data.acceptUpload.state).toBe('in_review')
  })

  it('does not happen if a file no longer agrees with the patient, and a reviewer must decide again', async () => {
    const patient = await makePatient(server.db)
    const text = `CNP ${patient.cnp}`
    const files = () => [{ bytes: Buffer.from(text), content_text: text }]
    const over = { patient_id: patient.id, institution_id: null }
    const later = await fileUpload(LATER, { ...over, files: files() })
    const byHand = await fileUpload(BY_HAND, { ...over, files: files() })
    for (const { id } of [later, byHand]) await ana.graphql(ACCEPT, { id, version: 1 })
    const corrected = (await makePatient(server.db)).cnp
    await server.db.updateTable('patient').set({ cnp: null }).where('cnp', '=', corrected).execute()
    await server.db.updateTable('patient').set({ cnp: corrected }).where('id', '=', patient.id).execute()

    await makeReleaseDue(later.id)
    await runReleases()
    expect((await read(later.id)).state).toBe('in_review')
    expect((await eventsOf(later.id)).at(-1)).toMatchObject({
      action: 'upload.return',
      changes: { reason: { to: expect.stringContaining('nu se mai potrivește') } },
    })
    expect(codeOf(await ana.graphql(RELEASE, { id: byHand.id, version: 2 }))).toBe('CONFLICT')
    expect((await read(byHand.id)).state).toBe('accepted')
  })

  it('happens if a file has another person’s CNP and the reviewer has given a reason', async () => {
    const text = `CNP ${(await makePatient(server.db)).cnp}`
    const { id } = await fileUpload(LATER, { files: [{ bytes: Buffer.from(text), content_text: text }] })
    const shownHolds = await readShownHolds(ana, id)
    await ana.graphql(ACCEPT, { id, version: 1, comment: 'CNP-ul mamei', shownHolds })
    await makeReleaseDue(id)
    await runReleases()
    expect((await read(id)).state).toBe('released')
  })

  it.each([
    ['withdrawn by its author first', true, 'withdrawn'],
    ['released first', false, 'released'],
  ])('never happens together with a withdrawal: %s', async (_what, isWithdrawnFirst, state) => {
    const { id } = await fileUpload(LATER)
    await ana.graphql(ACCEPT, { id, version: 1 })
    await makeReleaseDue(id)
    const withdraw = () => registrar.graphql(WITHDRAW, { id })
    const [one, two] = isWithdrawnFirst
      ? await runConcurrently(id, withdraw, runReleases)
      : await runConcurrently(id, runReleases, withdraw)
    const withdrawn = isWithdrawnFirst ? one : two
    expect(codeOf(withdrawn!)).toBe(isWithdrawnFirst ? undefined : 'FORBIDDEN')
    expect((await read(id)).state).toBe(state)
    expect(await isInInbox(id)).toBe(state === 'released')
    const { length } = (await eventsOf(id)).filter(({ action }) => action === 'upload.release')
    expect(length).toBe(isWithdrawnFirst ? 0 : 1)
  })

  it('and the return to review are only for reviewers [6.4]', async () => {
    const { id } = await fileUpload(BY_HAND)
    await ana.graphql(ACCEPT, { id, version: 1 })
    for (const client of [registrar, ownUser]) {
      for (const change of [RELEASE, RETURN])
        expect(codeOf(await client.graphql(change, { id, version: 2 }))).toBe('FORBIDDEN')
    }
    const { state, can } = await read(id, registrar)
    expect([state, can.release, can.withdraw]).toEqual(['accepted', false, true])
  })
})
