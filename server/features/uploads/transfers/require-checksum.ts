import type { Ctx } from '../../../context.ts'
import { cancelTransfer } from './cancel-transfer.ts'
import { checksumMismatch } from './transfer-errors.ts'
import type { Transfer } from './transfers.db.ts'

/** Throws 460 and cancels the transfer, whose bytes have all arrived, unless they have the announced SHA-256. */
export async function requireChecksum(ctx: Ctx, { id, size, sha256 }: Transfer): Promise<void> {
  if ((await ctx.services.partialFiles.digest(id)).equals(sha256)) return
  ctx.services.log.warn('upload: wrong checksum', { transfer: id, size })
  await cancelTransfer(ctx, id)
  throw checksumMismatch()
}
