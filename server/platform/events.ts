import { sql } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import type { DatabaseConnection, Db } from './database/database.ts'
import { errorFields, type Log } from './log.ts'

/**
 * What changed, by id alone (a NOTIFY holds less than 8,000 bytes, and whoever listens reads the row with its own
 * rights). `resync` comes after a break in listening: something may have been missed.
 */
export type ChangeEvent = z.infer<typeof change> | { kind: 'resync' }

const change = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('upload'),
    id: z.string(),
    patientId: z.string().nullable(),
    institutionId: z.string().nullable(),
    /** It had been released, and is no longer to be seen by whom it was released to. */
    isRevoked: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('patient'), id: z.string() }),
  z.object({ kind: z.literal('account'), id: z.string() }),
  z.object({ kind: z.literal('categories') }),
  z.object({ kind: z.literal('site') }),
])

export type Events = {
  /** Every change from now on, until the signal aborts or the iterator is returned. */
  subscribe(signal?: AbortSignal): AsyncIterableIterator<ChangeEvent>
}
export type EventListener = Events & { stop(): Promise<void> }

/**
 * What `judge` makes of the events, as a stream that can be ended from outside: a generator that waits for its next event
 * cannot be, what it waits for can.
 */
export function streamEvents<T>(
  events: AsyncIterableIterator<ChangeEvent>,
  judge: (events: AsyncIterable<ChangeEvent>) => AsyncGenerator<T>,
): AsyncIterableIterator<T> {
  const stream = judge(events)
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
/** Milliseconds between tries to listen again. */
const RETRY_DELAY_MS = 500
/** Milliseconds: how often the connection is asked whether it is there, and how long it may take to say so. */
const HEARTBEAT_MS = { every: 15_000, within: 5_000 }
/** A subscriber that has fallen this far behind is told to read anew instead. */
const MAX_QUEUED_EVENTS = 1_000

/** Announces a change when the transaction that `db` is commits, and not otherwise. */
export async function publish(db: Db, event: Exclude<ChangeEvent, { kind: 'resync' }>): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(event)})`.execute(db)
}

/** Null for what is none: whoever may write to the database may also notify. */
function readChange(payload: string | undefined): ChangeEvent | null {
  try {
    return change.parse(JSON.parse(payload ?? ''))
  } catch {
    return null
  }
}

/**
 * Listens on a connection of its own and passes each change on to whoever subscribes; comes back after a break, also after
 * one that nothing tells of (a host that is gone, a forgetful firewall), which the pulse finds.
 */
export function startEvents(connection: DatabaseConnection, log: Log, pulse = HEARTBEAT_MS): EventListener {
  const subscribers = new Set<(event: ChangeEvent) => void>()
  const dispatch = (event: ChangeEvent) => {
    for (const deliver of subscribers) deliver(event)
  }
  let stopped = false
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined

  const listen = async () => {
    const next = new pg.Client({
      ...connection,
      application_name: 'dosar-events',
      keepAlive: true,
      connectionTimeoutMillis: pulse.within,
      query_timeout: pulse.within,
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
      timer = setTimeout(() => next.query('select 1').then(beat, onLoss), pulse.every)
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
      dispatch({ kind: 'resync' })
      beat()
    } catch (error) {
      onLoss(error)
    }
  }
  void listen()

  return {
    subscribe: (signal) => {
      const waiting: ChangeEvent[] = []
      let wake: (() => void) | undefined
      let done = false
      const deliver = (event: ChangeEvent) => {
        if (waiting.length >= MAX_QUEUED_EVENTS) waiting.splice(0, waiting.length, { kind: 'resync' })
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
