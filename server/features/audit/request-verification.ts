import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { canVerifyAuditLog } from './audit.access.ts'
import { recordAudit } from './record-audit.ts'

/**
 * Queues a job that verifies the audit chain, for administrators. If one is already queued or running, no
 * second is added.
 */
export async function requestVerification(ctx: UserCtx): Promise<void> {
  if (!canVerifyAuditLog(ctx.actor)) throw forbidden('verify the audit log')
  await inTransaction(ctx, async (tx) => {
    await recordAudit(tx, { action: 'log.verify' })
    await tx.services.jobs.enqueue(tx.db, 'verify-chain', { askedBy: ctx.actor.id })
  })
}
