import type { Ctx } from '../../context.ts'
import { selectQueuedMessagesAbout } from './messages.db.ts'
import { endMessage } from './send-message.ts'

/**
 * Cancels queued mail about these accounts, except notices, in the caller's transaction, and deletes its
 * text.
 */
export async function stopMessages(tx: Ctx, userIds: readonly string[]): Promise<void> {
  for (const { id } of await selectQueuedMessagesAbout(tx.db, userIds)) {
    await endMessage({ ...tx, actor: { kind: 'system', name: 'Dosar' } }, id, 'failed', 'suspended')
  }
}
