import { setTimeout as pause } from 'node:timers/promises'
import { transferBusy } from '../../features/uploads/transfers/transfer-errors.ts'
import { tryLockTransfer } from '../../features/uploads/transfers/transfer-lock.ts'
import { publish } from '../../platform/events.ts'
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
 * then throws `transferBusy`. It stops a silent sender, whose connection may be dead without either end knowing;
 * with `force` it stops any sender. The sender may be that of another process.
 */
export function createUploadLocks({ locks, events, db }: Pick<Services, 'locks' | 'events' | 'db'>) {
  const running = new Map<string, { lastByteAt: number; stop: AbortController }>()
  /** Stops the sender if it is of this process; returns whether it is. */
  const stopSender = (id: string, force: boolean): boolean => {
    const sender = running.get(id)
    if (sender && (force || Date.now() - sender.lastByteAt > IDLE_SENDER_TIMEOUT_MS)) sender.stop.abort()
    return sender !== undefined
  }
  const stopForOthers = async () => {
    for await (const event of events.subscribe())
      if (event.kind === 'transfer') stopSender(event.id, event.force)
  }
  void stopForOthers()

  return {
    take: async (id: string, force: boolean): Promise<UploadLock> => {
      const deadline = Date.now() + LOCK_TIMEOUT_MS
      let isAnnounced = false
      for (;;) {
        const lock = await tryLockTransfer(locks, id)
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
        if (!stopSender(id, force) && !isAnnounced) {
          isAnnounced = true
          await publish(db, { kind: 'transfer', id, force })
        }
        if (Date.now() > deadline) throw transferBusy()
        await pause(RETRY_DELAY_MS)
      }
    },
  }
}
