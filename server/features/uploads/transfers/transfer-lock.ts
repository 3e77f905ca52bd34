import type { Lock, Locks } from '../../../platform/locks.ts'

/** The right to touch a transfer's bytes, held by one request or job of all servers at a time; null where it is taken. */
export const tryLockTransfer = (locks: Locks, id: string): Promise<Lock | null> =>
  locks.tryAcquire(`transfer ${id}`)
