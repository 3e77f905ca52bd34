import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { makeCategory, makePatient, makeUpload, makeUser } from '../../../db/factories.ts'
import { FEATURES } from '../../../shared/access/features.ts'
import { ACCEPT_UPLOAD, WITHDRAW_UPLOAD } from '../../../test/documents.ts'
import { countLockWaits } from '../../../test/locks/lock-waits.ts'
import { listen, type RealServer } from '../../../test/real-http.ts'
import { MAKER_FEATURES, makeShareWorld, type ShareWorld } from '../../../test/shares/share-world.ts'
import { createTestServer, type TestClient } from '../../../test/test-server.ts'
import { upsertSettings } from '../site/site.db.ts'

let world: ShareWorld
let reviewer: TestClient
let admin: TestClient
let real: RealServer

beforeAll(async () => {
  const server = await createTestServer({ trustProxy: true }, afterAll)
  world = await makeShareWorld(server)
  reviewer = await server.signIn(
    (await makeUser(server.db, { role: 'staff', features: ['admin::review-files', 'patient::files'] })).email,
  )
  admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
  real = await listen(server.app)
  afterAll(() => real.close())
})

const RIGHT = '23.04.1961'
const shareOf = (id: string) =>
  world.server.db.selectFrom('share').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const updateMaker = (values: object) =>
  world.server.db.updateTable('app_user').set(values).where('id', '=', world.maker.id).execute()
const setFeatures = (without?: string) =>
  upsertSettings(world.server.db, { features: FEATURES.filter((feature) => feature !== without) })
const suspend = (userId: string) =>
  admin.runQuery('mutation ($userId: ID!) { suspendUser(userId: $userId) { id } }', { userId })
const versionOf = async (id: string) =>
  (
    await world.server.db
      .selectFrom('upload')
      .select('version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).version

/** A share of a result of its own, opened in a browser. */
async function openShare(over: object = {}) {
  const upload = await world.release()
  const share = await world.create({ uploadIds: [upload.id], ...over })
  const browser = world.browser()
  await browser.prove(share.token, RIGHT)
  expect((await browser.results(share.token)).uploads).toHaveLength(1)
  const path = `/s/${share.token}/files/${upload.files[0]!.id}`
  const isClosed = async () => {
    expect(await browser.results(share.token)).toBeNull()
    for (const address of [path, `${path}/preview`, `/s/${share.token}/zip`])
      expect((await browser.get(address)).status).toBe(404)
    expect(await browser.page(share.token)).toMatchObject({ state: 'closed' })
    expect(await world.browser().page(share.token)).toMatchObject({ state: 'closed', closedReason: null })
    expect((await world.browser().prove(share.token, RIGHT)).outcome).toBe('closed')
  }
  return { ...share, upload, browser, path, isClosed }
}

describe('a share is closed at once', () => {
  it.each([
    ['is suspended', { status: 'suspended' as const }, { status: 'active' as const }],
    ['may no longer share', { features: ['patient::files' as const] }, { features: [...MAKER_FEATURES] }],
    [
      'may no longer read files',
      { features: ['patient::share' as const] },
      { features: [...MAKER_FEATURES] },
    ],
    ['belongs to an institution', { role: 'institution' as const }, { role: 'staff' as const }],
  ])('if its maker %s [3.2]', async (_why, values, before) => {
    const share = await openShare()
    await updateMaker(values)
    await share.isClosed()
    await updateMaker(before)
    expect((await share.browser.results(share.token)).uploads).toHaveLength(1)
  })

  it.each(['patient::share', 'patient::files'])('if the site no longer has %s [3.2]', async (feature) => {
    const share = await openShare()
    await setFeatures(feature)
    await share.isClosed()
    await setFeatures()
    expect((await share.browser.results(share.token)).uploads).toHaveLength(1)
  })

  it('if its only result is withdrawn: it has ended, and says so to who may share', async () => {
    const share = await openShare()
    await reviewer.runQuery(WITHDRAW_UPLOAD, { id: share.upload.id })
    await share.isClosed()
    expect(await shareOf(share.id)).toMatchObject({ ended_why: 'uploads', ended_by: null })
    const { action } = await world.server.db
      .selectFrom('audit_event')
      .select('action')
      .where('subject_id', '=', share.id)
      .where('action', '=', 'share.end')
      .executeTakeFirstOrThrow()
    expect(action).toBe('share.end')
  })

  it('if its two results are withdrawn at the same moment', async () => {
    const [one, other] = [await world.release(), await world.release()]
    const { id } = await world.create({ uploadIds: [one.id, other.id] })
    const { db } = world.server
    const withdrawals = await db.transaction().execute(async (tx) => {
      await tx.selectFrom('share').select('id').where('id', '=', id).forUpdate().execute()
      const started = [one, other].map((upload) => reviewer.runQuery(WITHDRAW_UPLOAD, { id: upload.id }))
      await expect.poll(() => countLockWaits(db)).toBe(2)
      return started
    })
    await Promise.all(withdrawals)
    expect(await shareOf(id)).toMatchObject({ ended_why: 'uploads' })
  })

  it('for the result that is withdrawn; the others stay', async () => {
    const [kept, gone] = [await world.release(), await world.release()]
    const { token, id } = await world.create({ uploadIds: [kept.id, gone.id] })
    const browser = world.browser()
    await browser.prove(token, RIGHT)
    const fileIds = [kept, gone].flatMap(({ files }) => files.map(({ id: fileId }) => fileId))
    expect((await browser.page(token)).fileIds.toSorted()).toEqual(fileIds.toSorted())
    expect((await world.browser().page(token)).fileIds).toEqual([])
    await reviewer.runQuery(WITHDRAW_UPLOAD, { id: gone.id })
    // An open page reads its results again.
    expect((await browser.page(token)).fileIds).toEqual([kept.files[0]!.id])
    expect((await browser.results(token)).uploads).toMatchObject([{ id: kept.id }])
    expect((await browser.get(`/s/${token}/files/${gone.files[0]!.id}`)).status).toBe(404)
    expect(await shareOf(id)).toMatchObject({ ended_at: null })
  })

  it('for a replaced result, whose new version takes its place', async () => {
    const share = await openShare()
    const { db, services } = world.server
    const next = await makeUpload(db, services.storage, {
      state: 'in_review',
      patient_id: world.patient.id,
      institution_id: world.institution.id,
      replaces_id: share.upload.id,
      revision: 2,
    })
    await reviewer.runQuery(ACCEPT_UPLOAD, { id: next.id, version: await versionOf(next.id) })
    await world.server.runJobs()
    expect((await share.browser.results(share.token)).uploads).toMatchObject([{ id: next.id }])
    expect((await share.browser.get(share.path)).status).toBe(404)
    expect(await shareOf(share.id)).toMatchObject({ ended_at: null })
  })

  it('and who has opened a result at a link by mail gets mail once it is withdrawn, also if that ended the link', async () => {
    const { db, services } = world.server
    services.mailer = { send: async () => undefined, stop: () => undefined }
    const email = 'destinatar@exemplu.test'
    const share = await openShare({ channel: 'mail', email })
    // Nobody has opened this one.
    await world.create({ channel: 'mail', email: 'altul@exemplu.test', uploadIds: [share.upload.id] })
    await reviewer.runQuery(WITHDRAW_UPLOAD, { id: share.upload.id })
    await world.server.runJobs()
    services.mailer = null
    const mails = await db
      .selectFrom('message')
      .select(['recipient', 'recipient_name', 'state', 'about_id', 'subject'])
      .where('kind', '=', 'share-recalled')
      .execute()
    expect(mails).toMatchObject([
      { recipient: email, recipient_name: null, state: 'sent', about_id: share.id },
    ])
    expect(mails[0]!.subject).toContain('nu mai este valabil')
  })

  it('if its result is moved to another patient, or to the bin', async () => {
    const moved = await openShare()
    const other = await makePatient(world.server.db)
    await reviewer.runQuery(
      'mutation ($id: ID!, $version: Int!, $patientId: ID!) { moveReleasedUpload(id: $id, version: $version, patientId: $patientId, reason: "Alt pacient") { __typename } }',
      { id: moved.upload.id, version: await versionOf(moved.upload.id), patientId: other.id },
    )
    await moved.isClosed()
    expect(await shareOf(moved.id)).toMatchObject({ ended_why: 'uploads' })
    const binned = await openShare()
    const category = await makeCategory(world.server.db, { retention_years: 1 })
    await world.server.db
      .updateTable('upload')
      .set({ category_slug: category.slug, released_at: new Date('2019-01-01') })
      .where('id', '=', binned.upload.id)
      .execute()
    await world.server.services.jobs.enqueue(world.server.db, 'apply-retention', {})
    await world.server.runJobs()
    await binned.isClosed()
    expect(await shareOf(binned.id)).toMatchObject({ ended_why: 'uploads' })
  })

  it('and what its recipients did with a result is in its list of openings, and in the incident once it is moved', async () => {
    const doctor = await openShare({ recipientKind: 'doctor', recipientName: 'Dr. Pop' })
    await (await doctor.browser.get(doctor.path)).arrayBuffer()
    await (await doctor.browser.get(`/s/${doctor.token}/zip`)).arrayBuffer()
    const uploadIds = [doctor.upload.id]
    const [patient, unopened] = [
      await world.create({ uploadIds }),
      await world.create({ uploadIds, recipientKind: 'institution', recipientName: 'Spitalul Mare' }),
    ]
    const browser = world.browser()
    await browser.prove(patient.token, RIGHT)
    await browser.results(patient.token)
    await (await browser.get(`${doctor.path.replace(doctor.token, patient.token)}/preview`)).arrayBuffer()
    await world.browser().page(unopened.token)
    // Of another result.
    const elsewhere = await openShare({ recipientKind: 'doctor', recipientName: 'Dr. Alt' })
    expect((await elsewhere.browser.get(doctor.path)).status).toBe(404)

    const openings = [
      { name: 'Dr. Pop, printr-un link', acts: ['open', 'download', 'archive'] },
      { name: 'Pacientul, printr-un link', acts: ['open', 'preview'] },
    ].map(({ name, acts }) => ({ name, institutionName: null, acts: acts.map((kind) => ({ kind })) }))
    const OPENINGS = 'openings { name institutionName acts { kind } }'
    const listed = await reviewer.runQuery(
      `query ($id: ID!) { ${OPENINGS.replace('openings', 'openings(uploadId: $id)')} }`,
      { id: doctor.upload.id },
    )
    expect(listed.openings).toEqual(openings)
    const { moveReleasedUpload } = await reviewer.runQuery(
      'mutation ($id: ID!, $version: Int!, $patientId: ID!) { moveReleasedUpload(id: $id, version: $version, patientId: $patientId, reason: "Alt pacient") { id } }',
      {
        id: doctor.upload.id,
        version: await versionOf(doctor.upload.id),
        patientId: (await makePatient(world.server.db)).id,
      },
    )
    const { incident } = await reviewer.runQuery(`query ($id: ID!) { incident(id: $id) { ${OPENINGS} } }`, {
      id: moveReleasedUpload.id,
    })
    expect(incident.openings).toEqual(openings)
  })

  it('also for a reading that waits while its result is moved: nothing is read that the incident does not have', async () => {
    const { db } = world.server
    const { id, browser, token, path, upload } = await openShare()
    const move = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    // As a move of the upload, which is slow.
    const moving = db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('dosar.openings ' || ${upload.id}::uuid, 0))`.execute(
        tx,
      )
      await tx.updateTable('upload').set({ state: 'in_review' }).where('id', '=', upload.id).execute()
      locked.resolve()
      await move.promise
    })
    await locked.promise
    const readings = [browser.results(token), browser.get(path), browser.get(`/s/${token}/zip`)] as const
    await new Promise((resolve) => setTimeout(resolve, 300))
    move.resolve()
    await moving
    const [results, ...files] = await Promise.all(readings)
    expect(results).toBeNull()
    expect(files.map(({ status }) => status)).toEqual([404, 404])
    const { events } = await db
      .selectFrom('share_event')
      .select((eb) => eb.fn.countAll<number>().as('events'))
      .where('share_id', '=', id)
      .where('kind', '<>', 'opened')
      .executeTakeFirstOrThrow()
    expect(Number(events)).toBe(0)
  })

  it('to a patient whose result is of a category that patients do not see; a doctor keeps it', async () => {
    const category = await makeCategory(world.server.db)
    const upload = await world.release({ category_slug: category.slug })
    const [patient, doctor] = [
      await world.create({ uploadIds: [upload.id] }),
      await world.create({ uploadIds: [upload.id], recipientKind: 'doctor', recipientName: 'Dr. Pop' }),
    ]
    await world.server.db
      .updateTable('category')
      .set({ visible_to_patients: false })
      .where('id', '=', category.id)
      .execute()
    expect((await world.browser().page(patient.token)).state).toBe('closed')
    expect((await world.browser().page(doctor.token)).state).toBe('proof')
    const refused = await world.client.graphql(
      'mutation ($input: ShareInput!) { createShare(input: $input) { link } }',
      { input: world.inputFor({ uploadIds: [upload.id] }) },
    )
    expect(refused.errors[0]!.extensions.fields![0]!.field).toBe('uploadIds')
  })

  it.each([
    ['is ended', (id: string) => world.end(id)],
    ['loses its maker', (_id: string, userId: string) => suspend(userId)],
    [
      'is of a maker who loses the feature',
      async (_id: string, userId: string) => {
        const { name, email, version } = await world.server.db
          .selectFrom('app_user')
          .select(['name', 'email', 'version'])
          .where('id', '=', userId)
          .executeTakeFirstOrThrow()
        const user = { name, email, role: 'staff', features: ['patient::files'] }
        await admin.runQuery(
          'mutation ($id: ID!, $version: Int!, $user: UserInput!) { updateUser(id: $id, version: $version, user: $user) { id } }',
          { id: userId, version, user },
        )
      },
    ],
    [
      'is of a site that loses the feature',
      async () => {
        onTestFinished(() => setFeatures())
        const { version } = (await admin.runQuery('{ siteSettings { version } }')).siteSettings
        await admin.runQuery(
          'mutation ($version: Int!, $changes: JSON!) { saveSettings(version: $version, changes: $changes) { version } }',
          { version, changes: { features: FEATURES.filter((feature) => feature !== 'patient::share') } },
        )
      },
    ],
  ])('while a download runs: one that %s cuts it [3.2]', async (_why, close) => {
    const maker = await makeUser(world.server.db, { role: 'staff', features: [...MAKER_FEATURES] })
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(24 * 1024 * 1024)])
    const upload = await world.release({ files: [{ bytes }] })
    const { token, id } = await world.create(
      { uploadIds: [upload.id] },
      await world.server.signIn(maker.email),
    )
    const browser = world.browser()
    await browser.prove(token, RIGHT)
    const response = await fetch(`${real.url}/s/${token}/files/${upload.files[0]!.id}`, {
      headers: { cookie: browser.client.cookie },
    })
    const reader = response.body!.getReader()
    let received = (await reader.read()).value!.length
    await close(id, maker.id)
    const rest = async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        received += part.value.length
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    await expect(rest()).rejects.toThrow()
    expect(received).toBeLessThan(bytes.length)
    expect((await browser.get(`/s/${token}/files/${upload.files[0]!.id}`)).status).toBe(404)
  })
})

describe('the role of recipients', () => {
  it('reads, without any condition in the query, what its open share shows and nothing else of any table', async () => {
    const mine = await openShare()
    await openShare()
    await world.release()
    const { id: sessionId } = await world.server.db
      .selectFrom('share_session')
      .select('id')
      .where('share_id', '=', mine.id)
      .executeTakeFirstOrThrow()
    const db = world.server.services.recipients.forSession(sessionId)
    const ids = async (table: string) =>
      (await sql<{ id: string }>`select id from ${sql.table(table)}`.execute(db)).rows.map(({ id }) => id)
    const look = async () => ({
      upload: await ids('upload'),
      file: await ids('file'),
      share: await ids('share'),
      events: (await sql<{ share_id: string }>`select distinct share_id from share_event`.execute(db)).rows,
    })
    expect(await look()).toEqual({
      upload: [mine.upload.id],
      file: [mine.upload.files[0]!.id],
      share: [mine.id],
      events: [{ share_id: mine.id }],
    })
    const { rows: tables } = await sql<{ name: string }>`
      select relname as name from pg_class where relkind in ('r', 'v', 'p') and relnamespace = 'public'::regnamespace`.execute(
      world.server.db,
    )
    const readable: string[] = []
    for (const { name } of tables)
      await sql`select count(*) from ${sql.table(name)}`.execute(db).then(
        () => readable.push(name),
        (error: { code: string }) => expect([name, error.code]).toEqual([name, '42501']),
      )
    expect(readable.sort()).toEqual([
      'category',
      'category_slug_change',
      'file',
      'share',
      'share_event',
      'upload',
    ])
    for (const statement of [
      `update share set expires_at = 'infinity'`,
      `insert into share_session select * from share_session`,
      `update upload set title = ''`,
      `delete from share_event`,
      `select patient_id from upload`,
      `select content_text from file`,
      `select email from share`,
      `select uploads_of_share('${mine.id}')`,
    ])
      await expect(sql.raw(statement).execute(db)).rejects.toMatchObject({ code: '42501' })
    // In the name of another session, or of an account.
    for (const statement of [
      `insert into share_event (id, share_id, session_id, kind, at) values (gen_random_uuid(), '${mine.id}', gen_random_uuid(), 'downloaded', now())`,
      `insert into share_event (id, share_id, session_id, kind, at) values (gen_random_uuid(), '${mine.id}', '${sessionId}', 'opened', now())`,
      `insert into audit_event (actor_name, role, origin, action, outcome, request_id) values ('x', 'admin', 'web', 'x', 'ok', 'x')`,
    ])
      await expect(sql.raw(statement).execute(db)).rejects.toThrow(/row-level security/)
    await world.end(mine.id)
    expect(await look()).toEqual({ upload: [], file: [], share: [], events: [] })
    const nobody = world.server.services.recipients.forSession('')
    expect((await sql`select id from upload`.execute(nobody)).rows).toEqual([])
  })
})
