import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  makeAccountLink,
  makeFile,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../db/factories.ts'
import * as institutionRules from '../../server/features/institutions/institutions.access.ts'
import * as patientRules from '../../server/features/patients/patients.access.ts'
import * as uploadRules from '../../server/features/uploads/uploads.access.ts'
import type { Db } from '../../server/platform/database/database.ts'
import { openGuestDatabases } from '../../server/platform/database/guest-database.ts'
import { newId } from '../../server/platform/ids.ts'
import type { TestClient } from '../client.ts'
import { connectAs } from '../databases.ts'
import { createTestServer, type TestServer } from '../test-server.ts'

/** The rows that the users of institution A may see, by table; everything else in the database is of others. */
type Rows = Record<string, string[]>

let server: TestServer
let client: TestClient
let own: Rows
/** Stands in every mark that institution A must never see. */
const MARKER = 'marcaj-străin'
let allInstitutions: string[]
/** Of a patient of institution A, for staff alone. */
let hiddenNewsId: string
let foreign: {
  patientId: string
  uploadId: string
  fileId: string
  institutionId: string
  userId: string
  /** Of the institution itself: what is personal is not shared with it. */
  colleagueId: string
  /** Of the institution itself, about a result that it does not see. */
  hiddenQuestionId: string
}

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db, services } = server
  const [a, b] = [await makeInstitution(db), await makeInstitution(db)]
  allInstitutions = [a.id, b.id]
  const user = await makeUser(db, { role: 'institution', institutionIds: [a.id] })
  const colleague = await makeUser(db, { role: 'institution', institutionIds: [a.id], status: 'invited' })
  await makeAccountLink(db, { user_id: colleague.id, purpose: 'invitation' })
  const stranger = await makeUser(db, { role: 'institution', institutionIds: [b.id] })
  await makeAccountLink(db, { user_id: stranger.id, purpose: 'invitation' })
  const [mine, both, theirs, ended, mistaken, deleted] = [
    await makePatient(db, { surname: 'Popescu', given_names: 'Ana' }),
    await makePatient(db, { surname: 'Popescu', given_names: 'Barbu' }),
    await makePatient(db, { surname: 'Popescu', given_names: 'Corina' }),
    await makePatient(db, { surname: 'Popescu', given_names: 'Corneliu' }),
    await makePatient(db, { surname: 'Popescu', given_names: 'Cosmina' }),
    await makePatient(db, { surname: 'Popescu', given_names: 'Dan', deleted_at: new Date() }),
  ]
  const refer = (patientId: string, institutionId: string, over: object = {}) =>
    makeReferral(db, { patient_id: patientId, institution_id: institutionId, ...over })
  await refer(mine.id, a.id)
  await refer(both.id, a.id)
  await refer(both.id, b.id)
  await refer(theirs.id, b.id)
  await refer(deleted.id, a.id)
  const end = new Date(Date.now() - 3_600_000)
  await refer(ended.id, a.id, { ended_at: end })
  await refer(mistaken.id, a.id, { ended_at: new Date(), mistaken: true })
  const file = (patientId: string | null, institutionId: string, over: object = {}) =>
    makeUpload(db, services.storage, {
      patient_id: patientId,
      institution_id: institutionId,
      state: 'released',
      released_at: new Date(),
      ...over,
    })
  const visible = [
    await file(mine.id, a.id, { referring_doctor: 'Dr. Doar A' }),
    await file(both.id, a.id),
    await file(ended.id, a.id, { released_at: end }),
  ]
  const hidden = [
    await file(both.id, b.id, { referring_doctor: 'Dr. Doar B' }),
    await file(theirs.id, b.id),
    await file(mine.id, a.id, {
      state: 'in_review',
      released_at: null,
      referring_doctor: 'Dr. Fără rezultat',
    }),
    await file(mine.id, a.id, { deleted_at: new Date() }),
    // Released to the institution by mistake: it has not referred the patient.
    await file(theirs.id, a.id),
    // Released after the referral had ended, and by a referral that was never right.
    await file(ended.id, a.id, { released_at: new Date(end.getTime() + 1) }),
    await file(mistaken.id, a.id, { released_at: new Date(0), referring_doctor: 'Dr. Din greșeală' }),
    await file(null, a.id, { state: 'unassigned', released_at: null }),
  ]
  const departments: string[] = []
  for (const institution of [a, b]) {
    const id = newId()
    departments.push(id)
    await db
      .insertInto('department')
      .values({ id, institution_id: institution.id, name: 'Interne', name_key: 'interne' })
      .execute()
    // Of a result that was released before.
    await db
      .insertInto('institution_doctor')
      .values({ institution_id: institution.id, name: 'Dr. Fără rezultat' })
      .execute()
  }
  for (const { id } of [user, colleague, stranger]) {
    await db.insertInto('kept_inbox_filter').values({ user_id: id, view: 'open' }).execute()
    await db.insertInto('user_notification').values({ user_id: id, kind: 'results' }).execute()
  }
  // Colleagues and strangers have marked everything, also what the institution had before another one.
  await db
    .updateTable('inbox_item')
    .set({ taken_by: stranger.id, taken_by_name: MARKER, taken_at: new Date() })
    .where('institution_id', '=', b.id)
    .execute()
  const moved = await file(both.id, b.id)
  await db
    .updateTable('inbox_item')
    .set({ handled_by: user.id, handled_by_name: MARKER, handled_at: new Date() })
    .where('upload_id', '=', moved.id)
    .execute()
  await db.updateTable('upload').set({ institution_id: a.id }).where('id', '=', moved.id).execute()
  visible.push(moved)

  await makeFile(db, services.storage, {
    upload_id: visible[0]!.id,
    position: 2,
    removed_at: new Date(),
    bytes: Buffer.from('x'),
  } as never)
  for (const { id } of [...visible, ...hidden])
    for (const { id: userId } of [user, stranger])
      await db.insertInto('upload_opening').values({ upload_id: id, user_id: userId }).execute()

  const access = await addAccessRequests(db, [
    [a.id, user.id],
    [b.id, stranger.id],
  ])
  // Of an institution's own result, of one that it no longer sees, and of another institution.
  const questions = await addQuestions(db, [
    [visible[0]!, a.id, user.id],
    [hidden[2]!, a.id, user.id],
    [hidden[1]!, b.id, stranger.id],
  ])
  const requests = await addRequests(db, visible[0]!, [a.id, b.id], mine.id)

  const news = await addNews(db, [mine.id, both.id, theirs.id, ended.id, deleted.id], user.id, stranger.id)
  hiddenNewsId = news.hidden[0]!

  const recalls = [a.id, b.id].map((institution_id) => ({
    id: newId(),
    upload_id: hidden[2]!.id,
    institution_id,
    kind: 'withdrawn',
    recalled_at: new Date(),
    patient_id: mine.id,
    upload_number: hidden[2]!.number,
    title: hidden[2]!.title,
    released_at: new Date(),
    openings: '[]',
  }))
  await db.insertInto('recall').values(recalls).execute()

  const ids = async (query: string): Promise<string[]> =>
    (await sql<{ id: string }>`${sql.raw(query)}`.execute(db)).rows.map(({ id }) => id).sort()
  const uploads = visible.map(({ id }) => `'${id}'`).join(',')
  own = {
    institution: [a.id],
    user_institution: [user.id, colleague.id].sort(),
    app_user: [user.id, colleague.id].sort(),
    account_link: [colleague.id],
    referral: await ids(`select id from referral where institution_id = '${a.id}' and not mistaken`),
    patient: [mine.id, both.id, ended.id].sort(),
    patient_name_pair: await ids(
      `select distinct patient_id as id from patient_name_pair where patient_id in ('${mine.id}', '${both.id}', '${ended.id}', '${deleted.id}')`,
    ),
    upload: visible.map(({ id }) => id).sort(),
    file: await ids(`select id from file where upload_id in (${uploads}) and removed_at is null`),
    upload_opening: visible.map(({ id }) => id).sort(),
    deletion_request: [requests[0]!],
    access_request: [access[0]!],
    question: questions.slice(0, 2).sort(),
    question_message: questions.slice(0, 2).sort(),
    news: news.shown.slice(0, 2).sort(),
    news_reading: news.shown.slice(0, 2).sort(),
    recall: [recalls[0]!.id],
    inbox_item: visible.map(({ id }) => id).sort(),
    department: [departments[0]!],
    institution_doctor: ['Dr. Doar A'],
    kept_inbox_filter: [user.id],
    user_notification: [user.id],
  }
  const { id: fileId } = await db
    .selectFrom('file')
    .select('id')
    .where('upload_id', '=', hidden[1]!.id)
    .executeTakeFirstOrThrow()
  foreign = {
    patientId: theirs.id,
    uploadId: hidden[1]!.id,
    fileId,
    institutionId: b.id,
    userId: stranger.id,
    colleagueId: colleague.id,
    hiddenQuestionId: questions[1]!,
  }
  client = await server.signIn(user.email)
})

/** Adds a request for access of each institution and user; returns their ids. */
async function addAccessRequests(db: Db, of: readonly [string, string][]): Promise<string[]> {
  const rows = of.map(([institution_id, created_by]) => ({
    id: newId(),
    institution_id,
    created_by,
    created_at: new Date(),
    surname: 'Pop',
    given_names: 'Ana',
    birth_date: '1980-01-01',
    purpose: 'Control',
  }))
  await db.insertInto('access_request').values(rows).execute()
  return rows.map(({ id }) => id)
}

/** Adds a question with a message about each upload, of the institution and user; returns their ids. */
async function addQuestions(
  db: Db,
  of: readonly [{ id: string; number: number; patient_id: string | null }, string, string][],
): Promise<string[]> {
  const at = new Date()
  const ids: string[] = []
  for (const [{ id: upload_id, number, patient_id }, institution_id, created_by] of of) {
    const id = newId()
    ids.push(id)
    await db
      .insertInto('question')
      .values({
        id,
        upload_id,
        institution_id,
        patient_id: patient_id!,
        upload_number: number,
        created_at: at,
        changed_at: at,
        state: 'open',
        waiting_since: at,
        message_count: 1,
      })
      .execute()
    await db
      .insertInto('question_message')
      .values({
        question_id: id,
        position: 1,
        by_organisation: false,
        created_by,
        created_at: at,
        text: 'Ce?',
      })
      .execute()
  }
  return ids
}

/**
 * Adds news for institutions and news for staff about each patient, read by both people, and one of the first patient that was
 * removed; returns the ids of both sorts.
 */
async function addNews(
  db: Db,
  patientIds: readonly string[],
  userId: string,
  strangerId: string,
): Promise<{ shown: string[]; hidden: string[] }> {
  const at = new Date()
  const entry = (
    patient_id: string,
    visibility: 'staff' | 'institution',
    removed_at: Date | null = null,
  ) => ({
    id: newId(),
    patient_id,
    kind: 'note' as const,
    text: 'Notă',
    visibility,
    created_by: strangerId,
    created_at: at,
    written_by: strangerId,
    written_at: at,
    removed_at,
    removed_by: removed_at && strangerId,
  })
  const shown = patientIds.map((id) => entry(id, 'institution'))
  const hidden = patientIds.flatMap((id) => [entry(id, 'staff'), entry(id, 'institution', at)])
  await db
    .insertInto('news')
    .values([...shown, ...hidden])
    .execute()
  await db
    .insertInto('news_reading')
    .values(
      [...shown, ...hidden].flatMap(({ id }) =>
        [userId, strangerId].map((user_id) => ({ news_id: id, user_id, revision: 1, read_at: at })),
      ),
    )
    .execute()
  return { shown: shown.map(({ id }) => id), hidden: hidden.map(({ id }) => id) }
}

/** Adds a request to delete for each institution; returns their ids. */
async function addRequests(
  db: Db,
  upload: { id: string; number: number; created_by: string | null },
  institutionIds: readonly string[],
  patientId: string,
): Promise<string[]> {
  const at = new Date()
  const incidentId = newId()
  await db
    .insertInto('incident')
    .values({
      id: incidentId,
      upload_id: upload.id,
      former_patient_id: patientId,
      patient_id: patientId,
      file_count: 1,
      released_at: at,
      moved_at: at,
      moved_by: upload.created_by!,
      reason: 'Alt pacient',
      discovered_at: at,
      openings: '[]',
    })
    .execute()
  const ids = institutionIds.map(() => newId())
  for (const [index, institution_id] of institutionIds.entries())
    await db
      .insertInto('deletion_request')
      .values({
        id: ids[index]!,
        incident_id: incidentId,
        institution_id,
        upload_number: upload.number,
        released_at: at,
        mailed: 0,
        created_at: at,
      })
      .execute()
  return ids
}

const addAccessRequest = (institutionId: string, userId: string) =>
  sql`insert into access_request (id, institution_id, created_by, created_at, surname, given_names, birth_date, purpose)
    values (gen_random_uuid(), ${institutionId}::uuid, ${userId}::uuid, now(), 'Pop', 'Ana', '1980-01-01', 'Control')`

const addQuestion = (uploadId: string, institutionId: string, patientId: string) =>
  sql`insert into question (id, upload_id, institution_id, patient_id, upload_number, created_at, changed_at, state, waiting_since)
    values (gen_random_uuid(), ${uploadId}::uuid, ${institutionId}::uuid, ${patientId}::uuid, 1, now(), now(), 'open', now())`

const addReading = (newsId: string, userId: string) =>
  sql`insert into news_reading (news_id, user_id, revision, read_at) values (${newsId}::uuid, ${userId}::uuid, 1, now())`

const addMessage = (questionId: string, byOrganisation: boolean, userId: string) =>
  sql`insert into question_message (question_id, position, by_organisation, created_by, created_at, text)
    values (${questionId}::uuid, 9, ${byOrganisation}, ${userId}::uuid, now(), 'Ce?')`

/** The column that names the row, where it is not `id`. */
const KEY: Record<string, string> = {
  user_institution: 'user_id',
  account_link: 'user_id',
  patient_name_pair: 'patient_id',
  upload_opening: 'upload_id',
  question_message: 'question_id',
  news_reading: 'news_id',
  inbox_item: 'upload_id',
  institution_doctor: 'name',
  kept_inbox_filter: 'user_id',
  user_notification: 'user_id',
}

describe('what a user keeps for themselves', () => {
  it('is read and changed by that user alone: by no colleague, no public key and no staff', async () => {
    const { guests, db } = server.services
    const [institutionId] = own.institution!
    const changed = async (reader: Db) =>
      (
        await sql<{ id: string }>`update kept_inbox_filter set view = 'mine' returning user_id as id`.execute(
          reader,
        )
      ).rows
    expect(await changed(guests.forInstitutions([institutionId!], foreign.colleagueId))).toEqual([
      { id: foreign.colleagueId },
    ])
    expect(await changed(guests.forInstitutions([institutionId!]))).toEqual([])
    await expect(changed(db)).rejects.toMatchObject({ code: '42501' })
    const views = await server.db.selectFrom('kept_inbox_filter').select(['user_id', 'view']).execute()
    expect(views.filter(({ view }) => view === 'mine').map(({ user_id }) => user_id)).toEqual([
      foreign.colleagueId,
    ])
  })
})

describe('a query of a guest without any condition', () => {
  it('returns exactly the rows of its institutions, from every table', async () => {
    const guest = server.services.guests.forInstitutions([own.institution![0]!], own.kept_inbox_filter![0])
    const { rows: readable } = await sql<{ name: string }>`
      select relname as name from pg_class where relkind = 'r' and relrowsecurity
        and has_any_column_privilege('dosar_guest', oid, 'select')`.execute(server.db)
    expect(readable.map(({ name }) => name).sort()).toEqual(Object.keys(own).sort())
    for (const table of Object.keys(own)) {
      const { rows } = await sql<{ id: string }>`
        select distinct ${sql.ref(KEY[table] ?? 'id')} as id from ${sql.table(table)}`.execute(guest)
      expect([table, rows.map(({ id }) => id).sort()]).toEqual([table, own[table]])
    }
  })

  it('returns nothing without institutions, and nothing by a connection that another guest has used', async () => {
    const guests = openGuestDatabases({ ...connectAs(server.connection, 'guest'), max: 1 }, () => undefined)
    try {
      const count = async (ids: readonly string[]) => {
        const db = guests.forInstitutions(ids)
        const one = async (from: typeof db) =>
          (await sql<{ count: number }>`select count(*) from upload`.execute(from)).rows[0]!.count
        return [await one(db), await db.transaction().execute(one), await one(db)]
      }
      expect(await count([own.institution![0]!])).toEqual([4, 4, 4])
      expect(await count([])).toEqual([0, 0, 0])
      const failing = guests.forInstitutions([own.institution![0]!])
      await expect(sql`select 1 / 0`.execute(failing)).rejects.toMatchObject({ code: '22012' })
      await expect(
        failing.transaction().execute((tx) => sql`select 1 / 0`.execute(tx)),
      ).rejects.toMatchObject({ code: '22012' })
      expect(await count([])).toEqual([0, 0, 0])
      const strange = guests.forInstitutions(["'; drop table upload; --"])
      await expect(sql`select from upload`.execute(strange)).rejects.toMatchObject({ code: '22P02' })
      expect(await count([own.institution![0]!])).toEqual([4, 4, 4])
    } finally {
      await guests.destroy()
    }
  })

  it('changes no row of others, and inserts no opening of their uploads', async () => {
    const guest = server.services.guests.forInstitutions([own.institution![0]!], own.kept_inbox_filter![0])
    const { rows } = await sql<{
      id: string
    }>`update institution set phone = '+40700000000' returning id`.execute(guest)
    expect(rows.map(({ id }) => id)).toEqual(own.institution)
    for (const change of [
      sql`insert into upload_opening (upload_id, user_id) values (${foreign.uploadId}::uuid, ${own.app_user![0]}::uuid)`,
      sql`update institution set may_upload = true`,
      sql`update institution set name = 'Alta'`,
      sql`update app_user set role = 'admin'`,
      sql`update upload set state = 'withdrawn'`,
      sql`delete from upload_opening`,
      // In the name of a user of another institution.
      sql`update recall set acknowledged_at = now(), shown_until = now(), acknowledged_by = (select created_by from upload limit 1)`,
      sql`update recall set title = 'Alt titlu'`,
      sql`delete from inbox_item`,
      sql`update inbox_item set institution_id = ${foreign.institutionId}::uuid`,
      sql`insert into inbox_item (upload_id, institution_id) values (${foreign.uploadId}::uuid, ${own.institution![0]}::uuid)`,
      sql`update department set institution_id = ${foreign.institutionId}::uuid`,
      sql`insert into department (id, institution_id, name, name_key) values (gen_random_uuid(), ${foreign.institutionId}::uuid, 'x', 'x')`,
      sql`update user_institution set joined_at = now()`,
      sql`insert into user_notification (user_id, kind) values (${foreign.userId}::uuid, 'mail')`,
      sql`update user_notification set user_id = ${foreign.userId}::uuid`,
      sql`insert into kept_inbox_filter (user_id) values (${foreign.userId}::uuid)`,
      sql`update kept_inbox_filter set user_id = ${foreign.userId}::uuid`,
      sql`delete from kept_inbox_filter`,
      sql`insert into institution_doctor (institution_id, name) values (${own.institution![0]}::uuid, 'x')`,
      sql`insert into audit_event (actor_name, role, origin, action, outcome, request_id) values ('x', 'admin', 'web', 'x', 'ok', 'x')`,
      sql`select password_hash from app_user`,
      sql`select totp_secret from app_user`,
      sql`select token_hash from account_link`,
      sql`select content_text from file`,
      sql`select * from session`,
      sql`select incident_id from deletion_request`,
      sql`select from incident`,
      sql`delete from deletion_request`,
      sql`update deletion_request set answered_at = now(), answered_by = (select created_by from upload limit 1)`,
      sql`select * from audit_event`,
      sql`select cnp from access_request`,
      sql`select decided_by from access_request`,
      sql`update access_request set state = 'accepted'`,
      sql`delete from access_request`,
      // For another institution, and in the name of one of its users.
      addAccessRequest(foreign.institutionId, own.app_user![0]!),
      addAccessRequest(own.institution![0]!, foreign.userId),
      sql`update news set text = 'Altceva'`,
      sql`delete from news`,
      sql`delete from news_reading`,
      sql`select from news_revision`,
      // In the name of another institution's user, and of what the institution does not read.
      addReading(own.news![0]!, foreign.userId),
      addReading(hiddenNewsId, own.app_user![0]!),
      sql`update question set upload_id = ${foreign.uploadId}::uuid`,
      sql`update question set institution_id = ${foreign.institutionId}::uuid`,
      sql`delete from question`,
      addQuestion(foreign.uploadId, foreign.institutionId, foreign.patientId),
      addQuestion(foreign.uploadId, own.institution![0]!, foreign.patientId),
      sql`update question_message set text = 'Altceva'`,
      sql`delete from question_message`,
      // In the name of the organisation, of a user of another institution, and about a result that is not released.
      addMessage(own.question![0]!, true, own.app_user![0]!),
      addMessage(own.question![0]!, false, foreign.userId),
      addMessage(foreign.hiddenQuestionId, false, own.app_user![0]!),
    ])
      await expect(change.execute(guest)).rejects.toMatchObject({ code: '42501' })
  })
})

it('requests of several institutions at once share no statement', async () => {
  const other = await server.db
    .selectFrom('app_user')
    .innerJoin('user_institution', 'user_institution.user_id', 'app_user.id')
    .where('institution_id', '=', foreign.institutionId)
    .select('email')
    .executeTakeFirstOrThrow()
  const otherClient = await server.signIn(other.email)
  const readFiles = async (reader: TestClient): Promise<string[]> => {
    const { inbox } = await reader.runQuery('{ inbox { nodes { files { id } } } }')
    return inbox.nodes.flatMap(({ files }: { files: { id: string }[] }) => files.map(({ id }) => id)).sort()
  }
  const [mine, theirs] = [await readFiles(client), await readFiles(otherClient)]
  expect(mine).toEqual(own.file)
  expect(theirs).toHaveLength(2)
  const readers = Array.from({ length: 30 }, (_, place) => (place % 2 ? client : otherClient))
  const found = await Promise.all(readers.map(readFiles))
  expect(found).toEqual(readers.map((reader) => (reader === client ? mine : theirs)))
})

describe('with the condition of a scope removed', () => {
  const all = () => ({ kind: 'all' }) as never
  /** Each scope as it would be if it no longer narrowed anything. */
  const REMOVED: [string, () => { mockRestore(): void }][] = [
    ['patientScope: every patient', () => vi.spyOn(patientRules, 'patientScope').mockImplementation(all)],
    [
      'patientScope: every institution',
      () =>
        vi
          .spyOn(patientRules, 'patientScope')
          .mockImplementation(() => ({ kind: 'referred', institutionIds: allInstitutions })),
    ],
    [
      'uploadScope: every institution',
      () =>
        vi
          .spyOn(uploadRules, 'uploadScope')
          .mockImplementation(() => ({ kind: 'released-to', institutionIds: allInstitutions })),
    ],
    [
      'institutionScope: every institution',
      () => vi.spyOn(institutionRules, 'institutionScope').mockImplementation(all),
    ],
    [
      'institutionScope: these institutions',
      () =>
        vi
          .spyOn(institutionRules, 'institutionScope')
          .mockImplementation(() => ({ kind: 'own', ids: allInstitutions })),
    ],
  ]

  /** Everything that a user of an institution can read, by every path. */
  async function readEverything() {
    const lists = await client.runQuery(`{
      patients(first: 10) { nodes { id referrals { id institutionName } uploads(first: 5) { nodes { id files { id } } } } }
      inbox(first: 10) { nodes { id openedAt files { id } inbox { state takenByName handledByName former { name } } } }
      taken: inbox(view: open) { nodes { id inbox { takenByName } } }
      mine: inbox(view: mine) { nodes { id } }
      handled: inbox(view: handled) { nodes { id inbox { handledByName } } }
      older: inbox(view: older) { nodes { id } }
      inboxCounts { open new mine older }
      memberships { institutionId departments { id } doctors { name } } }`)
    expect(JSON.stringify(lists)).not.toContain(MARKER)
    const found = await client.runQuery(`{
      named: patients(search: "popescu") { nodes { id } }
      short: patients(search: "po") { nodes { id } }
      inbox(search: "popescu") { nodes { id } }
      search(query: "popescu") { patients { id } uploads { id } }
      ownInstitutions { id users { id } } }`)
    const codeOf = async (query: string, id: string) =>
      (await client.graphql(query, { id })).errors.map(({ extensions }) => extensions.code)
    const others = {
      patient: await codeOf('query ($id: ID!) { patient(id: $id) { id } }', foreign.patientId),
      cnp: await codeOf('mutation ($id: ID!) { revealCnp(patientId: $id) }', foreign.patientId),
      upload: await codeOf('query ($id: ID!) { upload(id: $id) { id } }', foreign.uploadId),
      mark: await codeOf(
        'mutation ($id: ID!) { markResults(ids: [$id], mark: handle) { changed { id } } }',
        foreign.uploadId,
      ),
    }
    const downloads = await Promise.all(
      [
        `/files/${foreign.fileId}`,
        `/files/${foreign.fileId}/preview`,
        `/files/zip/${foreign.uploadId}`,
        `/files/results/${own.upload![0]},${foreign.uploadId}`,
      ].map(async (path) => (await client.fetch(path)).status),
    )
    return { lists, found, others, downloads }
  }

  it.each(REMOVED)('%s: an institution still sees exactly its rows', async (_name, remove) => {
    const before = await readEverything()
    expect(before.lists.inbox.nodes.map(({ id }: { id: string }) => id).sort()).toEqual(own.upload)
    expect(before.lists.patients.nodes.map(({ id }: { id: string }) => id).sort()).toEqual(own.patient)
    expect(before.found.named.nodes).toHaveLength(3)
    expect(before.others).toEqual({
      patient: ['NOT_FOUND'],
      cnp: ['NOT_FOUND'],
      upload: ['NOT_FOUND'],
      mark: ['NOT_FOUND'],
    })
    expect(before.downloads).toEqual([404, 404, 404, 404])
    expect(before.lists.inboxCounts).toEqual({ open: 3, new: 3, mine: 0, older: 1 })
    const removed = remove()
    try {
      expect(await readEverything()).toEqual(before)
      expect(removed).toHaveBeenCalled()
    } finally {
      removed.mockRestore()
    }
  })
})
