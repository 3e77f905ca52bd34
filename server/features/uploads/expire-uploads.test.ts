import { expect, it } from 'vitest'
import {
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../db/factories.ts'
import { createTestServer, type TestServer } from '../../../test/harness.ts'

const DAY = 24 * 60 * 60 * 1000
const yearsAgo = (years: number, days = 0) => {
  const date = new Date(Date.now() - days * DAY)
  date.setUTCFullYear(date.getUTCFullYear() - years)
  return date
}

/** Enough uploads of today that one more or less is no large part of them. */
async function makeOthers(server: TestServer, count = 60): Promise<void> {
  const { id, created_by, patient_id } = await makeUpload(server.db, server.parts.storage, {
    state: 'released',
  })
  const {
    version: _,
    number: __,
    ...row
  } = await server.db.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await server.db
    .insertInto('upload')
    .values(
      Array.from({ length: count - 1 }, () => ({ ...row, id: crypto.randomUUID(), created_by, patient_id })),
    )
    .execute()
}

async function expire(server: TestServer): Promise<void> {
  await server.parts.jobs.enqueue(server.db, 'upload.expire', {})
  await server.runJobs()
}

const setSiteTerm = (server: TestServer, years: number) =>
  server.db
    .insertInto('site_setting')
    .values({ key: 'retention_years', value: JSON.stringify(years) })
    .execute()

const binned = async ({ db }: TestServer) =>
  (await db.selectFrom('upload').select('id').where('deleted_at', 'is not', null).execute())
    .map(({ id }) => id)
    .sort()

const journalOf = ({ db }: TestServer, action: string) =>
  db
    .selectFrom('audit_event')
    .select(['subject_id', 'patient_id', 'actor_id', 'outcome', 'changes'])
    .where('action', '=', action)
    .execute()

it('puts what is past the term of its category, else of the site, into the bin: its institution no longer sees it', async () => {
  const server = await createTestServer()
  const { db, parts } = server
  await makeOthers(server, 120)
  const institution = await makeInstitution(db)
  const user = await makeUser(db, { role: 'institution', institutionIds: [institution.id] })
  const client = await server.signIn(user.email)
  const patient = await makePatient(db)
  await makeReferral(db, { patient_id: patient.id, institution_id: institution.id })
  const two = await makeCategory(db, { retention_years: 2 })
  const silent = await makeCategory(db)
  const make = (released_at: Date, over: Parameters<typeof makeUpload>[2]) =>
    makeUpload(db, parts.storage, {
      state: 'released',
      patient_id: patient.id,
      institution_id: institution.id,
      ...over,
      released_at,
    })
  const gone = [
    await make(yearsAgo(2, 1), { category_slug: two.slug }),
    await make(yearsAgo(5, 1), { category_slug: silent.slug }),
    await make(yearsAgo(5, 1), { category_slug: null }),
    await make(yearsAgo(5, 1), { category_slug: 'nu-mai-este', state: 'withdrawn' }),
  ]
  const kept = [
    await make(yearsAgo(2, -1), { category_slug: two.slug }),
    await make(yearsAgo(4), { category_slug: silent.slug }),
    // Somebody is at work on it.
    await make(yearsAgo(9), { category_slug: two.slug, state: 'in_review' }),
  ]
  const inbox = async () =>
    (await client.graphql('{ inbox { nodes { id } } }')).data.inbox.nodes.map(({ id }: { id: string }) => id)
  expect(await inbox()).toHaveLength(5)

  await setSiteTerm(server, 5)
  await expire(server)
  expect(await binned(server)).toEqual(gone.map(({ id }) => id).sort())
  expect((await inbox()).sort()).toEqual([kept[0]!.id, kept[1]!.id].sort())
  const read = await client.graphql('query ($id: ID!) { upload(id: $id) { id } }', { id: gone[0]!.id })
  expect(read.errors[0]?.extensions.code).toBe('NOT_FOUND')
  const journal = await journalOf(server, 'upload.expire')
  expect(journal.map(({ subject_id }) => subject_id).sort()).toEqual(await binned(server))
  expect(journal[0]).toMatchObject({ patient_id: patient.id, actor_id: null, outcome: 'ok' })
})

it('puts nothing there where neither the category nor the site has a term', async () => {
  const server = await createTestServer()
  await makeOthers(server)
  await makeUpload(server.db, server.parts.storage, { state: 'released', released_at: yearsAgo(80) })
  await expire(server)
  expect(await binned(server)).toEqual([])
})

it('moves nothing where it would be more than a twentieth of all, and says so in the journal and the log', async () => {
  const server = await createTestServer()
  await makeOthers(server, 57)
  const old = { state: 'released', released_at: yearsAgo(3) } as const
  for (let count = 0; count < 3; count += 1) await makeUpload(server.db, server.parts.storage, old)
  await setSiteTerm(server, 2)
  await expire(server)
  // Three of sixty are a twentieth, not more.
  expect(await binned(server)).toHaveLength(3)

  for (let count = 0; count < 4; count += 1) await makeUpload(server.db, server.parts.storage, old)
  await expire(server)
  expect(await binned(server)).toHaveLength(3)
  expect(
    (await journalOf(server, 'upload.expire')).filter(({ outcome }) => outcome === 'failed'),
  ).toMatchObject([{ subject_id: null, changes: { uploads: { to: 4 } } }])
  expect(
    server.logged.some((line) => line.includes('"level":"error"') && line.includes('past their term')),
  ).toBe(true)
})

it('removes the files thirty days later and what stood in them, and says how many; the rows stay', async () => {
  const server = await createTestServer()
  const { db, parts } = server
  await makeOthers(server)
  const { id, files } = await makeUpload(db, parts.storage, { state: 'released', released_at: yearsAgo(3) })
  const { storage_key, size } = files[0]!
  await setSiteTerm(server, 2)
  await expire(server)
  await expire(server)
  expect((await parts.storage.lend(storage_key)).path).toContain(storage_key)

  const letDaysPass = (days: number) =>
    db
      .updateTable('upload')
      .set({ deleted_at: new Date(Date.now() - days * DAY) })
      .where('id', '=', id)
      .execute()
  await letDaysPass(29)
  await expire(server)
  expect((await parts.storage.lend(storage_key)).path).toContain(storage_key)

  await letDaysPass(31)
  await expire(server)
  await expire(server)
  await expect(parts.storage.lend(storage_key)).rejects.toMatchObject({ code: 'ENOENT' })
  const rows = await db.selectFrom('file').selectAll().where('upload_id', '=', id).execute()
  expect(rows).toMatchObject([{ removed_reason: 'retention', content_text: null, facts: {} }])
  expect(rows[0]!.removed_at).not.toBeNull()
  expect(await journalOf(server, 'upload.remove-files')).toMatchObject([
    { subject_id: id, actor_id: null, changes: { files: { to: 1 }, bytes: { to: size } } },
  ])
  expect(
    server.logged.some((line) => line.includes('files removed') && line.includes(`"bytes":${size}`)),
  ).toBe(true)
})

it('keeps the files where the term was made longer while the upload lay in the bin', async () => {
  const server = await createTestServer()
  const { db, parts } = server
  const { files } = await makeUpload(db, parts.storage, {
    state: 'released',
    released_at: yearsAgo(3),
    deleted_at: new Date(Date.now() - 40 * DAY),
  })
  await setSiteTerm(server, 10)
  await expire(server)
  expect((await parts.storage.lend(files[0]!.storage_key)).path).toContain(files[0]!.storage_key)
  expect(await journalOf(server, 'upload.remove-files')).toEqual([])
})
