import { sql } from 'kysely'
import pg from 'pg'
import type { DatabaseConnection, Db } from './database.ts'
import { errorFacts, type Log } from './log.ts'

/**
 * What changed, by id alone (a NOTIFY holds less than 8,000 bytes, and whoever listens reads the row with its own
 * rights). `resync` comes after a break in listening: something may have been missed.
 */
export type ChangeEvent =
  | { kind: 'upload'; id: string; patientId: string | null; institutionId: string | null }
  | { kind: 'patient'; id: string }
  | { kind: 'account'; id: string }
  | { kind: 'resync' }

export type Events = {
  /** Every change from now on, until the signal aborts or the iterator is returned. */
  subscribe(signal?: AbortSignal): AsyncIterableIterator<ChangeEvent>
}
export type EventListener = Events & { stop(): Promise<void> }

const CHANNEL = 'dosar_change'
/** Milliseconds between tries to listen again. */
const RETRY_PAUSE = 500
/** A subscriber that has fallen this far behind is told to read anew instead. */
const BACKLOG = 1_000

/** Announces a change when the transaction that `db` is commits, and not otherwise. */
export async function announce(db: Db, event: Exclude<ChangeEvent, { kind: 'resync' }>): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(event)})`.execute(db)
}

/** Listens on a connection of its own and passes each change on to whoever subscribes; comes back after a break. */
export function startEvents(connection: DatabaseConnection, log: Log): EventListener {
  const subscribers = new Set<(event: ChangeEvent) => void>()
  const publish = (event: ChangeEvent) => {
    for (const deliver of subscribers) deliver(event)
  }
  let stopped = false
  let client: pg.Client | null = null
  let retry: NodeJS.Timeout | undefined

  const listen = async () => {
    const next = new pg.Client({ ...connection, application_name: 'dosar-events', keepAlive: true })
    client = next
    let lost = false
    const onLoss = () => {
      if (lost || stopped) return
      lost = true
      next.end().catch(() => undefined)
      retry = setTimeout(listen, RETRY_PAUSE)
    }
    next.on('error', onLoss)
    next.on('end', onLoss)
    next.on('notification', ({ payload }) => {
      if (payload) publish(JSON.parse(payload) as ChangeEvent)
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      publish({ kind: 'resync' })
    } catch (error) {
      log.warn('events: cannot listen', errorFacts(error))
      onLoss()
    }
  }
  void listen()

  return {
    subscribe: (signal) => {
      const waiting: ChangeEvent[] = []
      let wake: (() => void) | undefined
      let done = false
      const deliver = (event: ChangeEvent) => {
        if (waiting.length >= BACKLOG) waiting.splice(0, waiting.length, { kind: 'resync' })
        else waiting.push(event)
        wake?.()
      }
      const finish = () => {
        done = true
        subscribers.delete(deliver)
        wake?.()
      }
      subscribers.add(deliver)
      signal?.addEventListener('abort', finish, { once: true })
      const iterator: AsyncIterableIterator<ChangeEvent> = {
        next: async () => {
          while (!done && waiting.length === 0) {
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          }
          const value = waiting.shift()
          return value && !done ? { value, done: false } : { value: undefined, done: true }
        },
        return: async () => {
          finish()
          return { value: undefined, done: true }
        },
        [Symbol.asyncIterator]: () => iterator,
      }
      return iterator
    },
    stop: async () => {
      stopped = true
      clearTimeout(retry)
      await client?.end().catch(() => undefined)
    },
  }
}
