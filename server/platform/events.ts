import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import type { DatabaseConnection, Db } from './database/database.ts'
import { errorFields, type Log } from './log.ts'

/**
 * A change, by id alone: a NOTIFY carries less than 8,000 bytes, and each subscriber reads the row with its
 * own permissions. `resync` follows an interrupted connection: changes may have been missed.
 */
export type ChangeEvent = z.infer<typeof change> | { kind: 'resync' }

const change = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('upload'),
    id: z.string(),
    patientId: z.string().nullable(),
    institutionId: z.string().nullable(),
    /** Whether the upload had been released and its institution may no longer see it. */
    isRevoked: z.boolean().optional(),
  }),
  /** A request waits for this transfer; with `force` also while its bytes arrive. */
  z.object({ kind: z.literal('transfer'), id: z.string(), force: z.boolean() }),
  /** A group of this batch. */
  z.object({ kind: z.literal('batch'), id: z.string() }),
  z.object({ kind: z.literal('patient'), id: z.string() }),
  z.object({ kind: z.literal('account'), id: z.string() }),
  /** A share of this patient was made, opened, changed or ended. */
  z.object({ kind: z.literal('share'), id: z.string(), patientId: z.string() }),
  /** An upload of this user has changed its state. */
  z.object({ kind: z.literal('author'), id: z.string() }),
  /** A request to an institution to delete a result was made or answered. */
  z.object({ kind: z.literal('deletion-request'), institutionId: z.string() }),
  /** A request of the institution for access to a patient was sent or decided. */
  z.object({ kind: z.literal('access-request'), institutionId: z.string() }),
  /** A question of the institution has changed, or was read. */
  z.object({ kind: z.literal('question'), institutionId: z.string() }),
  /** News that this institution reads has changed; null: news of any visibility, for staff. */
  z.object({ kind: z.literal('news'), institutionId: z.string().nullable() }),
  /** A result that the institution had opened was withdrawn or replaced, or the institution acknowledged it. */
  z.object({ kind: z.literal('recall'), uploadId: z.string(), institutionId: z.string() }),
  /** Results were marked in the inbox of this institution. */
  z.object({ kind: z.literal('inbox'), institutionId: z.string(), uploadIds: z.array(z.string()) }),
  /** What the bell of this user counts has changed, or the user has seen it; null: that of administrators. */
  z.object({ kind: z.literal('notification'), userId: z.string().nullable() }),
  z.object({ kind: z.literal('categories') }),
  z.object({ kind: z.literal('site') }),
])

export type Events = {
  /**
   * Yields every change from now on, or from an earlier time (ms) on, until the signal aborts or the iterator's `return` is
   * called. Of earlier changes that are not in memory any more, or are many, it yields one `resync`; equal ones once.
   */
  subscribe(signal?: AbortSignal, since?: number): AsyncIterableIterator<ChangeEvent>
}
export type EventListener = Events & { stop(): Promise<void> }

/**
 * Returns the output of `transform` as a stream that the consumer can end at any time. A generator that waits
 * for its next event cannot be ended, so the events it waits for are ended first.
 */
export function streamEvents<T>(
  events: AsyncIterableIterator<ChangeEvent>,
  transform: (events: AsyncIterable<ChangeEvent>) => AsyncGenerator<T>,
): AsyncIterableIterator<T> {
  const stream = transform(events)
  return {
    next: () => stream.next(),
    return: async () => {
      await events.return?.()
      return stream.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const CHANNEL = 'dosar_change'
/** Pause before the next attempt to listen again. */
const RETRY_DELAY_MS = 500
/** Milliseconds between two pings of the connection (`every`), and for a ping's response (`within`). */
const HEARTBEAT_MS = { every: 15_000, within: 5_000 }
/** A subscriber with this many unread events gets one `resync` in their place. */
const MAX_QUEUED_EVENTS = 1_000

const RESYNC: ChangeEvent = { kind: 'resync' }

/** How long a change is kept for subscribers who name an earlier time, and how many at most. */
const KEPT_MS = 30_000
const MAX_KEPT_EVENTS = 1_000
/** Each one is read with the rights of the subscriber; one `resync` costs a page less than more of them. */
const MAX_REPLAYED_EVENTS = 100

/** Publishes a change when the transaction of `db` commits; a rolled back transaction publishes nothing. */
export async function publish(db: Db, event: PublishedEvent): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(event)})`.execute(db)
}

export type PublishedEvent = Exclude<ChangeEvent, { kind: 'resync' }>

/** Sends the events in the JSON list of a statement, for statements that send some beside their own work. */
export const notifyAll = (events: RawBuilder<string>) =>
  sql`pg_notify(${sql.lit(CHANNEL)}, json_array_elements(${events}::json)::text)`

/** Returns null for a payload that is no change: every program with access to the database can send one. */
function readChange(payload: string | undefined): ChangeEvent | null {
  try {
    return change.parse(JSON.parse(payload ?? ''))
  } catch {
    return null
  }
}

/**
 * Listens on its own connection, passes each change to all subscribers, and reconnects after a lost
 * connection. The heartbeat detects a connection that was lost without an error (a dead host, a firewall that
 * dropped the connection).
 */
export function startEvents(
  connection: DatabaseConnection,
  log: Log,
  heartbeat = HEARTBEAT_MS,
): EventListener {
  const subscribers = new Set<(event: ChangeEvent) => void>()
  const kept: { at: number; event: ChangeEvent }[] = []
  /** Until when changes are not in memory. */
  let forgottenUntil = Date.now()
  const dispatch = (event: ChangeEvent) => {
    const at = Date.now()
    kept.push({ at, event })
    while (kept.length > MAX_KEPT_EVENTS || kept[0]!.at < at - KEPT_MS) forgottenUntil = kept.shift()!.at
    for (const deliver of subscribers) deliver(event)
  }
  /** A change is read as it is now, so that one of each is enough. */
  const changesSince = (since: number): ChangeEvent[] => {
    if (since <= forgottenUntil) return [RESYNC]
    const later = kept.filter(({ at }) => at >= since)
    const changes = [...new Map(later.map(({ event }) => [JSON.stringify(event), event])).values()]
    return changes.length > MAX_REPLAYED_EVENTS ? [RESYNC] : changes
  }
  let stopped = false
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined

  const listen = async () => {
    const next = new pg.Client({
      ...connection,
      application_name: 'dosar-events',
      keepAlive: true,
      connectionTimeoutMillis: heartbeat.within,
      query_timeout: heartbeat.within,
    })
    client = next
    let lost = false
    const onLoss = (error?: unknown) => {
      if (lost || stopped) return
      lost = true
      log.warn('events: connection lost', errorFields(error))
      next.end().catch(() => undefined)
      clearTimeout(timer)
      timer = setTimeout(listen, RETRY_DELAY_MS)
    }
    const beat = () => {
      if (lost || stopped) return
      timer = setTimeout(() => next.query('select 1').then(beat, onLoss), heartbeat.every)
    }
    next.on('error', onLoss)
    next.on('end', onLoss)
    next.on('notification', ({ payload }) => {
      const event = readChange(payload)
      if (event) dispatch(event)
      else log.warn('events: unreadable notification')
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      dispatch(RESYNC)
      beat()
    } catch (error) {
      onLoss(error)
    }
  }
  void listen()

  return {
    subscribe: (signal, since = Number.POSITIVE_INFINITY) => {
      const waiting = changesSince(since)
      let wake: (() => void) | undefined
      let done = false
      const deliver = (event: ChangeEvent) => {
        if (waiting.length >= MAX_QUEUED_EVENTS) waiting.splice(0, waiting.length, RESYNC)
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
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
