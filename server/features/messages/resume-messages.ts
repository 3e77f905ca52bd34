import type { Ctx, SystemActor } from '../../context.ts'
import { selectQueuedMessages } from './messages.db.ts'
import { enqueueSending } from './queue-message.ts'
import { endMessage, isAbandoned } from './send-message.ts'

/**
 * Enqueues messages that were kept while no mail server was configured, and fails those that are too old. A
 * message that already has a job gets no second one.
 */
export async function resumeMessages(ctx: Ctx<SystemActor>): Promise<void> {
  if (!ctx.services.mailer) return
  for (const message of await selectQueuedMessages(ctx.db)) {
    if (isAbandoned(message, ctx.now)) await endMessage(ctx, message.id, 'failed', 'old')
    else await enqueueSending(ctx, message)
  }
}
