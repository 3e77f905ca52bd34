import type { Ctx } from '../../context.ts'
import type { Lock } from '../../platform/locks.ts'

/** The right to touch a transfer's bytes, held by one request or job of all servers at a time; null where it is taken. */
export const tryLockTransfer = (ctx: Pick<Ctx, 'locks'>, id: string): Promise<Lock | null> =>
  ctx.locks.tryAcquire(`transfer ${id}`)
