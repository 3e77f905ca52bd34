import type { Ctx } from '../../../context.ts'
import { updateCancelled } from './transfers.db.ts'

/**
 * Gives up a file under way and its bytes, under its lock; a finished file is never touched. `before`: only where nothing
 * has happened since. Answers whether there was one.
 */
export async function cancelTransfer(ctx: Ctx, id: string, before?: Date): Promise<boolean> {
  const cancelled = await updateCancelled(ctx.db, id, ctx.now, before)
  if (cancelled) await ctx.services.partialFiles.remove(id)
  return cancelled
}
