import type { Ctx } from '../../../context.ts'
import { updateCancelled } from './transfers.db.ts'

/**
 * Cancels an unfinished transfer and deletes its bytes; the caller has locked it. Leaves a finished transfer
 * alone and, with `before`, one with activity since then. Returns whether a transfer was cancelled.
 */
export async function cancelTransfer(ctx: Ctx, id: string, before?: Date): Promise<boolean> {
  const cancelled = await updateCancelled(ctx.db, id, ctx.now, before)
  if (cancelled) await ctx.services.partialFiles.remove(id)
  return cancelled
}
