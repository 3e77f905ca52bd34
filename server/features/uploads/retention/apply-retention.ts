import type { Ctx, SystemActor } from '../../../context.ts'
import { expireUploads } from './expire-uploads.ts'
import { removeExpiredFiles } from './remove-expired-files.ts'
import { restoreFromBin } from './restore-from-bin.ts'

/**
 * Applies the retention of the current settings. Uploads leave the bin before files in the bin are deleted,
 * so that a corrected setting saves them.
 */
export async function applyRetention(ctx: Ctx<SystemActor>): Promise<void> {
  await restoreFromBin(ctx)
  await expireUploads(ctx)
  await removeExpiredFiles(ctx)
}
