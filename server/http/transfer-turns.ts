import { setTimeout as pause } from 'node:timers/promises'
import { tryLockTransfer } from '../features/uploads/transfer-lock.ts'
import { transferBusy } from '../features/uploads/transfer-refusals.ts'
import type { Parts } from '../parts.ts'

/** Milliseconds for which a request waits for the one before it to let go. */
const PATIENCE = 2_000
const RETRY_PAUSE = 50
/** Milliseconds without a byte after which a sender gives way to another request for the same file. */
const SILENCE = 3_000

/** One request's time with a transfer. */
export type Turn = {
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
export function createTurns(parts: Pick<Parts, 'locks'>) {
  const running = new Map<string, { lastByteAt: number; stop: AbortController }>()

  return {
    take: async (id: string, insist: boolean): Promise<Turn> => {
      const deadline = Date.now() + PATIENCE
      for (;;) {
        const lock = await tryLockTransfer(parts.locks, id)
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
        if (other && (insist || Date.now() - other.lastByteAt > SILENCE)) other.stop.abort()
        if (Date.now() > deadline) throw transferBusy()
        await pause(RETRY_PAUSE)
      }
    },
  }
}
