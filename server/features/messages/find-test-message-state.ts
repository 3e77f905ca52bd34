import type { MessageState } from '../../../shared/messages/message-states.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { canManageMessages } from './messages.access.ts'
import { selectTestMessageState } from './messages.db.ts'

/**
 * Returns `sent` if the mail server has ever accepted a test mail, else the state of the newest; null without any. For
 * administrators.
 */
export async function findTestMessageState(ctx: UserCtx): Promise<MessageState | null> {
  if (!canManageMessages(ctx.actor)) throw forbidden('read the test message')
  return (await selectTestMessageState(ctx.db))?.state ?? null
}
