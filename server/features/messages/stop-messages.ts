import type { Ctx } from '../../context.ts'
import { selectQueuedMessagesAbout } from './messages.db.ts'
import { endMessage } from './send-message.ts'

/** What waits to be sent to these accounts, but for notices, is not sent any more, in the caller's transaction; what it said is gone. */
export async function stopMessages(tx: Ctx, userIds: readonly string[]): Promise<void> {
  for (const { id } of await selectQueuedMessagesAbout(tx.db, userIds)) {
    await endMessage({ ...tx, actor: { kind: 'system', name: 'Dosar' } }, id, 'failed', 'suspended')
  }
}
