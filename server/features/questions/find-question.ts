import type { UserCtx } from '../../context.ts'
import { forbidden, notFound } from '../../errors.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { batchRows } from '../../platform/database/batcher.ts'
import { isId } from '../../platform/ids.ts'
import { recordAudit, recordAudits } from '../audit/record-audit.ts'
import { findUpload, findUploads, getUpload } from '../uploads/find-upload.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { canAnswer, canAsk, questionScope } from './questions.access.ts'
import {
  countOpen,
  countUnread,
  type MessageRow,
  type NoticeableQuestion,
  type QuestionRow,
  selectAnswerers,
  selectLastOpen,
  selectMessages,
  selectOpen,
  selectOwn,
  selectQuestion,
  selectQuestionsOf,
  selectUnread,
} from './questions.db.ts'

/** A question with its upload, if the actor may read it and it is still of the question's institution and patient. */
export type Question = QuestionRow & { upload: UploadRow | null }

/** Whether the upload still is what the question was about: for the same institution and the same patient. */
const isAbout = (question: QuestionRow, upload: UploadRow): boolean =>
  question.upload_id === upload.id &&
  question.institution_id === upload.institution_id &&
  question.patient_now === upload.patient_id

/** Returns the question with the upload that the actor may read. */
export const withUpload = (question: QuestionRow, upload: UploadRow | undefined): Question => ({
  ...question,
  upload: upload && isAbout(question, upload) ? upload : null,
})

async function withUploads(ctx: UserCtx, rows: readonly QuestionRow[]): Promise<Question[]> {
  const uploads = await findUploads(ctx, [...new Set(rows.map(({ upload_id }) => upload_id))])
  return rows.map((row) =>
    withUpload(
      row,
      uploads.find(({ id }) => id === row.upload_id),
    ),
  )
}

/**
 * Returns the questions about an upload that the actor may read: staff all, also those of an institution that it was moved
 * away from; an institution's user their own about this result.
 */
export async function listQuestionsOf(ctx: UserCtx, uploadId: string): Promise<Question[]> {
  if (!canAsk(ctx.actor) && !canAnswer(ctx.actor)) throw forbidden('read questions')
  const upload = await getUpload(ctx, uploadId)
  const rows = await selectQuestionsOf(ctx.db, questionScope(ctx.actor), uploadId)
  const shown = canAnswer(ctx.actor) ? rows : rows.filter((row) => isAbout(row, upload))
  // Those of before a move are about another patient.
  await recordAudits(ctx, [...new Map(shown.map((row) => [row.patient_now, toReading(row)])).values()])
  return shown.map((row) => withUpload(row, upload))
}

/** Returns a question of the actor's institutions, also about a result that they no longer see. */
export async function readQuestion(ctx: UserCtx, id: string): Promise<Question> {
  if (!canAsk(ctx.actor)) throw forbidden('read question')
  const question = await getQuestion(ctx, id)
  await recordAudit(ctx, toReading(question))
  return withUpload(question, await findUpload(ctx, question.upload_id))
}

const toReading = ({ upload_id, patient_now }: QuestionRow) =>
  ({
    action: 'question.read',
    subject: { type: 'upload', id: upload_id },
    patientId: patient_now,
  }) as const

/** Returns the question. Throws NOT_FOUND if it is not in the actor's scope. */
export async function getQuestion(ctx: UserCtx, id: string): Promise<QuestionRow> {
  const question = isId(id) ? await selectQuestion(ctx.db, questionScope(ctx.actor), id) : undefined
  if (!question) throw notFound('question')
  return question
}

/** Returns the questions of the actor's institutions, the last changed first. */
export async function listOwnQuestions(ctx: UserCtx, args: PageArgs): Promise<Page<Question>> {
  if (!canAsk(ctx.actor)) throw forbidden('list own questions')
  const request = parsePage(args)
  const rows = await selectOwn(ctx.db, questionScope(ctx.actor), request)
  return toShownPage(
    ctx,
    toPage(rows, request, ({ changed_at, id }) => [changed_at.toISOString(), id]),
  )
}

/** Returns for staff the questions that wait for an answer, the oldest first. */
export async function listOpenQuestions(ctx: UserCtx, args: PageArgs): Promise<Page<Question>> {
  if (!canAnswer(ctx.actor)) throw forbidden('list open questions')
  const request = parsePage(args)
  const rows = await selectOpen(ctx.db, request)
  return toShownPage(
    ctx,
    toPage(rows, request, ({ waiting_since, id }) => [waiting_since!.toISOString(), id]),
  )
}

async function toShownPage(ctx: UserCtx, page: Page<QuestionRow>): Promise<Page<Question>> {
  await recordAudit(ctx, {
    action: 'question.list',
    subjectIds: page.nodes.map(({ upload_id }) => upload_id),
  })
  return { ...page, nodes: await withUploads(ctx, page.nodes) }
}

/** Returns how many questions wait for the organisation, for staff, or have an unread answer, for an institution's user. */
export async function countQuestions(ctx: UserCtx): Promise<number> {
  if (canAnswer(ctx.actor)) return countOpen(ctx.db)
  if (canAsk(ctx.actor)) return countUnread(ctx.db, questionScope(ctx.actor))
  throw forbidden('count questions')
}

/**
 * Returns the newest of the questions that `countQuestions` counts, without what they are about, and without an audit row:
 * they name no patient and no content.
 */
export async function findNoticeableQuestions(ctx: UserCtx, limit: number): Promise<NoticeableQuestion[]> {
  if (canAnswer(ctx.actor)) return selectLastOpen(ctx.db, limit)
  if (canAsk(ctx.actor)) return selectUnread(ctx.db, questionScope(ctx.actor), limit)
  throw forbidden('find questions')
}

const messagesOf = batchRows(
  selectMessages,
  (questionId: string) => questionId,
  (message) => message.question_id,
)
const answerersOf = batchRows(
  selectAnswerers,
  (uploadId: string) => uploadId,
  ({ upload_id }) => upload_id,
)

/** Returns the messages of a question that the actor reads. */
export const loadMessages = ({ db }: UserCtx, { id }: QuestionRow): Promise<MessageRow[]> =>
  messagesOf(db, id)

/** Returns the name of the person who should answer: the last reviewer who accepted the upload, else its author. */
export const loadAnswerer = async ({ db }: UserCtx, { upload_id }: QuestionRow): Promise<string | null> =>
  (await answerersOf(db, upload_id))[0]?.name ?? null
