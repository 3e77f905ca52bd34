import type { Ctx, SystemActor } from '../../context.ts'
import { selectQueuedMessages } from './messages.db.ts'
import { endMessage, isAbandoned } from './send-message.ts'

/**
 * Sends what was kept while no mail server was configured, unless it is too old by now. A message that already has its job
 * gets no second one.
 */
export async function resumeMessages(ctx: Ctx<SystemActor>): Promise<void> {
  if (!ctx.services.mailer) return
  for (const message of await selectQueuedMessages(ctx.db)) {
    if (isAbandoned(message, ctx.now)) await endMessage(ctx, message.id, 'failed', 'old')
    else await ctx.services.jobs.enqueue(ctx.db, 'message.send', { messageId: message.id })
  }
}
