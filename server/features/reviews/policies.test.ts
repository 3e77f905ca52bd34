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
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { lockUpload } from '../uploads/uploads.db.ts'

const READ = `query ($id: ID!) { upload(id: $id) { id state version releaseAt nextInReview can { decide release withdraw }
  policy { reviewers release releaseHours } firstAcceptance { reviewerName acceptedAt isOwn }
  reviews { verdict isFirst isAutomatic reviewerName } } }`
const QUEUE = `{ uploads(first: 100) { nodes { id firstAcceptance { reviewerName isOwn } } } }`
const ACCEPT = `mutation ($id: ID!, $version: Int!, $mismatchReason: String) {
  acceptUpload(id: $id, version: $version, mismatchReason: $mismatchReason) { id state version releaseAt } }`
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
const HOUR = 3_600_000

let server: TestServer
let registrar: TestClient
let registrarId: string
let ana: TestClient
let ilie: TestClient
let own: { id: string }
let ours: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  const signIn = async (over: Parameters<typeof makeUser>[1]) =>
    server.signIn((await makeUser(db, over)).email)
  const author = await makeUser(db, { features: ['patient::files'] })
  registrarId = author.id
  registrar = await server.signIn(author.email)
  ana = await signIn({ name: 'Ana Pop', features: ['admin::review-files'] })
  ilie = await signIn({ name: 'Ilie Țepeș', features: ['admin::review-files'] })
  own = await makeInstitution(db)
  ours = await signIn({ role: 'institution', institutionIds: [own.id] })
})

/** In review, in a category with this policy, of a patient whom our institution referred. */
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
  (await ours.graphql(INBOX)).data.inbox.nodes.some((node: { id: string }) => node.id === id)
const journalOf = (id: string) =>
  server.db
    .selectFrom('audit_event')
    .select(['action', 'actor_id', 'actor_name', 'changes'])
    .where('subject_id', '=', id)
    .where('action', '!=', 'upload.read')
    .orderBy('id')
    .execute()
const runReleases = async () => {
  await server.services.jobs.enqueue(server.db, 'review.release', {})
  await server.runJobs()
}
const letHoursPass = (id: string) =>
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

/** Lets both begin, the second after the first, before either can go on. */
async function meet<A, B>(id: string, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
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
  it('needs two different people: the first acceptance leaves it in review, for the others', async () => {
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
    expect((await journalOf(id)).map(({ action }) => action)).toEqual([
      'upload.accept-first',
      'upload.accept',
      'upload.release',
    ])
  })

  it('counts as one acceptance of the day, when the second is there', async () => {
    const { id } = await fileUpload(TWO)
    const accepted = async () =>
      (await ana.graphql('{ dashboard { acceptedToday } }')).data.dashboard.acceptedToday
    const before = await accepted()
    await ana.graphql(ACCEPT, { id, version: 1 })
    expect(await accepted()).toBe(before)
    await ilie.graphql(ACCEPT, { id, version: 2 })
    expect(await accepted()).toBe(before + 1)
  })

  it('stays in the queue of both, and is the next one only of who has not accepted it', async () => {
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

  it('is refused by a single rejection, also by the one who had accepted, and begins anew afterwards', async () => {
    for (const who of [ana, ilie]) {
      const { id } = await fileUpload(TWO)
      await ana.graphql(ACCEPT, { id, version: 1 })
      expect((await who.graphql(REJECT, { id, version: 2 })).data.rejectUpload.state).toBe('rejected')
      await registrar.graphql('mutation ($id: ID!) { submitUpload(id: $id) { id } }', { id })
      expect((await read(id)).firstAcceptance).toBeNull()
      const again = await ilie.graphql(ACCEPT, { id, version: await versionOf(id) })
      expect(again.data.acceptUpload.state).toBe('in_review')
    }
  })

  it.each([
    ['another patient', async () => ({ title: 'CT', patientId: (await makePatient(server.db)).id })],
    ['no patient and then one', async () => ({ title: 'CT', patientId: null })],
    ['another title', async (patientId: string) => ({ title: 'Alt titlu', patientId })],
  ])('forgets the first acceptance where the upload is given %s', async (_what, change) => {
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

  it('of two who accept in the same instant counts the first; the other has to look again', async () => {
    const { id } = await fileUpload(TWO)
    const [one, two] = await meet(
      id,
      () => ana.graphql(ACCEPT, { id, version: 1 }),
      () => ilie.graphql(ACCEPT, { id, version: 1 }),
    )
    expect(one.data.acceptUpload).toMatchObject({ state: 'in_review', version: 2 })
    expect(codeOf(two)).toBe('CONFLICT')
    expect((await ilie.graphql(ACCEPT, { id, version: 2 })).data.acceptUpload.state).toBe('released')
  })

  it('of twenty keys pressed by one person lets none be the second', async () => {
    const { id } = await fileUpload(TWO)
    await Promise.all(Array.from({ length: 20 }, (_, n) => ana.graphql(ACCEPT, { id, version: 1 + (n % 3) })))
    expect(await read(id)).toMatchObject({ state: 'in_review', version: 2 })
  })

  it('asks each of the two for a reason where a file names somebody else', async () => {
    const stranger = await makePatient(server.db)
    const text = `CNP ${stranger.cnp}`
    const { id } = await fileUpload(TWO, { files: [{ bytes: Buffer.from(text), content_text: text }] })
    for (const [version, client] of [ana, ilie].entries()) {
      const input = { id, version: version + 1 }
      expect(codeOf(await client.graphql(ACCEPT, input))).toBe('BAD_USER_INPUT')
      expect((await client.graphql(ACCEPT, { ...input, mismatchReason: 'CNP-ul mamei' })).errors).toEqual([])
    }
    expect((await read(id)).state).toBe('released')
  })

  it('is satisfied by one where the category asks for one only by the time that one accepts', async () => {
    const { id, category_slug } = await fileUpload(TWO)
    await ana.graphql(ACCEPT, { id, version: 1 })
    await server.db.updateTable('category').set({ reviewers: 1 }).where('slug', '=', category_slug!).execute()
    expect((await read(id, ana)).firstAcceptance).toBeNull()
    expect((await ana.graphql(ACCEPT, { id, version: 2 })).data.acceptUpload.state).toBe('released')
  })
})

describe('what was accepted', () => {
  it('in a category that has left the list waits for a hand: nobody knows any more what it asked for', async () => {
    const { id } = await fileUpload({}, { category_slug: 'nu-mai-este' })
    expect((await ana.graphql(ACCEPT, { id, version: 1 })).data.acceptUpload.state).toBe('accepted')
  })

  it('by the first of two is not accepted by the same person after a move to a category that asks for one', async () => {
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

describe('what was accepted is released', () => {
  const LATER = { release: 'after_hours', release_hours: 4 }
  const BY_HAND = { release: 'by_hand' }

  it.each([['without a category', { category_slug: null }]])('at once %s', async (_what, over) => {
    const { id } = await fileUpload({ ...LATER, reviewers: 2 }, over)
    expect((await ana.graphql(ACCEPT, { id, version: 1 })).data.acceptUpload.state).toBe('released')
  })

  it('some hours later by the product itself, not a minute before', async () => {
    const { id } = await fileUpload(LATER)
    const before = Date.now()
    const { data } = await ana.graphql(ACCEPT, { id, version: 1 })
    expect(data.acceptUpload.state).toBe('accepted')
    const due = Date.parse(data.acceptUpload.releaseAt)
    expect(due).toBeGreaterThanOrEqual(before + 4 * HOUR)
    expect(due).toBeLessThanOrEqual(Date.now() + 4 * HOUR)

    await runReleases()
    expect(await read(id)).toMatchObject({ state: 'accepted', can: { release: true, decide: false } })
    expect(await isInInbox(id)).toBe(false)

    await letHoursPass(id)
    await runReleases()
    expect(await read(id)).toMatchObject({ state: 'released', releaseAt: null })
    expect(await isInInbox(id)).toBe(true)
    expect(await journalOf(id)).toMatchObject([
      { action: 'upload.accept', changes: { release_at: { to: data.acceptUpload.releaseAt } } },
      { action: 'upload.release', actor_id: null, actor_name: 'Dosar' },
    ])
  })

  it('by the policy of the moment of acceptance, whatever becomes of the category', async () => {
    const { id, category_slug } = await fileUpload(LATER)
    await ana.graphql(ACCEPT, { id, version: 1 })
    const change = { release: 'by_hand', release_hours: null }
    await server.db.updateTable('category').set(change).where('slug', '=', category_slug!).execute()
    await letHoursPass(id)
    await runReleases()
    expect((await read(id)).state).toBe('released')
  })

  it('by a reviewer’s hand alone where the category says so', async () => {
    const { id } = await fileUpload(BY_HAND)
    const { data } = await ana.graphql(ACCEPT, { id, version: 1 })
    expect(data.acceptUpload).toMatchObject({ state: 'accepted', releaseAt: null, version: 2 })
    await runReleases()
    expect((await read(id)).state).toBe('accepted')
    expect(codeOf(await ilie.graphql(RELEASE, { id, version: 1 }))).toBe('CONFLICT')
    expect((await ilie.graphql(RELEASE, { id, version: 2 })).data.releaseUpload.state).toBe('released')
    expect(codeOf(await ilie.graphql(RELEASE, { id, version: 3 }))).toBe('CONFLICT')
    expect((await journalOf(id)).at(-1)).toMatchObject({ action: 'upload.release', actor_name: 'Ilie Țepeș' })
  })

  it('before its time where a reviewer wants it so', async () => {
    const { id } = await fileUpload(LATER)
    await ana.graphql(ACCEPT, { id, version: 1 })
    expect((await ilie.graphql(RELEASE, { id, version: 2 })).data.releaseUpload.state).toBe('released')
    await letHoursPass(id)
    await runReleases()
    expect(await read(id)).toMatchObject({ state: 'released', version: 3 })
  })

  it('not at all where it was taken back to review before, and then by a new verdict only', async () => {
    const { id } = await fileUpload({ ...LATER, reviewers: 2 })
    await ana.graphql(ACCEPT, { id, version: 1 })
    await ilie.graphql(ACCEPT, { id, version: 2 })
    await letHoursPass(id)
    expect((await ilie.graphql(RETURN, { id, version: 3 })).data.returnUpload.state).toBe('in_review')
    await runReleases()
    expect(await read(id)).toMatchObject({ state: 'in_review', releaseAt: null, firstAcceptance: null })
    expect((await ana.graphql(ACCEPT, { id, version: 4 })).data.acceptUpload.state).toBe('in_review')
  })

  it('not where a file no longer agrees with its patient: it waits for a person again', async () => {
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

    await letHoursPass(later.id)
    await runReleases()
    expect((await read(later.id)).state).toBe('in_review')
    expect((await journalOf(later.id)).at(-1)).toMatchObject({
      action: 'upload.return',
      changes: { reason: { to: expect.stringContaining('nu se mai potrivește') } },
    })
    expect(codeOf(await ana.graphql(RELEASE, { id: byHand.id, version: 2 }))).toBe('CONFLICT')
    expect((await read(byHand.id)).state).toBe('accepted')
  })

  it('also where a file names somebody else and the reviewer has said why that is right', async () => {
    const text = `CNP ${(await makePatient(server.db)).cnp}`
    const { id } = await fileUpload(LATER, { files: [{ bytes: Buffer.from(text), content_text: text }] })
    await ana.graphql(ACCEPT, { id, version: 1, mismatchReason: 'CNP-ul mamei' })
    await letHoursPass(id)
    await runReleases()
    expect((await read(id)).state).toBe('released')
  })

  it.each([
    ['withdrawn by its author first', true, 'withdrawn'],
    ['released first', false, 'released'],
  ])('or withdrawn, never both: %s', async (_what, isWithdrawnFirst, state) => {
    const { id } = await fileUpload(LATER)
    await ana.graphql(ACCEPT, { id, version: 1 })
    await letHoursPass(id)
    const withdraw = () => registrar.graphql(WITHDRAW, { id })
    const [one, two] = isWithdrawnFirst
      ? await meet(id, withdraw, runReleases)
      : await meet(id, runReleases, withdraw)
    const withdrawn = isWithdrawnFirst ? one : two
    expect(codeOf(withdrawn!)).toBe(isWithdrawnFirst ? undefined : 'FORBIDDEN')
    expect((await read(id)).state).toBe(state)
    expect(await isInInbox(id)).toBe(state === 'released')
    const { length } = (await journalOf(id)).filter(({ action }) => action === 'upload.release')
    expect(length).toBe(isWithdrawnFirst ? 0 : 1)
  })

  it('and taken back by a reviewer alone [6.4]', async () => {
    const { id } = await fileUpload(BY_HAND)
    await ana.graphql(ACCEPT, { id, version: 1 })
    for (const client of [registrar, ours]) {
      for (const change of [RELEASE, RETURN])
        expect(codeOf(await client.graphql(change, { id, version: 2 }))).toBe('FORBIDDEN')
    }
    const { state, can } = await read(id, registrar)
    expect([state, can.release, can.withdraw]).toEqual(['accepted', false, true])
  })
})
