import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { canManageMessages } from './messages.access.ts'
import { type MessageRow, selectMessage } from './messages.db.ts'
import { queueMessage } from './queue-message.ts'

/** Queues a test mail to the administrator's own address. */
export function sendTestMessage(ctx: UserCtx): Promise<MessageRow> {
  if (!canManageMessages(ctx.actor)) throw forbidden('send a test message')
  return inTransaction(ctx, async (tx) => {
    const { id: userId, name, email } = tx.actor
    const id = await queueMessage(tx, {
      to: { name, address: email },
      content: { kind: 'test' },
      about: { type: 'user', id: userId },
    })
    await recordAudit(tx, { action: 'message.test', subject: { type: 'message', id } })
    return selectMessage(tx.db, id)
  })
}
