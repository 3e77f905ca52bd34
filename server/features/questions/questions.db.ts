import { type SqlBool, sql } from 'kysely'
import type { QuestionState } from '../../../shared/requests/questions.ts'
import { countRows } from '../../platform/database/count-rows.ts'
import type { Db } from '../../platform/database/database.ts'
import { keyset, type PageRequest } from '../../platform/keyset.ts'
import type { QuestionScope } from './questions.access.ts'

/** The patient of a question, also after a merge. */
const patientNow = sql<string>`coalesce(surviving_patient(question.patient_id), question.patient_id)`

const questions = (db: Db) =>
  db
    .selectFrom('question')
    .innerJoin('institution', 'institution.id', 'question.institution_id')
    .selectAll('question')
    .select(['institution.name as institution_name', patientNow.as('patient_now')])

const institutionsOf = (scope: QuestionScope): readonly string[] =>
  scope.kind === 'own' ? scope.institutionIds : []

/** Returns the condition for the questions of a scope. */
const visible = (scope: QuestionScope) =>
  scope.kind === 'all'
    ? sql<SqlBool>`true`
    : sql<SqlBool>`question.institution_id = any(${institutionsOf(scope)}::uuid[])`

export type QuestionRow = NonNullable<Awaited<ReturnType<typeof selectQuestion>>>

export const selectQuestion = (db: Db, scope: QuestionScope, id: string) =>
  questions(db).where('question.id', '=', id).where(visible(scope)).executeTakeFirst()

/** Returns the questions about an upload, the newest first. */
export const selectQuestionsOf = (db: Db, scope: QuestionScope, uploadId: string): Promise<QuestionRow[]> =>
  questions(db)
    .where('question.upload_id', '=', uploadId)
    .where(visible(scope))
    .orderBy('question.created_at', 'desc')
    .execute()

const NEWEST = {
  by: { 'question.changed_at': 'timestamptz', 'question.id': 'uuid' },
  direction: 'desc',
} as const

/** Returns the questions of the scope's institutions, the last changed first; of each one page is read by index. */
export function selectOwn(db: Db, scope: QuestionScope, page: PageRequest): Promise<QuestionRow[]> {
  const ids = db.selectFrom('question').select('question.id')
  const ranges =
    scope.kind === 'all'
      ? [keyset(ids, NEWEST, page)]
      : institutionsOf(scope).map((id) => keyset(ids.where('question.institution_id', '=', id), NEWEST, page))
  if (ranges.length === 0) return Promise.resolve([])
  return questions(db)
    .where(sql<SqlBool>`question.id = any(array(${sql.join(ranges, sql` union all `)}))`)
    .orderBy('question.changed_at', 'desc')
    .orderBy('question.id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/** Whether the upload of a question is outside the bin and has a patient, so that staff may read it. */
const hasUpload = sql<SqlBool>`exists (select from upload where upload.id = question.upload_id
  and upload.deleted_at is null and upload.patient_id is not null offset 0)`

/** Returns the questions that wait for the organisation, the oldest first. */
export const selectOpen = (db: Db, page: PageRequest): Promise<QuestionRow[]> =>
  keyset(
    questions(db).where('question.state', '=', sql.lit('open')).where(hasUpload),
    { by: { 'question.waiting_since': 'timestamptz', 'question.id': 'uuid' }, direction: 'asc' },
    page,
  ).execute()

const noticeable = (db: Db) =>
  db
    .selectFrom('question')
    .innerJoin('institution', 'institution.id', 'question.institution_id')
    .select([
      'question.id',
      'question.upload_id',
      'question.upload_number',
      'question.changed_at',
      'institution.name as institution_name',
    ])

export type NoticeableQuestion = Awaited<ReturnType<typeof selectLastOpen>>[number]

/** Returns the questions that have waited for the organisation for the shortest time. */
export const selectLastOpen = (db: Db, limit: number) =>
  noticeable(db)
    .where('question.state', '=', sql.lit('open'))
    .where(hasUpload)
    .orderBy('question.waiting_since', 'desc')
    .orderBy('question.id', 'desc')
    .limit(limit)
    .execute()

/** Returns the questions of the scope with an answer that nobody of the institution has read, the last answered first. */
export const selectUnread = (db: Db, scope: QuestionScope, limit: number): Promise<NoticeableQuestion[]> =>
  noticeable(db)
    .where('question.unread', '=', sql.lit(true))
    .where(visible(scope))
    .orderBy('question.changed_at', 'desc')
    .orderBy('question.id', 'desc')
    .limit(limit)
    .execute()

/** More than the navigation shows. */
const MAX_COUNTED = 1_000

const countUpTo = (db: Db, condition: ReturnType<typeof visible>): Promise<number> =>
  countRows(db, db.selectFrom('question').select('question.id').where(condition).limit(MAX_COUNTED))

/** Returns how many questions wait for the organisation. */
export const countOpen = (db: Db): Promise<number> =>
  countUpTo(db, sql<SqlBool>`question.state = 'open' and ${hasUpload}`)

/** Returns how many questions of the scope have an answer that nobody of the institution has read. */
export const countUnread = (db: Db, scope: QuestionScope): Promise<number> =>
  countUpTo(db, sql<SqlBool>`question.unread and ${visible(scope)}`)

/** Returns who should answer questions about each upload: the last reviewer who accepted it, else its author. */
export const selectAnswerers = async (
  db: Db,
  uploadIds: readonly string[],
): Promise<{ upload_id: string; name: string | null }[]> =>
  db
    .selectFrom('upload')
    .leftJoin('app_user as author', 'author.id', 'upload.created_by')
    .select((eb) => [
      'upload.id as upload_id',
      eb.fn
        .coalesce(
          eb
            .selectFrom('review')
            .innerJoin('app_user as reviewer', 'reviewer.id', 'review.reviewer_id')
            .select('reviewer.name')
            .whereRef('review.upload_id', '=', 'upload.id')
            .where('review.verdict', '=', 'accepted')
            .where('review.undone_at', 'is', null)
            .orderBy('review.round', 'desc')
            .limit(1),
          'author.name',
        )
        .as('name'),
    ])
    .where(sql<SqlBool>`upload.id = any(${uploadIds}::uuid[])`)
    .execute()

/** Returns the messages of several questions, in order. */
export const selectMessages = (db: Db, questionIds: readonly string[]) =>
  db
    .selectFrom('question_message')
    // Guests read the names of their own colleagues alone.
    .leftJoin('app_user', 'app_user.id', 'question_message.created_by')
    .select([
      'question_message.question_id',
      'question_message.position',
      'question_message.by_organisation',
      'question_message.created_by',
      'question_message.created_at',
      'question_message.text',
      'app_user.name as author_name',
    ])
    .where(sql<SqlBool>`question_message.question_id = any(${questionIds}::uuid[])`)
    .orderBy('question_message.question_id')
    .orderBy('question_message.position')
    .execute()

export type MessageRow = Awaited<ReturnType<typeof selectMessages>>[number]

export const selectLastMessage = (db: Db, questionId: string) =>
  db
    .selectFrom('question_message')
    .select(['created_by', 'text'])
    .where('question_id', '=', questionId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Locks the question until the transaction ends. */
export const lockQuestion = (db: Db, id: string) =>
  db.selectFrom('question').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

/** Returns the id of the question about this upload of this institution and patient, also of a patient merged into this one. */
export const selectQuestionId = async (
  db: Db,
  { upload_id, institution_id, patient_id }: NewQuestion,
): Promise<string | undefined> =>
  (
    await db
      .selectFrom('question')
      .select('id')
      .where('upload_id', '=', upload_id)
      .where('institution_id', '=', institution_id)
      .where(patientNow, '=', patient_id)
      .executeTakeFirst()
  )?.id

type NewQuestion = { upload_id: string; institution_id: string; patient_id: string }

/** Does nothing if a colleague has just begun the same one. */
export const insertQuestion = (
  db: Db,
  { now, ...question }: NewQuestion & { id: string; upload_number: number; now: Date },
) =>
  db
    .insertInto('question')
    .values({ ...question, state: 'open', created_at: now, changed_at: now, waiting_since: now })
    .onConflict((on) => on.columns(['upload_id', 'institution_id', 'patient_id']).doNothing())
    .execute()

/** Adds a message to a question that the transaction has locked. */
export const insertMessage = (
  db: Db,
  message: {
    question_id: string
    position: number
    by_organisation: boolean
    created_by: string
    created_at: Date
    text: string
  },
) => db.insertInto('question_message').values(message).execute()

/** Changes a question that the transaction has locked. */
export const updateQuestion = (
  db: Db,
  id: string,
  values: {
    state: QuestionState
    waiting_since: Date | null
    unread: boolean
    message_count: number
    changed_at: Date
  },
) =>
  db
    .updateTable('question')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()

/** Marks the answers of a question as read; returns undefined if they are. */
export const updateRead = (db: Db, scope: QuestionScope, id: string) =>
  db
    .updateTable('question')
    .set({ unread: false })
    .where('id', '=', id)
    .where('unread', '=', true)
    .where(visible(scope))
    .returning('id')
    .executeTakeFirst()
