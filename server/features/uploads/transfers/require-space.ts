import { LIMITS } from '../../../../shared/limits.ts'
import type { Ctx } from '../../../context.ts'
import { noSpace } from './transfer-errors.ts'
import { lockSpace, selectExpectedBytes } from './transfers.db.ts'

/**
 * Throws 507 unless the disk has room for `size` bytes beside those that other transfers have announced and not sent
 * yet.
 */
export async function requireSpace({ db, services }: Ctx, size: number): Promise<void> {
  await lockSpace(db)
  const free = await services.storage.freeBytes()
  if (free === null) return
  const expected = await selectExpectedBytes(db)
  if (free - expected - size < LIMITS.reservedBytes) throw noSpace()
}
