import { setTimeout as pause } from 'node:timers/promises'
import { transferBusy } from '../../features/uploads/transfers/transfer-errors.ts'
import { tryLockTransfer } from '../../features/uploads/transfers/transfer-lock.ts'
import type { Services } from '../../services.ts'

/** How long a request waits for an earlier request to release the lock. */
const LOCK_TIMEOUT_MS = 2_000
const RETRY_DELAY_MS = 50
/** A request that has received no byte for this long is stopped when another request needs the same file. */
const IDLE_SENDER_TIMEOUT_MS = 3_000

/** The lock of a transfer while one request works on it. */
export type UploadLock = {
  /** Aborts when another request needs the transfer. */
  stop: AbortSignal
  /** Aborts when the database connection of the lock is lost. */
  lost: AbortSignal
  /** To be called when bytes arrive: they show that the sender is still connected. */
  onBytes(): void
  release(): Promise<void>
}

/**
 * Lets one request at a time work on a transfer, across all servers. `take` waits for LOCK_TIMEOUT_MS and
 * then throws `transferBusy`. It stops a silent sender on this server, whose connection may be dead without
 * either end knowing; with `force` it stops any sender on this server.
 */
export function createUploadLocks(services: Pick<Services, 'locks'>) {
  const running = new Map<string, { lastByteAt: number; stop: AbortController }>()

  return {
    take: async (id: string, force: boolean): Promise<UploadLock> => {
      const deadline = Date.now() + LOCK_TIMEOUT_MS
      for (;;) {
        const lock = await tryLockTransfer(services.locks, id)
        if (lock) {
          const own = { lastByteAt: Date.now(), stop: new AbortController() }
          running.set(id, own)
          return {
            stop: own.stop.signal,
            lost: lock.lost,
            onBytes: () => {
              own.lastByteAt = Date.now()
            },
            release: async () => {
              if (running.get(id) === own) running.delete(id)
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
