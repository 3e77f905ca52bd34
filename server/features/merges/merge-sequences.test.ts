import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeEmptyUpload, makeInstitution, makePatient, makeUser } from '../../../db/factories.ts'
import { CRASH, createCrashContext } from '../../../test/sequences/crash-context.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import type { UserActor } from '../../context.ts'
import { UserError } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { createNews } from '../news/write-news.ts'
import { createPatient } from '../patients/create-patient.ts'
import { createReferral } from '../patients/create-referral.ts'
import { createUpload } from '../uploads/create-upload.ts'
import { editUpload } from '../uploads/edit-upload.ts'
import { mergePatients } from './merge-patients.ts'
import { CHOSEN_FIELDS, type ChosenField } from './merged-values.ts'
import { undoMerge } from './undo-merge.ts'

/** Institutions, and the users of one and of several. */
const INSTITUTIONS = 3
const USERS = [[0], [1], [2], [0, 1], [1, 2]]

let server: TestServer
let institutions: { id: string }[]
let guests: TestClient[]
let actor: UserActor

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { id, email, name } = await makeUser(server.db)
  actor = {
    kind: 'user',
    id,
    email,
    name,
    role: 'staff',
    features: new Set(['patient::files', 'patient::news']),
    mayAcceptOwn: false,
    institutionIds: [],
    sendingInstitutionIds: [],
    sessionId: newId(),
    provedAt: new Date(Date.now() + 3_600_000),
    lastSeenAt: new Date(),
  }
  institutions = await Promise.all(Array.from({ length: INSTITUTIONS }, () => makeInstitution(server.db)))
  guests = await Promise.all(
    USERS.map(async (of) => {
      const institutionIds = of.map((index) => institutions[index]!.id)
      const user = await makeUser(server.db, { role: 'institution', institutionIds })
      return server.signIn(user.email)
    }),
  )
})

/** Everything that a merge may move or change, without the versions. */
async function snapshot() {
  const { db } = server
  return {
    patients: await db
      .selectFrom('patient')
      .select(['id', 'surname', 'given_names', 'previous_surname', 'phone', 'notes', 'merged_into'])
      .orderBy('id')
      .execute(),
    pairs: await db
      .selectFrom('patient_name_pair')
      .select(['patient_id', 'name_key', 'first_word', 'second_word'])
      .orderBy('patient_id')
      .orderBy('first_word')
      .orderBy('second_word')
      .execute(),
    referrals: await db.selectFrom('referral').select(['id', 'patient_id']).orderBy('id').execute(),
    uploads: await db
      .selectFrom('upload')
      .select(['id', 'patient_id', 'institution_id', 'state', 'released_at'])
      .orderBy('id')
      .execute(),
    news: await db
      .selectFrom('news')
      .select(['id', 'patient_id', 'visibility', 'written_at'])
      .orderBy('id')
      .execute(),
  }
}
type Snapshot = Awaited<ReturnType<typeof snapshot>>

/** What each guest sees: the ids of results, of patients, and of news. */
const look = () =>
  Promise.all(
    guests.map(async (guest) => {
      const { data, errors } = await guest.graphql(
        'query { inbox(first: 100) { nodes { id } } patients(first: 100) { nodes { id } } }',
      )
      expect(errors).toEqual([])
      const ids = ({ nodes }: { nodes: { id: string }[] }) => nodes.map(({ id }) => id).sort()
      const patients = ids(data.patients)
      const news = await Promise.all(
        patients.map(async (patientId) => {
          const { patientNews } = await guest.runQuery(
            'query ($patientId: ID!) { patientNews(patientId: $patientId) { id } }',
            { patientId },
          )
          return patientNews.map(({ id }: { id: string }) => id)
        }),
      )
      return { results: ids(data.inbox), patients, news: news.flat().sort() }
    }),
  )

const NUMBER = fc.nat({ max: 100 })
const FIELDS = Object.keys(CHOSEN_FIELDS) as ChosenField[]
const CRASH_AT = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.nat({ max: 25 }) },
)
const step = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    name: fc.constantFrom('Ana', 'Maria', 'Ioana'),
    crash: CRASH_AT,
  }),
  fc.record({ kind: fc.constant('refer' as const), patient: NUMBER, institution: NUMBER, crash: CRASH_AT }),
  fc.record({ kind: fc.constant('file' as const), patient: NUMBER, institution: NUMBER, crash: CRASH_AT }),
  fc.record({
    kind: fc.constant('write' as const),
    patient: NUMBER,
    visibility: fc.constantFrom('staff', 'institution', 'patient'),
    crash: CRASH_AT,
  }),
  fc.record({ kind: fc.constant('release' as const), patient: NUMBER, institution: NUMBER }),
  fc.record({ kind: fc.constant('move' as const), upload: NUMBER, patient: NUMBER, crash: CRASH_AT }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('merge' as const),
      survivor: NUMBER,
      merged: NUMBER,
      take: fc.uniqueArray(fc.constantFrom(...FIELDS), { maxLength: 4 }),
      keepSurname: fc.boolean(),
      undoneAtOnce: fc.boolean(),
      crash: CRASH_AT,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('undo' as const),
      merge: NUMBER,
      keepChanges: fc.boolean(),
      crash: CRASH_AT,
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const pick = <T>(rows: readonly T[], index: number): T | undefined => rows[index % Math.max(1, rows.length)]

/** Runs the step; returns whether it was done. A refusal or a crash must leave everything as it was. */
async function run(each: Step, before: Snapshot): Promise<boolean> {
  const ctx = createCrashContext(server, actor, 'crash' in each ? each.crash : null)
  const patientId = (index: number) => pick(before.patients, index)?.id ?? ''
  const institutionId = (index: number) => institutions[index % INSTITUTIONS]!.id
  const version = async (id: string) =>
    (await server.db.selectFrom('patient').select('version').where('id', '=', id).executeTakeFirst())
      ?.version ?? 0
  try {
    if (each.kind === 'create') {
      await createPatient(ctx, {
        patient: {
          surname: 'Secvența',
          givenNames: each.name,
          phone: `07220001${10 + before.patients.length}`,
        },
      })
    } else if (each.kind === 'refer') {
      await createReferral(ctx, {
        patientId: patientId(each.patient),
        institutionId: institutionId(each.institution),
      })
    } else if (each.kind === 'file') {
      await createUpload(ctx, {
        title: 'Rezultat',
        patientId: patientId(each.patient),
        institutionId: institutionId(each.institution),
      })
    } else if (each.kind === 'write') {
      await createNews(ctx, {
        patientId: patientId(each.patient),
        news: { kind: 'note', text: newId(), visibility: each.visibility },
        shownTo: institutions.map(({ id }) => id),
      })
    } else if (each.kind === 'release') {
      // Also for institutions without a referral, as earlier versions allowed.
      const live = before.patients.filter(({ merged_into }) => merged_into === null)
      await makeEmptyUpload(server.db, {
        patient_id: pick(live, each.patient)?.id ?? null,
        institution_id: institutionId(each.institution),
        state: 'released',
      })
    } else if (each.kind === 'move') {
      const own = await server.db
        .selectFrom('upload')
        .selectAll()
        .where('state', '=', 'receiving')
        .orderBy('id')
        .execute()
      const upload = pick(own, each.upload)
      if (!upload) return false
      const target = patientId(each.patient)
      await editUpload(ctx, {
        id: upload.id,
        version: upload.version,
        upload: { title: upload.title, patientId: target, institutionId: null },
      })
    } else if (each.kind === 'merge') {
      const [survivorId, mergedId] = [patientId(each.survivor), patientId(each.merged)]
      await mergePatients(ctx, {
        survivorId,
        mergedId,
        survivorVersion: await version(survivorId),
        mergedVersion: await version(mergedId),
        take: each.take.filter((field) => field !== 'surname' && field !== 'givenNames'),
        keepSurname: each.keepSurname,
      })
    } else {
      const merges = await server.db.selectFrom('patient_merge').select('id').orderBy('id').execute()
      await undoMerge(ctx, { id: pick(merges, each.merge)?.id ?? newId(), keepChanges: each.keepChanges })
    }
    return true
  } catch (error) {
    if (!(error instanceof UserError) && error !== CRASH) throw error
    return false
  }
}

it('nothing is lost and nothing becomes visible to someone new in any sequence of changes and crashes', async () => {
  let [merges, undos, crashes] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
      for (const table of [
        'news',
        'patient_merge',
        'patient_name_pair',
        'referral',
        'upload',
        'patient',
      ] as const)
        await server.db.deleteFrom(table).execute()
      for (let index = 0; index < 4; index += 1)
        await makePatient(server.db, { surname: 'Secvența', cnp: null, phone: `+4072200000${index}` })
      let [before, seen] = [await snapshot(), await look()]
      const created = {
        referrals: new Set<string>(),
        uploads: new Set<string>(),
        news: new Set<string>(),
      }
      for (const each of steps) {
        const isDone = await run(each, before)
        if ('crash' in each && each.crash !== null && !isDone) crashes += 1
        const [after, sees] = [await snapshot(), await look()]
        if (!isDone) expect(after).toEqual(before)

        // Nothing is lost, and nothing stays with a patient who was merged.
        for (const { id } of after.referrals) created.referrals.add(id)
        for (const { id } of after.uploads) created.uploads.add(id)
        for (const { id } of after.news) created.news.add(id)
        expect(new Set(after.referrals.map(({ id }) => id))).toEqual(created.referrals)
        expect(new Set(after.uploads.map(({ id }) => id))).toEqual(created.uploads)
        expect(new Set(after.news.map(({ id }) => id))).toEqual(created.news)
        const into = new Map(after.patients.map(({ id, merged_into }) => [id, merged_into]))
        for (const { patient_id } of [...after.referrals, ...after.uploads, ...after.news])
          expect(patient_id === null || into.get(patient_id) === null).toBe(true)

        if (isDone && (each.kind === 'merge' || each.kind === 'undo')) {
          merges += Number(each.kind === 'merge')
          undos += Number(each.kind === 'undo')
          const survivorOf = (id: string): string => (into.get(id) ? survivorOf(into.get(id)!) : id)
          for (const [index, { results, patients, news }] of sees.entries()) {
            const former = seen[index]!
            if (each.kind === 'merge') {
              expect(results).toEqual(former.results)
              expect(news).toEqual(former.news)
              expect(patients).toEqual([...new Set(former.patients.map(survivorOf))].sort())
            } else {
              expect(former.results).toEqual(expect.arrayContaining(results))
              expect(former.news).toEqual(expect.arrayContaining(news))
            }
          }
          if (each.kind === 'undo') {
            const { survivor_id, merged_id, upload_ids, referral_ids, news_ids, merged_at } = await server.db
              .selectFrom('patient_merge')
              .selectAll()
              .where('undone_at', 'is not', null)
              .orderBy('undone_at', 'desc')
              .limit(1)
              .executeTakeFirstOrThrow()
            // Exactly what the merge moved and is still with the survivor.
            const isBack = ({ id, patient_id }: { id: string; patient_id: string | null }) =>
              patient_id === survivor_id && [...upload_ids, ...referral_ids, ...news_ids].includes(id)
            const back = <Row extends { id: string; patient_id: string | null }>(row: Row): Row =>
              isBack(row) ? { ...row, patient_id: merged_id } : row
            expect(after.referrals).toEqual(before.referrals.map(back))
            // Of what was written since, a person has to say about whom it is.
            const isWithheld = ({ patient_id, visibility, written_at }: Snapshot['news'][number]) =>
              patient_id === survivor_id && visibility !== 'staff' && written_at >= merged_at
            expect(after.news.map(({ written_at: _at, ...row }) => row)).toEqual(
              before.news.map((row) => {
                const { written_at: _at, ...rest } = back(row)
                return { ...rest, ...(isWithheld(row) && { visibility: 'staff' }) }
              }),
            )
            // What was released since needs another verdict.
            const isSince = ({ patient_id, state, released_at }: Snapshot['uploads'][number]) =>
              patient_id === survivor_id && state === 'released' && released_at! >= merged_at
            expect(after.uploads).toEqual(
              before.uploads.map((row) => ({ ...back(row), ...(isSince(row) && { state: 'in_review' }) })),
            )
          }
        }
        if (isDone && each.kind === 'merge' && each.undoneAtOnce) {
          const { id } = (await server.db
            .selectFrom('patient_merge')
            .select('id')
            .orderBy('id', 'desc')
            .limit(1)
            .executeTakeFirst())!
          await undoMerge(createCrashContext(server, actor, null), { id })
          undos += 1
          expect(await snapshot()).toEqual(before)
          expect(await look()).toEqual(seen)
          continue
        }
        ;[before, seen] = [after, sees]
      }
    }),
    // Without shrinking, which takes minutes: every step has several transactions.
    { numRuns: 20, endOnFailure: true },
  )
  // The sequences do reach what they are about.
  expect(merges).toBeGreaterThan(20)
  expect(undos).toBeGreaterThan(10)
  expect(crashes).toBeGreaterThan(20)
}, 300_000)
