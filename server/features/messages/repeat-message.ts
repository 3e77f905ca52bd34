import { isUndelivered } from '../../../shared/messages/message-states.ts'
import type { UserCtx } from '../../context.ts'
import { invalidState, notFound } from '../../errors.ts'
import { isId, newId } from '../../platform/ids.ts'
import {
  deleteBody,
  insertMessage,
  lockFailedMessage,
  type MessageRow,
  selectAddress,
} from './messages.db.ts'
import { enqueueSending } from './queue-message.ts'

/** Returns a mail that will not be sent any more, locked; throws NOT_FOUND for any other. */
export async function getFailedMessage(tx: UserCtx, id: string): Promise<MessageRow> {
  const message = isId(id) ? await lockFailedMessage(tx.db, id) : undefined
  if (!message) throw notFound('failed message')
  return message
}

/**
 * Queues the text of a failed mail, which has no one-time link, as a new mail to the present address of its account. Throws
 * CONFLICT for a mail whose text was not kept.
 */
export async function repeatMessage(tx: UserCtx, message: MessageRow): Promise<void> {
  const { id, body, kind, subject, recipient_name, about_type, about_id } = message
  if (!body)
    throw invalidState(
      'text not kept',
      'Textul acestui mesaj nu s-a păstrat: nu se mai poate trimite din nou.',
    )
  const account = about_type === 'user' && about_id ? await selectAddress(tx.db, about_id) : undefined
  const next = newId()
  await insertMessage(tx.db, {
    id: next,
    recipient: account?.email ?? message.recipient,
    recipient_name,
    kind,
    subject,
    body,
    about_type,
    about_id,
    caused_by: tx.actor.id === about_id ? null : tx.actor.id,
    created_at: tx.now,
  })
  await deleteBody(tx.db, id)
  await enqueueSending(tx, { id: next, kind })
}

/** Whether an administrator may have a failed mail sent again as it is: a digest is counted again, a kept text repeated. */
export const canRepeat = ({ state, kind, body, last_error }: MessageRow): boolean =>
  isUndelivered(state) &&
  (kind === 'results' ? last_error !== 'withdrawn' && last_error !== 'postponed' : body !== null)
