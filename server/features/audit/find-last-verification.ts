import type { Ctx, SystemActor, UserActor } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { canVerifyAuditLog } from './audit.access.ts'
import { selectLastVerification } from './chain.db.ts'

export type Verification = NonNullable<Awaited<ReturnType<typeof selectLastVerification>>>

/**
 * Returns the result of the last verification of the audit chain, for administrators and jobs; null before the first.
 */
export async function findLastVerification(ctx: Ctx<UserActor | SystemActor>): Promise<Verification | null> {
  if (ctx.actor.kind === 'user' && !canVerifyAuditLog(ctx.actor))
    throw forbidden('read the verification of the audit log')
  return (await selectLastVerification(ctx.db)) ?? null
}
