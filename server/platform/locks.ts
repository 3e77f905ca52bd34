import { createHash } from 'node:crypto'
import pg from 'pg'
import type { DatabaseConnection } from './database/database.ts'
import { errorFields, type Log } from './log.ts'

export type Lock = {
  /** Aborts when the database no longer holds the lock for us: stop at once whatever it protects. */
  lost: AbortSignal
  release(): Promise<void>
}

export type Locks = {
  /** The lock of that name, or null where another request holds it, in this process or in any other of the database. */
  tryAcquire(name: string): Promise<Lock | null>
  stop(): Promise<void>
}

/** The 64 bits under which PostgreSQL knows a name, as text: they do not fit a number. */
const lockKey = (name: string): string =>
  createHash('sha256').update(name).digest().readBigInt64BE().toString()

/**
 * Advisory locks of the database, all of a process on one connection of their own. They end with that connection, so a
 * process that dies leaves none behind.
 */
export function startLocks(connection: DatabaseConnection, log: Log): Locks {
  // A session may take its own advisory lock twice, so a process has to know what it holds.
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

  // A connection does one thing at a time; so the requests that share it wait for each other.
  let last: Promise<unknown> = Promise.resolve()
  const query = (text: string, name: string): Promise<boolean> => {
    const ask = async () => {
      current ??= open()
      const client = await current
      const { rows } = await client.query<{ done: boolean }>(text, [lockKey(name)])
      return rows[0]!.done
    }
    const response = last.then(ask, ask)
    last = response
    return response
  }

  return {
    tryAcquire: async (name) => {
      if (locked.has(name)) return null
      const controller = new AbortController()
      locked.set(name, controller)
      const forget = () => {
        if (locked.get(name) === controller) locked.delete(name)
      }
      try {
        if (!(await query('select pg_try_advisory_lock($1::bigint) done', name))) {
          forget()
          return null
        }
      } catch (error) {
        forget()
        throw error
      }
      return {
        lost: controller.signal,
        release: async () => {
          if (locked.get(name) !== controller) return
          // Where this fails the connection is gone, and the lock with it.
          await query('select pg_advisory_unlock($1::bigint) done', name).catch(() => false)
          forget()
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
