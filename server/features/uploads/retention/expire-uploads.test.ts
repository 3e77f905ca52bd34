import { sql } from 'kysely'
import { expect, it } from 'vitest'
import {
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../../db/factories.ts'
import { countLockWaits } from '../../../../test/locks/lock-waits.ts'
import { requireLongTimeout } from '../../../../test/locks/require-long-timeout.ts'
import { createTestServer, type TestServer } from '../../../../test/test-server.ts'
import { allowLongStatements } from '../../../platform/database/database.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const yearsAgo = (years: number, days = 0) => {
  const date = new Date(Date.now() - days * DAY_MS)
  date.setUTCFullYear(date.getUTCFullYear() - years)
  return date
}

/** Creates `count` uploads without files that were released at `released_at`. */
async function makeMany(server: TestServer, count: number, released_at = new Date()): Promise<void> {
  const { id } = await makeUpload(server.db, server.services.storage, {
    state: 'released',
    released_at,
    files: [],
  })
  await server.db.transaction().execute(async (tx) => {
    await allowLongStatements(tx)
    await sql`
      insert into upload (id, patient_id, title, source, state, released_at, created_by)
      select gen_random_uuid(), patient_id, title, source, state, released_at, created_by
      from upload, generate_series(2, ${count}) where id = ${id}`.execute(tx)
  })
}

async function expire(server: TestServer): Promise<void> {
  await server.services.jobs.enqueue(server.db, 'apply-retention', {})
  await server.runJobs()
}

const setSiteRetention = (server: TestServer, years: number | null) =>
  server.db
    .insertInto('site_setting')
    .values({ key: 'retention_years', value: JSON.stringify(years) })
    .onConflict((on) => on.column('key').doUpdateSet(({ ref }) => ({ value: ref('excluded.value') })))
    .execute()

const binned = async ({ db }: TestServer) =>
  (await db.selectFrom('upload').select('id').where('deleted_at', 'is not', null).execute())
    .map(({ id }) => id)
    .sort()

const eventsOf = ({ db }: TestServer, action: string) =>
  db
    .selectFrom('audit_event')
    .select(['subject_id', 'patient_id', 'actor_id', 'outcome', 'changes'])
    .where('action', '=', action)
    .execute()

it('uploads past the retention of their category or site move to the bin and leave the inbox', async () => {
  const server = await createTestServer()
  const { db, services } = server
  const institution = await makeInstitution(db)
  const user = await makeUser(db, { role: 'institution', institutionIds: [institution.id] })
  const client = await server.signIn(user.email)
  const patient = await makePatient(db)
  await makeReferral(db, { patient_id: patient.id, institution_id: institution.id })
  const two = await makeCategory(db, { retention_years: 2 })
  const never = await makeCategory(db, { retention_years: null })
  await db
    .insertInto('category_slug_change')
    .values([
      { old_slug: 'mutata-la-doi', new_slug: two.slug },
      { old_slug: 'mutata-la-niciodata', new_slug: never.slug },
      { old_slug: 'mutata-la-nimic', new_slug: 'nu-mai-este' },
    ])
    .execute()
  const make = (released_at: Date, over: Parameters<typeof makeUpload>[2]) =>
    makeUpload(db, services.storage, {
      state: 'released',
      patient_id: patient.id,
      institution_id: institution.id,
      ...over,
      released_at,
    })
  const expired = [
    await make(yearsAgo(2, 1), { category_slug: two.slug }),
    await make(yearsAgo(2, 1), { category_slug: 'mutata-la-doi' }),
    await make(yearsAgo(5, 1), { category_slug: null }),
    await make(yearsAgo(5, 1), { category_slug: 'mutata-la-nimic' }),
    await make(yearsAgo(5, 1), { category_slug: 'nu-mai-este', state: 'withdrawn' }),
  ]
  const kept = [
    await make(yearsAgo(2, -1), { category_slug: two.slug }),
    await make(yearsAgo(80), { category_slug: never.slug }),
    await make(yearsAgo(80), { category_slug: 'mutata-la-niciodata' }),
    await make(yearsAgo(5, -1), { category_slug: null }),
    // Still in review, so it does not expire.
    await make(yearsAgo(9), { category_slug: two.slug, state: 'in_review' }),
  ]
  const inbox = async () =>
    (await client.graphql('{ inbox { nodes { id } } }')).data.inbox.nodes.map(({ id }: { id: string }) => id)
  expect(await inbox()).toHaveLength(8)

  await setSiteRetention(server, 5)
  await expire(server)
  expect(await binned(server)).toEqual(expired.map(({ id }) => id).sort())
  expect((await inbox()).sort()).toEqual(
    kept
      .slice(0, 4)
      .map(({ id }) => id)
      .sort(),
  )
  const read = await client.graphql('query ($id: ID!) { upload(id: $id) { id } }', { id: expired[0]!.id })
  expect(read.errors[0]?.extensions.code).toBe('NOT_FOUND')
  const events = await eventsOf(server, 'upload.expire')
  expect(events.map(({ subject_id }) => subject_id).sort()).toEqual(await binned(server))
  expect(events[0]).toMatchObject({ patient_id: patient.id, actor_id: null, outcome: 'ok' })
})

it('no upload moves to the bin if neither its category nor the site has a retention', async () => {
  const server = await createTestServer()
  await makeUpload(server.db, server.services.storage, { state: 'released', released_at: yearsAgo(80) })
  await expire(server)
  expect(await binned(server)).toEqual([])
})

const failures = async (server: TestServer) =>
  (await eventsOf(server, 'upload.expire')).filter(({ outcome }) => outcome === 'failed')

it.each([
  { due: 20, live: 20, why: 'all twenty of a small organisation' },
  { due: 22, live: 440, why: 'a twentieth' },
])('up to the limit uploads move to the bin: $why ($due of $live)', async ({ due, live }) => {
  const server = await createTestServer()
  await makeMany(server, due, yearsAgo(3))
  if (live > due) await makeMany(server, live - due)
  await setSiteRetention(server, 2)
  await expire(server)
  expect(await binned(server)).toHaveLength(due)
  expect(await failures(server)).toEqual([])
})

it.each([
  { due: 21, live: 419, why: 'more than twenty and more than a twentieth' },
  { due: 1_001, live: 20_100, why: 'more than a thousand' },
])(
  'over the limit no upload moves to the bin, and the audit log and the log report it: $why ($due of $live)',
  async ({ due, live }) => {
    const server = await createTestServer()
    await makeMany(server, due, yearsAgo(3))
    await makeMany(server, live - due)
    await setSiteRetention(server, 2)
    await expire(server)
    expect(await binned(server)).toEqual([])
    expect(await failures(server)).toMatchObject([{ subject_id: null, changes: { uploads: { to: due } } }])
    expect(
      server.logged.some((line) => line.includes('"level":"error"') && line.includes('past their retention')),
    ).toBe(true)
  },
)

it('no upload moves to the bin if the limit is exceeded only after the count', async () => {
  const server = await createTestServer()
  const { db, services } = server
  const [never, one] = [await makeCategory(db), await makeCategory(db, { retention_years: 1 })]
  await makeMany(server, 30, yearsAgo(3))
  await db.updateTable('upload').set({ category_slug: never.slug }).execute()
  await makeUpload(db, services.storage, {
    state: 'released',
    released_at: yearsAgo(3),
    category_slug: one.slug,
  })
  const job = await db.transaction().execute(async (tx) => {
    // Reads are possible, writes wait.
    await sql`lock table upload in exclusive mode`.execute(tx)
    const job = expire(server)
    await expect.poll(() => countLockWaits(db)).toBe(1)
    await db.updateTable('category').set({ retention_years: 1 }).where('slug', '=', never.slug).execute()
    return { job }
  })
  await job.job
  expect(await binned(server)).toEqual([])
  expect(await eventsOf(server, 'upload.expire')).toMatchObject([
    { outcome: 'failed', changes: { uploads: { to: 31 } } },
  ])
})

it('the statement that moves uploads to the bin may take a minute', async () => {
  const server = await createTestServer()
  await makeMany(server, 3, yearsAgo(3))
  await requireLongTimeout(server)
  await setSiteRetention(server, 2)
  await expire(server)
  expect(await binned(server)).toHaveLength(3)
  await setSiteRetention(server, null)
  await expire(server)
  expect(await binned(server)).toEqual([])
})

it('uploads that are no longer past their retention are restored from the bin the next night', async () => {
  const server = await createTestServer()
  const { db, services } = server
  const institution = await makeInstitution(db)
  const user = await makeUser(db, { role: 'institution', institutionIds: [institution.id] })
  const client = await server.signIn(user.email)
  const patient = await makePatient(db)
  await makeReferral(db, { patient_id: patient.id, institution_id: institution.id })
  const details = { patient_id: patient.id, institution_id: institution.id, state: 'released' } as const
  const category = await makeCategory(db, { retention_years: 1 })
  const [bySite, byCategory, old] = [
    await makeUpload(db, services.storage, { ...details, released_at: yearsAgo(3) }),
    await makeUpload(db, services.storage, {
      ...details,
      released_at: yearsAgo(3),
      category_slug: category.slug,
    }),
    await makeUpload(db, services.storage, { ...details, released_at: yearsAgo(9) }),
  ]
  const events = services.events.subscribe()
  let published: string[] = []
  const listening = (async () => {
    for await (const event of events) if (event.kind === 'upload') published.push(event.id)
  })()
  await setSiteRetention(server, 2)
  await expire(server)
  expect(await binned(server)).toHaveLength(3)
  await expect.poll(() => published).toHaveLength(3)

  // The administrator corrects both settings.
  await setSiteRetention(server, 5)
  await db.updateTable('category').set({ retention_years: null }).execute()
  published = []
  await expire(server)
  expect(await binned(server)).toEqual([old.id])
  const restored = [bySite.id, byCategory.id].sort()
  const inbox = (await client.graphql('{ inbox { nodes { id } } }')).data.inbox.nodes
  expect(inbox.map(({ id }: { id: string }) => id).sort()).toEqual(restored)
  const rows = await eventsOf(server, 'upload.unexpire')
  expect(rows.map(({ subject_id }) => subject_id).sort()).toEqual(restored)
  expect(rows[0]).toMatchObject({ patient_id: patient.id, actor_id: null, outcome: 'ok' })
  await expect.poll(() => published.sort()).toEqual(restored)
  await events.return?.()
  await listening

  await expire(server)
  expect(await eventsOf(server, 'upload.unexpire')).toHaveLength(2)
})

it('uploads are restored from the bin even if too many others are past their retention', async () => {
  const server = await createTestServer()
  const category = await makeCategory(server.db, { retention_years: null })
  await makeMany(server, 30, yearsAgo(3))
  const { id } = await makeUpload(server.db, server.services.storage, {
    state: 'released',
    released_at: yearsAgo(3),
    category_slug: category.slug,
    deleted_at: new Date(),
  })
  await setSiteRetention(server, 2)
  await expire(server)
  expect(await failures(server)).toHaveLength(1)
  expect(await eventsOf(server, 'upload.unexpire')).toMatchObject([{ subject_id: id }])
  expect(await binned(server)).toEqual([])
})

it('the files of an upload in the bin are deleted after thirty days with their text; the rows stay', async () => {
  const server = await createTestServer()
  const { db, services } = server
  const { id, files } = await makeUpload(db, services.storage, {
    state: 'released',
    released_at: yearsAgo(3),
  })
  const { storage_key, size } = files[0]!
  await setSiteRetention(server, 2)
  await expire(server)
  await expire(server)
  await (await services.storage.open(storage_key)).close()

  const setDaysInBin = (days: number) =>
    db
      .updateTable('upload')
      .set({ deleted_at: new Date(Date.now() - days * DAY_MS) })
      .where('id', '=', id)
      .execute()
  await setDaysInBin(29)
  await expire(server)
  await (await services.storage.open(storage_key)).close()

  await setDaysInBin(31)
  await expire(server)
  await expire(server)
  await expect(services.storage.open(storage_key)).rejects.toMatchObject({ code: 'ENOENT' })
  const rows = await db.selectFrom('file').selectAll().where('upload_id', '=', id).execute()
  expect(rows).toMatchObject([{ removed_reason: 'retention', content_text: null, cnps: null, facts: {} }])
  expect(rows[0]!.removed_at).not.toBeNull()
  expect(await eventsOf(server, 'upload.remove-files')).toMatchObject([
    { subject_id: id, actor_id: null, changes: { files: { to: 1 }, bytes: { to: size } } },
  ])
  expect(
    server.logged.some((line) => line.includes('files removed') && line.includes(`"bytes":${size}`)),
  ).toBe(true)

  // An upload without its files is not restored.
  await setSiteRetention(server, 10)
  await expire(server)
  expect(await binned(server)).toEqual([id])
})

it('no bytes are deleted if the transaction that records it fails', async () => {
  const server = await createTestServer()
  const { db, services } = server
  const { id, files } = await makeUpload(db, services.storage, {
    state: 'released',
    released_at: yearsAgo(3),
    deleted_at: new Date(Date.now() - 31 * DAY_MS),
  })
  await setSiteRetention(server, 2)
  await sql`
    create function fail() returns trigger language plpgsql as $$ begin raise 'failed at the commit'; end $$`.execute(
    db,
  )
  await sql`
    create constraint trigger fail after update on file deferrable initially deferred
    for each row execute function fail()`.execute(db)
  await expire(server)
  const { storage_key } = files[0]!
  await (await services.storage.open(storage_key)).close()
  const kept = await db.selectFrom('file').selectAll().where('upload_id', '=', id).execute()
  expect(kept).toMatchObject([{ removed_at: null }])

  await sql`drop trigger fail on file`.execute(db)
  await expire(server)
  await expect(services.storage.open(storage_key)).rejects.toMatchObject({ code: 'ENOENT' })
})

it('the files are kept if the retention becomes longer while the upload is in the bin', async () => {
  const server = await createTestServer()
  const { db, services } = server
  const { files } = await makeUpload(db, services.storage, {
    state: 'released',
    released_at: yearsAgo(3),
    deleted_at: new Date(Date.now() - 40 * DAY_MS),
  })
  await setSiteRetention(server, 10)
  await expire(server)
  const { storage_key } = files[0]!
  await (await services.storage.open(storage_key)).close()
  expect(await eventsOf(server, 'upload.remove-files')).toEqual([])
})
