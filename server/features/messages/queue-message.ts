import { parseEmail } from '../../../shared/email.ts'
import { normaliseText } from '../../../shared/romania/names.ts'
import type { Ctx } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import { findSite } from '../site/find-site.ts'
import { renderHtml, renderText } from './mail-layout.ts'
import { type MailContent, writeMail } from './mail-templates.ts'
import { encryptBody } from './message-body.ts'
import { canManageMessages } from './messages.access.ts'
import { insertMessage, selectMaker, selectRole, updateContent } from './messages.db.ts'

export type QueuedMail = {
  /** The recipient, by the stored address. */
  to: { name: string; address: string }
  content: MailContent
  /** The row that the mail is about. */
  about: { type: string; id: string }
  /** The institution whose results it counts: the mail is sent only while the recipient belongs to it. */
  institutionId?: string
  /** Who is notified if it fails; the user of the request by default. */
  causedBy?: string | null
}

/**
 * Queues a mail in the caller's transaction, to be sent after the commit, and returns the message's id. A
 * later failure to send never fails the caller; for an invalid address the message is stored as failed.
 */
export async function queueMessage(tx: Ctx, mail: QueuedMail): Promise<string> {
  const { to, content, about, institutionId, causedBy = userOf(tx) } = mail
  // A mail about the failure would not reach the recipient either.
  const maker = causedBy === about.id ? null : causedBy
  const address = parseEmail(to.address)
  const { subject, body, name } = await render(tx, mail)
  const id = newId()
  await insertMessage(tx.db, {
    id,
    recipient: address ?? to.address,
    recipient_name: name || null,
    kind: content.kind,
    subject,
    body: address ? body : null,
    about_type: about.type,
    about_id: about.id,
    institution_id: institutionId ?? null,
    caused_by: maker,
    created_at: tx.now,
    ...(address === null && { state: 'failed' as const, last_error: 'address' }),
  })
  if (address) await enqueueSending(tx, { id, kind: content.kind })
  else {
    await announceFailure(tx, maker)
    await notifyMaker(tx, { kind: content.kind, caused_by: maker, created_at: tx.now }, 'address')
  }
  return id
}

/** Enqueues the job that sends a queued message: a digest is counted again before it is sent. */
export const enqueueSending = (
  { services, db }: Ctx,
  { id, kind }: { id: string; kind: string },
): Promise<void> =>
  services.jobs.enqueue(db, kind === 'results' ? 'send-digest' : 'send-message', { messageId: id })

/** Gives a queued message another content of the same kind. */
export async function rewriteMessage(tx: Ctx, id: string, mail: QueuedMail): Promise<void> {
  const { subject, body } = await render(tx, mail)
  await updateContent(tx.db, id, { subject, body })
}

/** Has the bells of administrators, and of the user who has caused a mail that has failed, read again. */
export async function announceFailure({ db }: Ctx, causedBy: string | null): Promise<void> {
  await publish(db, { kind: 'notification', userId: null })
  if (causedBy !== null) await publish(db, { kind: 'notification', userId: causedBy })
}

/** Notifies the active user who has caused a mail that it has failed for the reason `code`. */
export async function notifyMaker(
  tx: Ctx,
  { kind, caused_by, created_at }: { kind: string; caused_by: string | null; created_at: Date },
  code: string,
): Promise<void> {
  const maker = caused_by === null ? undefined : await selectMaker(tx.db, caused_by)
  if (!maker) return
  const path = canManageMessages(maker) ? '/admin?tab=mesaje&undelivered=true' : ''
  await queueMessage(tx, {
    to: { name: maker.name, address: maker.email },
    content: { kind: 'mail-failed', failed: kind, at: created_at, code, path },
    about: { type: 'user', id: maker.id },
    causedBy: null,
  })
}

const userOf = ({ actor }: Ctx): string | null => (actor.kind === 'user' ? actor.id : null)

async function render(tx: Ctx, { to, content, about }: QueuedMail) {
  const site = await findSite(tx.db)
  const name = normaliseText(to.name)
  const role = about.type === 'user' ? await selectRole(tx.db, about.id) : null
  const mail = writeMail(content, { name, role }, { ...site, url: site.url || tx.services.config.url })
  const body = encryptBody(tx, { text: renderText(mail), html: await renderHtml(mail) })
  return { name, subject: normaliseText(mail.subject), body }
}
