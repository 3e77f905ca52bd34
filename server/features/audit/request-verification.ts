import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { canVerifyJournal } from './audit.access.ts'
import { recordAudit } from './record-audit.ts'

/** Has the journal's chain verified, by a job: it may take a while. One that is under way already is not doubled. */
export async function requestVerification(ctx: UserCtx): Promise<void> {
  if (!canVerifyJournal(ctx.actor)) throw forbidden('verify the journal')
  await inTransaction(ctx, async (tx) => {
    await recordAudit(tx, { action: 'log.verify' })
    await tx.services.jobs.enqueue(tx.db, 'audit.verify', { askedBy: ctx.actor.id })
  })
}
