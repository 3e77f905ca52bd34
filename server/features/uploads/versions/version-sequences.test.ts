import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  makeCategory,
  makeFile,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../../db/factories.ts'
import { connectAs } from '../../../../test/databases.ts'
import { PATIENCE_MS, startMain } from '../../../../test/processes/main-process.ts'
import { CRASH, createCrashContext } from '../../../../test/sequences/crash-context.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import type { UserActor, UserCtx } from '../../../context.ts'
import { UserError } from '../../../errors.ts'
import { JOBS } from '../../../jobs.ts'
import { newId } from '../../../platform/ids.ts'
import { startJobs } from '../../../platform/jobs.ts'
import { correctUpload } from '../../reviews/correct-upload.ts'
import { acceptUpload, rejectUpload } from '../../reviews/decide-upload.ts'
import { releaseUpload, returnUpload } from '../../reviews/release-upload.ts'
import { undoVerdict } from '../../reviews/undo-verdict.ts'
import { removeFile, restoreFile } from '../files/remove-file.ts'
import { submitUpload } from '../submit-upload.ts'
import { withdrawUpload } from '../withdraw-upload.ts'
import { replaceUpload } from './replace-upload.ts'

let server: TestServer
let actors: UserActor[]
let institutions: { id: string }[]
let guests: TestClient[]
let slugs: string[]

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  const features = ['patient::files', 'admin::review-files', 'admin::remove-files'] as const
  actors = await Promise.all(
    [1, 2].map(async () => {
      const { id, email, name } = await makeUser(db, { features: [...features] })
      return {
        kind: 'user',
        id,
        email,
        name,
        role: 'staff',
        features: new Set(features),
        mayAcceptOwn: false,
        institutionIds: [],
        sendingInstitutionIds: [],
        sessionId: newId(),
        provedAt: new Date(),
        lastSeenAt: new Date(),
      } satisfies UserActor
    }),
  )
  institutions = await Promise.all([1, 2].map(() => makeInstitution(db)))
  guests = await Promise.all(
    institutions.map(async ({ id }) => {
      const user = await makeUser(db, { role: 'institution', institutionIds: [id] })
      return server.signIn(user.email)
    }),
  )
  const policies = [{}, { release: 'by_hand' }, { reviewers: 2 }] as const
  slugs = await Promise.all(policies.map(async (policy) => (await makeCategory(db, policy)).slug))
})

beforeEach(async () => {
  const { db } = server
  for (const table of [
    'review',
    'upload_opening',
    'file_fact',
    'transfer',
    'file',
    'upload',
    'referral',
    'patient',
  ] as const)
    await db.deleteFrom(table).execute()
})

/** Two uploads of one patient, released to the first institution; both institutions have referred the patient. */
async function start() {
  const { db, services } = server
  const patient = await makePatient(db)
  for (const { id } of institutions) await makeReferral(db, { patient_id: patient.id, institution_id: id })
  for (let index = 0; index < 2; index += 1)
    await makeUpload(db, services.storage, {
      patient_id: patient.id,
      institution_id: institutions[0]!.id,
      category_slug: slugs[0]!,
      created_by: actors[0]!.id,
      state: 'released',
    })
}

const selectUploads = () =>
  server.db
    .selectFrom('upload')
    .select([
      'id',
      'state',
      'version',
      'replaces_id',
      'institution_id',
      'category_slug',
      'title',
      'created_by',
      'is_update',
    ])
    .orderBy('id')
    .execute()

const snapshot = async () => ({
  uploads: await selectUploads(),
  files: await server.db
    .selectFrom('file')
    .select(['id', 'upload_id', 'removed_at', 'scan_result'])
    .orderBy('id')
    .execute(),
  reviews: await server.db.selectFrom('review').select(['id', 'undone_at']).orderBy('id').execute(),
})

/** The ids of results that each institution sees. */
const look = () =>
  Promise.all(
    guests.map(async (guest) => {
      const { inbox } = await guest.runQuery('{ inbox(first: 100) { nodes { id } } }')
      return inbox.nodes.map(({ id }: { id: string }) => id).sort() as string[]
    }),
  )

const VERBS = [
  'replace',
  'send',
  'accept',
  'reject',
  'release',
  'return',
  'undo',
  'withdraw',
  'correct',
  'swap',
  'restore',
] as const
const WEIGHTS: Partial<Record<(typeof VERBS)[number], number>> = {
  replace: 4,
  send: 6,
  accept: 8,
  release: 3,
}
const CRASH_AT = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.nat({ max: 25 }) },
)
const step = fc.record({
  verb: fc.oneof(...VERBS.map((verb) => ({ weight: WEIGHTS[verb] ?? 1, arbitrary: fc.constant(verb) }))),
  upload: fc.nat({ max: 100 }),
  actor: fc.nat({ max: 1 }),
  value: fc.nat({ max: 5 }),
  crash: CRASH_AT,
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
type Row = Awaited<ReturnType<typeof selectUploads>>[number]

/** What an upload has to be for a verb, so that most steps do something; all others are refused. */
const SUITS: Partial<Record<Step['verb'], readonly string[]>> = {
  replace: ['released'],
  send: ['receiving', 'rejected'],
  accept: ['in_review'],
  reject: ['in_review'],
  release: ['accepted'],
  return: ['accepted'],
  correct: ['released', 'accepted'],
}

/** Mostly the author for what only the author may do, and another user for an acceptance. */
function actorOf({ verb, actor, value }: Step, { created_by }: Row): UserActor {
  const isAuthor = ({ id }: UserActor) => id === created_by
  if (value > 0 && verb === 'send') return actors.find(isAuthor)!
  if (value > 0 && verb === 'accept') return actors.find((each) => !isAuthor(each))!
  return actors[actor]!
}

async function call({ verb, value }: Step, { id, version, ...upload }: Row, ctx: UserCtx): Promise<unknown> {
  const { db } = server
  switch (verb) {
    case 'replace':
      return replaceUpload(ctx, { id, version, reason: 'greșit', withdraw: value === 0 })
    case 'send': {
      // As after a transfer and its check, which other tests crash.
      if (ctx.actor.id === upload.created_by && (upload.state === 'receiving' || value === 0))
        await makeFile(db, server.services.storage, {
          upload_id: id,
          bytes: Buffer.from(newId()),
          name: 'nou.txt',
        })
      const submitted = await submitUpload(ctx, { id })
      if (submitted.state === 'checking')
        await db.updateTable('upload').set({ state: 'in_review' }).where('id', '=', id).execute()
      return submitted
    }
    case 'accept':
      return acceptUpload(ctx, { id, version, reason: 'compared-original', comment: 'cu originalul' })
    case 'reject':
      return rejectUpload(ctx, { id, version, reason: 'incomplete' })
    case 'release':
      return releaseUpload(ctx, { id, version })
    case 'return':
      return returnUpload(ctx, { id, version })
    case 'undo':
      return undoVerdict(ctx, { id, version })
    case 'withdraw':
      return withdrawUpload(ctx, id)
    case 'correct': {
      const categorySlug = value < 3 ? slugs[value]! : upload.category_slug
      const institutionId = value === 3 ? institutions[1]!.id : upload.institution_id
      const details = { title: `${upload.title} ${value}`, categorySlug, institutionId }
      return correctUpload(ctx, { id, version, upload: details, reason: 'greșit' })
    }
    default: {
      const files = await db
        .selectFrom('file')
        .select(['id', 'removed_at'])
        .where('upload_id', '=', id)
        .execute()
      const file = files.find(({ removed_at }) => (removed_at === null) === (verb === 'swap'))?.id ?? newId()
      return verb === 'swap' ? removeFile(ctx, { id: file, reason: 'greșit' }) : restoreFile(ctx, file)
    }
  }
}

it('in any sequence of corrections, versions and crashes institutions see one version, and nothing new without a verdict', async () => {
  const counts = { replaced: 0, crashes: 0, released: 0 }
  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { minLength: 25, maxLength: 45 }), async (steps) => {
        await start()
        const created = new Set<string>()
        const files = new Set<string>()
        for (const each of steps) {
          const [before, seen] = [await snapshot(), await look()]
          const suitable = before.uploads.filter(({ state }) => SUITS[each.verb]?.includes(state) ?? true)
          const among = suitable.length > 0 ? suitable : before.uploads
          const target = among[each.upload % among.length]!
          let isDone = true
          try {
            await call(each, target, createCrashContext(server, actorOf(each, target), each.crash))
          } catch (error) {
            if (!(error instanceof UserError) && error !== CRASH) throw error
            counts.crashes += Number(error === CRASH)
            isDone = false
          }
          const [after, sees] = [await snapshot(), await look()]
          // A file that the test has added itself stays.
          if (!isDone) expect({ ...after, files: [] }).toEqual({ ...before, files: [] })

          for (const { id } of after.uploads) created.add(id)
          for (const { id } of after.files) files.add(id)
          expect(new Set(after.uploads.map(({ id }) => id))).toEqual(created)
          expect(new Set(after.files.map(({ id }) => id))).toEqual(files)

          const byId = new Map(after.uploads.map((upload) => [upload.id, upload]))
          const rootOf = (id: string): string => {
            const former = byId.get(id)?.replaces_id
            return former ? rootOf(former) : id
          }
          const all = sees.flat()
          // Never two versions of a result, also not at different institutions.
          expect(new Set(all.map(rootOf)).size).toBe(all.length)
          for (const [index, ids] of sees.entries())
            for (const id of ids.filter((one) => !seen[index]!.includes(one))) {
              counts.released += 1
              expect(['accept', 'release']).toContain(each.verb)
              expect(id).toBe(target.id)
              // At this moment the former version is gone.
              const formerId = byId.get(id)!.replaces_id
              if (!formerId) continue
              const former = byId.get(formerId)!
              expect(['replaced', 'withdrawn']).toContain(former.state)
              counts.replaced += Number(former.state === 'replaced')
            }
          // Only a verb on the upload itself, or the release of its new version, hides a result.
          for (const id of seen.flat().filter((one) => !all.includes(one)))
            expect(id === target.id || (target.replaces_id === id && all.includes(target.id))).toBe(true)
        }
      })
      .beforeEach(async () => {
        for (const table of ['review', 'file_fact', 'file', 'upload', 'referral', 'patient'] as const)
          await server.db.deleteFrom(table).execute()
      }),
    { numRuns: 15, endOnFailure: true },
  )
  expect(counts.replaced).toBeGreaterThan(5)
  expect(counts.released).toBeGreaterThan(10)
  expect(counts.crashes).toBeGreaterThan(10)
}, 300_000)

/** Adds the job that the schedule adds each minute, in the queue of the servers of this database. */
async function enqueueRelease(): Promise<void> {
  const { db, connection, services } = server
  const jobs = startJobs(connectAs(connection, 'staff'), services.log, JOBS)
  await jobs.enqueue(db, 'release-due-uploads', {})
  await jobs.stop()
}

it('a server killed between the release and the replacement has done neither, and does both after its restart', async () => {
  const { db } = server
  await start()
  const [former] = await selectUploads()
  const { id } = await replaceUpload(createCrashContext(server, actors[0]!, null), {
    ...former!,
    reason: 'greșit',
  })
  await makeFile(db, server.services.storage, { upload_id: id, bytes: Buffer.from('nou'), name: 'nou.txt' })
  await db.updateTable('upload').set({ state: 'in_review' }).where('id', '=', id).execute()
  await db.updateTable('category').set({ release: 'by_hand' }).where('slug', '=', slugs[0]!).execute()
  const ctx = createCrashContext(server, actors[1]!, null)
  const reason = { reason: 'compared-original', comment: 'cu originalul' }
  const { state } = await acceptUpload(ctx, { id, version: 1, ...reason })
  expect(state).toBe('accepted')

  // Holds the transaction of the release where the former version is replaced.
  await sql`create function hold() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(4711); return new; end $$`.execute(db)
  await sql`create trigger hold before update on upload for each row
    when (new.state = 'replaced') execute function hold()`.execute(db)
  const visible = async () => (await look())[0]!.filter((one) => one === id || one === former!.id)
  await db.connection().execute(async (holder) => {
    await sql`select pg_advisory_lock(4711)`.execute(holder)
    const first = await startMain(server)
    await expect.poll(first.printed, { timeout: PATIENCE_MS }).toContain('Dosar: http')
    const due = new Date(Date.now() - 1_000)
    await db.updateTable('upload').set({ release_at: due }).where('id', '=', id).execute()
    await enqueueRelease()
    const isWaiting = async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event = 'advisory' and query like 'update "upload"%'`.execute(
        db,
      )
      return rows.length
    }
    await expect.poll(isWaiting, { timeout: PATIENCE_MS }).toBe(1)
    expect(await visible()).toEqual([former!.id])
    await first.kill()
    await sql`select pg_advisory_unlock(4711)`.execute(holder)
  })
  await expect
    .poll(
      async () =>
        (await sql`select from pg_locks where locktype = 'advisory' and objid = 4711`.execute(db)).rows
          .length,
    )
    .toBe(0)
  expect(await visible()).toEqual([former!.id])
  const second = await startMain(server)
  await expect.poll(second.printed, { timeout: PATIENCE_MS }).toContain('Dosar: http')
  await enqueueRelease()
  await expect.poll(visible, { timeout: PATIENCE_MS }).toEqual([id])
  const states = new Map((await selectUploads()).map((upload) => [upload.id, upload.state]))
  expect([states.get(former!.id), states.get(id)]).toEqual(['replaced', 'released'])
}, 400_000)
