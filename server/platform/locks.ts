import { createHash } from 'node:crypto'
import pg from 'pg'
import type { DatabaseConnection } from './database/database.ts'
import { errorFields, type Log } from './log.ts'

export type Lock = {
  /**
   * Aborts when the lock was lost with its connection, but not at `stop`: the protected work must stop at
   * once.
   */
  lost: AbortSignal
  release(): Promise<void>
}

export type Locks = {
  /**
   * Returns the lock of that name; null when it is taken, in this process or in any other one of the
   * database.
   */
  tryAcquire(name: string): Promise<Lock | null>
  stop(): Promise<void>
}

/** Returns the 64-bit lock key of a name, as text because a number cannot represent it exactly. */
const lockKey = (name: string): string =>
  createHash('sha256').update(name).digest().readBigInt64BE().toString()

/**
 * Opens named locks that all servers of the database share: advisory locks, all of a process on one
 * connection. They end with that connection, so a process that dies leaves no lock behind.
 */
export function startLocks(connection: DatabaseConnection, log: Log): Locks {
  // PostgreSQL lets a session take its own advisory lock twice, so the process itself records which names are
  // locked.
  const locked = new Map<string, AbortController>()
  let current: Promise<pg.Client> | null = null

  const open = (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionTimeoutMillis: 5_000,
      ...connection,
      application_name: 'dosar-locks',
      keepAlive: true,
    })
    const opened = client.connect().then(() => client)
    const onLoss = (error?: unknown) => {
      if (current !== opened) return
      current = null
      log.warn('locks: connection lost', { held: locked.size, ...errorFields(error) })
      for (const controller of locked.values()) controller.abort()
      locked.clear()
    }
    client.on('error', onLoss)
    client.on('end', onLoss)
    opened.catch(onLoss)
    return opened
  }

  // A connection runs one query at a time, so the callers that share it wait for each other.
  let last: Promise<unknown> = Promise.resolve()
  const query = (text: string, name: string): Promise<boolean> => {
    const run = async () => {
      current ??= open()
      const client = await current
      const { rows } = await client.query<{ done: boolean }>(text, [lockKey(name)])
      return rows[0]!.done
    }
    const result = last.then(run, run)
    last = result
    return result
  }

  return {
    tryAcquire: async (name) => {
      if (locked.has(name)) return null
      const controller = new AbortController()
      locked.set(name, controller)
      const unlock = () => {
        if (locked.get(name) === controller) locked.delete(name)
      }
      try {
        if (!(await query('select pg_try_advisory_lock($1::bigint) done', name))) {
          unlock()
          return null
        }
      } catch (error) {
        unlock()
        throw error
      }
      return {
        lost: controller.signal,
        release: async () => {
          if (locked.get(name) !== controller) return
          // If this query fails, the connection is lost and the lock has ended with it.
          await query('select pg_advisory_unlock($1::bigint) done', name).catch(() => false)
          unlock()
        },
      }
    },
    stop: async () => {
      const client = await current?.catch(() => null)
      current = null
      await client?.end().catch(() => undefined)
    },
  }
}
