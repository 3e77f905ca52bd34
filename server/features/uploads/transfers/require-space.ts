import { LIMITS } from '../../../../shared/limits.ts'
import { type Ctx, inTransaction } from '../../../context.ts'
import type { Reservation } from '../../../platform/storage/partial-files.ts'
import { noSpace } from './transfer-errors.ts'
import { lockSpace, selectExpectedBytes } from './transfers.db.ts'

/**
 * Throws 507 unless the disk has room for `size` bytes beside those that other transfers have announced, or that are reserved
 * for requests of integrations, and that have not arrived yet.
 */
export async function requireSpace({ db, services }: Ctx, size: number): Promise<void> {
  await lockSpace(db)
  const free = await services.storage.freeBytes()
  if (free === null) return
  const expected = (await selectExpectedBytes(db)) + services.partialFiles.reservedBytes()
  if (free - expected - size < LIMITS.reservedBytes) throw noSpace()
}

/** Reserves space for bytes of a request that is no transfer; the caller releases it. Throws 507 like `requireSpace`. */
export function reserveSpace(ctx: Ctx, size: number): Promise<Reservation> {
  return inTransaction(ctx, async (tx) => {
    await requireSpace(tx, size)
    return tx.services.partialFiles.reserve(size)
  })
}
