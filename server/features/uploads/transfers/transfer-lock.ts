import type { Lock, Locks } from '../../../platform/locks.ts'

/**
 * Returns the lock on a transfer's bytes, exclusive across all servers; null while another request or job has
 * it.
 */
export const tryLockTransfer = (locks: Locks, id: string): Promise<Lock | null> =>
  locks.tryAcquire(`transfer ${id}`)

/** Runs the work under the transfer's lock; returns null without running it while another request or job has it. */
export async function withTransferLock<T>(
  locks: Locks,
  id: string,
  work: () => Promise<T>,
): Promise<T | null> {
  const lock = await tryLockTransfer(locks, id)
  if (!lock) return null
  try {
    return await work()
  } finally {
    await lock.release()
  }
}
