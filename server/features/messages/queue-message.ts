import { parseEmail } from '../../../shared/email.ts'
import { normaliseText } from '../../../shared/romania/names.ts'
import type { Ctx } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { findSite } from '../site/find-site.ts'
import { renderHtml, renderText } from './mail-layout.ts'
import { type MailContent, writeMail } from './mail-templates.ts'
import { encryptBody } from './message-body.ts'
import { insertMessage, selectRole } from './messages.db.ts'

export type QueuedMail = {
  /** The recipient, by the stored address. */
  to: { name: string; address: string }
  content: MailContent
  /** The row that the mail is about. */
  about: { type: string; id: string }
}

/**
 * Queues a mail in the caller's transaction, to be sent after the commit, and returns the message's id. A
 * later failure to send never fails the caller; for an invalid address the message is stored as failed.
 */
export async function queueMessage(tx: Ctx, { to, content, about }: QueuedMail): Promise<string> {
  const site = await findSite(tx.db)
  const name = normaliseText(to.name)
  const address = parseEmail(to.address)
  const role = about.type === 'user' ? await selectRole(tx.db, about.id) : null
  const mail = writeMail(content, { name, role }, { ...site, url: site.url || tx.services.config.url })
  const id = newId()
  await insertMessage(tx.db, {
    id,
    recipient: address ?? to.address,
    recipient_name: name || null,
    kind: content.kind,
    subject: normaliseText(mail.subject),
    body: address ? encryptBody(tx, { text: renderText(mail), html: await renderHtml(mail) }) : null,
    about_type: about.type,
    about_id: about.id,
    created_at: tx.now,
    ...(address === null && { state: 'failed' as const, last_error: 'address' }),
  })
  if (address) await tx.services.jobs.enqueue(tx.db, 'send-message', { messageId: id })
  return id
}
