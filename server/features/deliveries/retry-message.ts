import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalidState } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { canManageMessages } from '../messages/messages.access.ts'
import { getFailedMessage, repeatMessage } from '../messages/repeat-message.ts'
import { releaseAnnounced } from './announcements.db.ts'

/**
 * Has a failed mail sent again as a new one, for administrators: what a digest announced is counted again, and a text without
 * a one-time link repeated. Throws CONFLICT if nothing is left to announce, or the text was not kept.
 */
export function retryMessage(ctx: UserCtx, id: string): Promise<boolean> {
  if (!canManageMessages(ctx.actor)) throw forbidden('retry a message')
  return inTransaction(ctx, async (tx) => {
    const message = await getFailedMessage(tx, id)
    if (message.kind !== 'results') await repeatMessage(tx, message)
    else if (await releaseAnnounced(tx.db, id)) await tx.services.jobs.enqueue(tx.db, 'announce-results', {})
    else
      throw invalidState(
        'nothing to announce',
        'Nu mai este nimic de anunțat: rezultatele au fost retrase sau anunțate din nou.',
      )
    await recordAudit(tx, { action: 'message.retry', subject: { type: 'message', id } })
    return true
  })
}
