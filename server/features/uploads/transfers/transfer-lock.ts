import type { Lock, Locks } from '../../../platform/locks.ts'

/**
 * Returns the lock on a transfer's bytes, exclusive across all servers; null while another request or job has
 * it.
 */
export const tryLockTransfer = (locks: Locks, id: string): Promise<Lock | null> =>
  locks.tryAcquire(`transfer ${id}`)
