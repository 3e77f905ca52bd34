import { setTimeout as pause } from 'node:timers/promises'
import { transferBusy } from '../../features/uploads/transfers/transfer-errors.ts'
import { tryLockTransfer } from '../../features/uploads/transfers/transfer-lock.ts'
import type { Services } from '../../services.ts'

/** Milliseconds for which a request waits for the one before it to let go. */
const LOCK_TIMEOUT_MS = 2_000
const RETRY_DELAY_MS = 50
/** Milliseconds without a byte after which a sender gives way to another request for the same file. */
const IDLE_SENDER_TIMEOUT_MS = 3_000

/** One request's time with a transfer. */
export type UploadLock = {
  /** Another request needs the transfer. */
  stop: AbortSignal
  /** The database holds the lock no longer. */
  lost: AbortSignal
  /** Says that the sender is alive. */
  onBytes(): void
  release(): Promise<void>
}

/**
 * One request at a time works on a transfer, on all servers together. Whoever finds it taken waits a little and is then
 * refused. A sender on this server that has gone silent (its connection may be dead without either end knowing) gives way
 * at once; with `insist` also one that is not.
 */
export function createUploadLocks(services: Pick<Services, 'locks'>) {
  const running = new Map<string, { lastByteAt: number; stop: AbortController }>()

  return {
    take: async (id: string, force: boolean): Promise<UploadLock> => {
      const deadline = Date.now() + LOCK_TIMEOUT_MS
      for (;;) {
        const lock = await tryLockTransfer(services.locks, id)
        if (lock) {
          const mine = { lastByteAt: Date.now(), stop: new AbortController() }
          running.set(id, mine)
          return {
            stop: mine.stop.signal,
            lost: lock.lost,
            onBytes: () => {
              mine.lastByteAt = Date.now()
            },
            release: async () => {
              if (running.get(id) === mine) running.delete(id)
              await lock.release()
            },
          }
        }
        const other = running.get(id)
        if (other && (force || Date.now() - other.lastByteAt > IDLE_SENDER_TIMEOUT_MS)) other.stop.abort()
        if (Date.now() > deadline) throw transferBusy()
        await pause(RETRY_DELAY_MS)
      }
    },
  }
}
