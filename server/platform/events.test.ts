import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { createDatabase, runSql, type TestConnection } from '../../test/databases.ts'
import { openDatabase } from './database/database.ts'
import { type ChangeEvent, type EventListener, publish, startEvents } from './events.ts'
import { newId } from './ids.ts'
import { createLog } from './log.ts'

async function createChannel() {
  const { connection, drop } = await createDatabase()
  const db = openDatabase(connection, () => undefined)
  onTestFinished(async () => {
    await db.destroy()
    await drop()
  })
  return { connection, db }
}

function start(connection: TestConnection, pulse?: { every: number; within: number }) {
  const logged: string[] = []
  const events = startEvents(
    connection,
    createLog('debug', (line) => logged.push(line)),
    pulse,
  )
  onTestFinished(events.stop)
  return { events, logged }
}

/** Collects the events of one subscriber. */
function collect(events: EventListener): ChangeEvent[] {
  const heard: ChangeEvent[] = []
  const listen = async () => {
    for await (const event of events.subscribe()) heard.push(event)
  }
  void listen()
  return heard
}

const RESYNC: ChangeEvent = { kind: 'resync' }

/** Starts on a channel of its own, with a subscriber that hears changes from now on. */
async function startSubscriber() {
  const { connection, db } = await createChannel()
  const { events } = start(connection)
  const heard = collect(events)
  await expect.poll(() => heard).toEqual([RESYNC])
  return { connection, db, events, heard }
}

it('sends every subscriber a published change, once the transaction has committed', async () => {
  const { connection, db } = await createChannel()
  const { events } = start(connection)
  const all = [collect(events), collect(events)]
  await expect.poll(() => all).toEqual([[RESYNC], [RESYNC]])
  const [kept, undone] = [newId(), newId()]
  await db
    .transaction()
    .execute(async (tx) => {
      await publish(tx, { kind: 'patient', id: undone })
      throw new Error('undone')
    })
    .catch(() => undefined)
  await db.transaction().execute(async (tx) => {
    await publish(tx, { kind: 'patient', id: kept })
    await sql`select 1`.execute(tx)
  })
  for (const heard of all) await expect.poll(() => heard).toEqual([RESYNC, { kind: 'patient', id: kept }])
})

it('sends a resync when its connection was ended, and receives changes again', async () => {
  const { connection, db, heard } = await startSubscriber()
  await runSql(
    connection,
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dosar-events' and datname = current_database()",
  )
  await expect.poll(() => heard).toEqual([RESYNC, RESYNC])
  const id = newId()
  await publish(db, { kind: 'account', id })
  await expect.poll(() => heard.at(-1)).toEqual({ kind: 'account', id })
})

it('detects a connection that was lost without an error', async () => {
  const { connection, db } = await createChannel()
  const line = await forward(connection)
  const { events, logged } = start(
    { ...connection, host: '127.0.0.1', port: line.port },
    { every: 200, within: 300 },
  )
  const heard = collect(events)
  await expect.poll(() => heard).toEqual([RESYNC])
  line.silence()
  const missed = newId()
  await publish(db, { kind: 'patient', id: missed })
  await expect.poll(() => heard).toEqual([RESYNC, RESYNC])
  expect(logged.join('')).toContain('events: connection lost')
  const id = newId()
  await publish(db, { kind: 'patient', id })
  await expect.poll(() => heard.at(-1)).toEqual({ kind: 'patient', id })
  expect(JSON.stringify(heard)).not.toContain(missed)
})

it('keeps at most a thousand changes for a slow subscriber, and sends a resync in their place', async () => {
  const { db, events, heard } = await startSubscriber()
  const slow = events.subscribe()
  await sql`select pg_notify('dosar_change', json_build_object('kind', 'patient', 'id', number::text)::text) from generate_series(1, 2500) number`.execute(
    db,
  )
  await expect.poll(() => heard.at(-1)).toEqual({ kind: 'patient', id: '2500' })
  const taken: ChangeEvent[] = []
  for await (const event of slow) {
    taken.push(event)
    if (event.kind === 'patient' && event.id === '2500') break
  }
  expect(taken[0]).toEqual(RESYNC)
  expect(taken.length).toBeLessThanOrEqual(1_000)
})

it('continues after an unreadable notification on the channel', async () => {
  const { db, heard } = await startSubscriber()
  await sql`select pg_notify('dosar_change', 'not json {')`.execute(db)
  const id = newId()
  await publish(db, { kind: 'patient', id })
  await expect.poll(() => heard).toEqual([RESYNC, { kind: 'patient', id }])
})

/**
 * A connection to PostgreSQL that can stall: open connections stay open but carry nothing any more; new ones
 * work.
 */
async function forward({ host, port }: TestConnection) {
  let open: Socket[] = []
  const server = createServer((near) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.pipe(to)
      from.on('error', () => to.destroy())
    }
    open.push(near, far)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const all: Socket[] = []
  onTestFinished(() => {
    for (const socket of [...all, ...open]) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    silence: () => {
      for (const socket of open) socket.unpipe().pause()
      all.push(...open)
      open = []
    },
  }
}

it('yields equal changes since an earlier time once, and later ones each', async () => {
  const { db, events, heard } = await startSubscriber()
  const started = Date.now()
  for (const kind of ['categories', 'site', 'categories'] as const) await publish(db, { kind })
  await expect.poll(() => heard.length).toBe(4)
  const earlier = events.subscribe(undefined, started)
  const next = async () => (await earlier.next()).value
  expect([await next(), await next()]).toEqual([{ kind: 'categories' }, { kind: 'site' }])
  const later = next()
  await publish(db, { kind: 'site' })
  await publish(db, { kind: 'site' })
  expect([await later, await next()]).toEqual([{ kind: 'site' }, { kind: 'site' }])
})

it('yields a resync in place of more than a hundred different changes since an earlier time', async () => {
  const { db, events, heard } = await startSubscriber()
  const started = Date.now()
  const change = (number: number) => publish(db, { kind: 'account', id: String(number) })
  for (let number = 0; number < 100; number += 1) await change(number)
  await expect.poll(() => heard.length).toBe(101)
  const first = async () => (await events.subscribe(undefined, started).next()).value
  expect(await first()).toEqual({ kind: 'account', id: '0' })
  await change(100)
  await expect.poll(() => heard.length).toBe(102)
  expect(await first()).toEqual({ kind: 'resync' })
})

it('yields the changes since an earlier time, and a resync for a time before the start', async () => {
  const { connection, db } = await createChannel()
  const before = Date.now() - 1
  const { events } = start(connection)
  const heard = collect(events)
  await expect.poll(() => heard).toEqual([{ kind: 'resync' }])
  const started = Date.now()
  await publish(db, { kind: 'categories' })
  await expect.poll(() => heard.length).toBe(2)
  const first = async (since: number) => (await events.subscribe(undefined, since).next()).value
  expect(await first(before)).toEqual({ kind: 'resync' })
  expect(await first(started)).toEqual({ kind: 'categories' })
  const next = first(Date.now() + 60_000)
  await publish(db, { kind: 'site' })
  expect(await next).toEqual({ kind: 'site' })
})
