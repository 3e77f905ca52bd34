import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, notFound } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { canManageSystem } from './system.access.ts'

/** Retries a failed job as if it were new, for administrators. Throws NOT_FOUND if the job has not failed. */
export async function retryJob(ctx: UserCtx, name: string, id: string): Promise<void> {
  if (!canManageSystem(ctx.actor)) throw forbidden('retry a job')
  await inTransaction(ctx, async (tx) => {
    if (!isId(id) || !(await tx.services.jobs.retry(tx.db, name, id))) throw notFound('failed job')
    await recordAudit(tx, { action: 'job.retry', subject: { type: 'job', id } })
  })
}
