import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalidState, notFound } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { announceRequest } from './ask-to-delete.ts'
import {
  type RequestRow,
  selectOwnRequest,
  selectOwnRequests,
  updateAnswered,
} from './deletion-requests.db.ts'
import { canAnswerDeletionRequests } from './incidents.access.ts'

/** How long an answered request stays in the inbox. */
const SHOWN_AFTER_ANSWER_MS = 7 * 24 * 3_600_000

/** Returns the requests to delete of the actor's institutions, the newest first: the open ones and those just answered. */
export async function listDeletionRequests(ctx: UserCtx): Promise<RequestRow[]> {
  if (!canAnswerDeletionRequests(ctx.actor)) throw forbidden('list deletion requests')
  const since = new Date(ctx.now.getTime() - SHOWN_AFTER_ANSWER_MS)
  return selectOwnRequests(ctx.db, ctx.actor.institutionIds, since)
}

/**
 * Records that the institution has deleted what it had, by whom and when. Throws NOT_FOUND for a request of another
 * institution, and CONFLICT if a colleague has answered.
 */
export function answerDeletionRequest(ctx: UserCtx, id: string): Promise<RequestRow> {
  if (!canAnswerDeletionRequests(ctx.actor)) throw forbidden('answer deletion request')
  return inTransaction(ctx, async (tx) => {
    const find = async () => (isId(id) ? selectOwnRequest(tx.db, tx.actor.institutionIds, id) : undefined)
    const request = await find()
    if (!request) throw notFound('deletion request')
    if (!(await updateAnswered(tx.db, id, tx.actor.id, tx.now)))
      throw invalidState('already answered', 'Un coleg a confirmat deja ștergerea.')
    await recordAudit(tx, { action: 'deletion-request.answer', subject: { type: 'deletion-request', id } })
    await announceRequest(tx, request.institution_id)
    const answered = await find()
    if (!answered) throw notFound('deletion request')
    return answered
  })
}
