import { z } from 'zod'
import { LIMITS } from '../../../shared/limits.ts'
import type { QuestionState } from '../../../shared/requests/questions.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalidState, notFound } from '../../errors.ts'
import { publish } from '../../platform/events.ts'
import { isId, newId } from '../../platform/ids.ts'
import { parseInput, requiredNote } from '../../validation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getUpload } from '../uploads/find-upload.ts'
import { recordOpening } from '../uploads/released/record-opening.ts'
import { getQuestion, type Question, withUpload } from './find-question.ts'
import { canAnswer, canAsk, questionScope } from './questions.access.ts'
import {
  insertMessage,
  insertQuestion,
  lockQuestion,
  type QuestionRow,
  selectLastMessage,
  selectQuestionId,
  updateQuestion,
  updateRead,
} from './questions.db.ts'

const schema = z.object({ text: requiredNote('Textul', LIMITS.questionText) })

/**
 * Asks about a result that is released to the actor's institution, or adds to what was asked about it. Throws NOT_FOUND for
 * any other, and CONFLICT if the conversation is full.
 */
export async function askQuestion(
  ctx: UserCtx,
  { uploadId, ...input }: { uploadId: string; text: string },
): Promise<Question> {
  if (!canAsk(ctx.actor)) throw forbidden('ask')
  const { text } = parseInput(schema, input)
  const upload = await getUpload(ctx, uploadId)
  let question: QuestionRow | undefined
  await recordOpening(ctx, upload, { downloaded: false }, async (tx) => {
    const { id: upload_id, number, institution_id, patient_id } = await getUpload(tx, uploadId)
    const about = { upload_id, institution_id: institution_id!, patient_id: patient_id! }
    if (!(await selectQuestionId(tx.db, about)))
      await insertQuestion(tx.db, { id: newId(), upload_number: number, now: tx.now, ...about })
    const found = await getLockedQuestion(tx, (await selectQuestionId(tx.db, about))!)
    await addMessage(tx, found, text)
    question = await getQuestion(tx, found.id)
  })
  return { ...question!, upload }
}

/** Answers a question about an upload that the actor may read, for staff. Throws like `askQuestion`. */
export function answerQuestion(
  ctx: UserCtx,
  { id, ...input }: { id: string; text: string },
): Promise<Question> {
  if (!canAnswer(ctx.actor)) throw forbidden('answer')
  const { text } = parseInput(schema, input)
  return inTransaction(ctx, async (tx) => {
    const question = await getLockedQuestion(tx, id)
    const upload = await getUpload(tx, question.upload_id)
    await addMessage(tx, question, text)
    return withUpload(await getQuestion(tx, id), upload)
  })
}

/**
 * Closes a question: its institution, or staff who may read the upload. Throws CONFLICT if there is a newer message than the
 * actor has seen.
 */
export function closeQuestion(
  ctx: UserCtx,
  { id, version }: { id: string; version: number },
): Promise<QuestionRow> {
  if (!canAsk(ctx.actor) && !canAnswer(ctx.actor)) throw forbidden('close question')
  return inTransaction(ctx, async (tx) => {
    const question = await getLockedQuestion(tx, id)
    if (canAnswer(tx.actor)) await getUpload(tx, question.upload_id)
    if (question.version !== version) throw conflict('question')
    if (question.state !== 'closed')
      await change(tx, question, { action: 'question.close', state: 'closed', added: 0 })
    return getQuestion(tx, id)
  })
}

/** Marks the answers of a question of the actor's institutions as read. */
export function markQuestionRead(ctx: UserCtx, id: string): Promise<QuestionRow> {
  if (!canAsk(ctx.actor)) throw forbidden('read answers')
  return inTransaction(ctx, async (tx) => {
    const question = await getQuestion(tx, id)
    if (!(await updateRead(tx.db, questionScope(tx.actor), id))) return question
    await publish(tx.db, { kind: 'question', institutionId: question.institution_id })
    return getQuestion(tx, id)
  })
}

async function getLockedQuestion(tx: UserCtx, id: string): Promise<QuestionRow> {
  if (!isId(id)) throw notFound('question')
  await lockQuestion(tx.db, id)
  return getQuestion(tx, id)
}

/** Adds a message, unless the actor has just written the same: a repeated request adds it only once. */
async function addMessage(tx: UserCtx, question: QuestionRow, text: string): Promise<void> {
  const last = await selectLastMessage(tx.db, question.id)
  if (last?.created_by === tx.actor.id && last.text === text) return
  if (question.message_count >= LIMITS.questionMessages)
    throw invalidState(
      'conversation full',
      `Despre acest rezultat s-au scris deja ${LIMITS.questionMessages} de mesaje. Mai departe se continuă la telefon.`,
    )
  const byOrganisation = canAnswer(tx.actor)
  await insertMessage(tx.db, {
    question_id: question.id,
    position: question.message_count + 1,
    by_organisation: byOrganisation,
    created_by: tx.actor.id,
    created_at: tx.now,
    text,
  })
  await change(tx, question, {
    action: byOrganisation ? 'question.answer' : 'question.ask',
    state: byOrganisation ? 'answered' : 'open',
    added: 1,
  })
}

/** Writes the state of a locked question. What staff do is unread for the institution; what it does itself is not. */
async function change(
  tx: UserCtx,
  { id, upload_id, institution_id, patient_now, message_count, waiting_since }: QuestionRow,
  to: {
    action: 'question.ask' | 'question.answer' | 'question.close'
    state: QuestionState
    added: 0 | 1
  },
): Promise<void> {
  await updateQuestion(tx.db, id, {
    state: to.state,
    waiting_since: to.state === 'open' ? (waiting_since ?? tx.now) : null,
    unread: canAnswer(tx.actor),
    message_count: message_count + to.added,
    changed_at: tx.now,
  })
  await recordAudit(tx, {
    action: to.action,
    subject: { type: 'upload', id: upload_id },
    patientId: patient_now,
  })
  await publish(tx.db, { kind: 'question', institutionId: institution_id })
}
