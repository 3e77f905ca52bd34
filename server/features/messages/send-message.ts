import { parseEmail } from '../../../shared/email.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { isRepeatable } from '../../../shared/messages/mail-kinds.ts'
import type { MessageState } from '../../../shared/messages/message-states.ts'
import { normaliseText } from '../../../shared/romania/names.ts'
import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import { type Mail, MailFailure } from '../../platform/mailer.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { findSite } from '../site/find-site.ts'
import { decryptBody } from './message-body.ts'
import { closeMessage, countAttempt, deleteBody, ENDED_ON_PURPOSE, updateLastError } from './messages.db.ts'
import { announceFailure, notifyMaker } from './queue-message.ts'

/**
 * Sends a queued message from the sender in the site's settings [1.5]; without a mail server it stays queued.
 * Ends as `sent`; `bounced` if the server permanently rejects the recipient; `failed` if the server rejects
 * the message or was unavailable too long, or it is not to be sent any more. Until then rethrows MailFailure, so
 * that the job is retried.
 */
export async function sendMessage(ctx: Ctx<SystemActor>, id: string): Promise<void> {
  const { mailer } = ctx.services
  if (!mailer) return
  const message = await countAttempt(ctx.db, id)
  if (!message) return
  if (message.stopped_by) return endMessage(ctx, id, 'failed', message.stopped_by)
  const body = message.body && decryptBody(ctx, message.body)
  if (!body) return endMessage(ctx, id, 'failed', 'sealed')
  try {
    await mailer.send({
      id,
      from: await findSender(ctx),
      to: { name: message.recipient_name ?? '', address: message.recipient },
      subject: message.subject,
      ...body,
    })
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    if (error.rejected) {
      return endMessage(ctx, id, error.rejected === 'recipient' ? 'bounced' : 'failed', error.code)
    }
    if (isAbandoned(message, ctx.now)) return endMessage(ctx, id, 'failed', error.code)
    await updateLastError(ctx.db, id, error.code)
    throw error
  }
  await endMessage(ctx, id, 'sent', null)
}

/** Returns whether a message is too old to be sent. */
export const isAbandoned = (message: { created_at: Date }, now: Date): boolean =>
  now.getTime() - message.created_at.getTime() >= LIMITS.messageTryHours * 3_600_000

/**
 * Sets the final state of a message, deletes its body unless it may be sent again, records the outcome in the audit log
 * and notifies who has caused a mail that failed. A message that the product has ended itself is no failure.
 */
export function endMessage(
  ctx: Ctx<SystemActor>,
  id: string,
  state: Exclude<MessageState, 'queued'>,
  lastError: string | null,
): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const message = await closeMessage(tx.db, id, {
      state,
      last_error: lastError,
      sent_at: state === 'sent' ? tx.now : null,
    })
    const isFailure = lastError !== null && !ENDED_ON_PURPOSE.includes(lastError)
    if (!isFailure || lastError === 'sealed' || !isRepeatable(message.kind)) await deleteBody(tx.db, id)
    await recordAudit(tx, {
      action: 'message.send',
      subject: { type: 'message', id },
      outcome: state === 'sent' ? 'ok' : 'failed',
    })
    if (!isFailure) return
    await announceFailure(tx, message.caused_by)
    await notifyMaker(tx, message, lastError)
  })
}

async function findSender({ db, services }: Ctx): Promise<Mail['from']> {
  const site = await findSite(db)
  const { from_name, from_email } = site
  return {
    name: normaliseText(from_name),
    address: parseEmail(from_email) ?? `noreply@${new URL(site.url || services.config.url).hostname}`,
  }
}
