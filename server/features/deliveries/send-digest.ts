import { parseEmail } from '../../../shared/email.ts'
import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import { rewriteMessage } from '../messages/queue-message.ts'
import { endMessage, sendMessage } from '../messages/send-message.ts'
import { findSite } from '../site/find-site.ts'
import { digestOf } from './announce-results.ts'
import { countAnnounced, deleteOutdated, releaseAnnounced, selectQueuedDigest } from './announcements.db.ts'

/**
 * Sends a queued digest as `sendMessage` does, after it has counted again: what was withdrawn since, or is unwanted by now, is not
 * in it, and a digest that announces nothing any more is not sent. What it announces waits for another one if the reader has
 * another address, or the site no `patient::files`.
 */
export async function sendDigest(ctx: Ctx<SystemActor>, messageId: string): Promise<void> {
  await inTransaction(ctx, (tx) => refreshDigest(tx, messageId))
  await sendMessage(ctx, messageId)
}

async function refreshDigest(tx: Ctx<SystemActor>, messageId: string): Promise<void> {
  const digest = await selectQueuedDigest(tx.db, messageId)
  if (!digest) return
  const { features } = await findSite(tx.db)
  if (digest.recipient !== parseEmail(digest.email) || !features.includes('patient::files')) {
    await releaseAnnounced(tx.db, messageId)
    return endMessage(tx, messageId, 'failed', 'postponed')
  }
  if (!(await deleteOutdated(tx.db, messageId))) return
  const counts = await countAnnounced(tx.db, messageId)
  if (counts.length === 0) return endMessage(tx, messageId, 'failed', 'withdrawn')
  await rewriteMessage(tx, messageId, {
    to: { name: digest.user_name, address: digest.recipient },
    content: digestOf(digest.institution_name, counts),
    about: { type: 'user', id: digest.user_id },
  })
}
