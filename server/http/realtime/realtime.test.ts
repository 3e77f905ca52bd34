import { once } from 'node:events'
import { type IncomingMessage, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { GraphQLInt, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql'
import { createClient } from 'graphql-ws'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import WebSocket from 'ws'
import { makeInstitution, makeUpload, makeUser } from '../../../db/factories.ts'
import type { TokenAudience } from '../../../shared/token-audiences.ts'
import { createTestClient } from '../../../test/client.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createUser } from '../../../test/users.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { publish } from '../../platform/events.ts'
import { schema } from '../../schema.ts'
import type { Services } from '../../services.ts'
import { attachRealtime, isWebSocketUpgrade } from './realtime.ts'

const WATCH = 'subscription { uploadChanged { id } }'

let server: TestServer
let address: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  address = await listen(server.services, schema, afterAll)
})

async function listen(
  services: Services,
  served: GraphQLSchema,
  atEnd: (end: () => Promise<void>) => void,
): Promise<string> {
  const serverOptions = { shouldUpgradeCallback: isWebSocketUpgrade }
  const http = serve({ fetch: server.app.fetch, port: 0, serverOptions }) as Server
  const realtime = attachRealtime(http, services, served)
  if (!http.listening) await once(http, 'listening')
  atEnd(async () => {
    await realtime.stop()
    http.close()
  })
  return `ws://localhost:${(http.address() as AddressInfo).port}/graphql`
}

async function tokenOf(email: string, audience: TokenAudience = 'realtime'): Promise<string> {
  const client = await server.signIn(email)
  return (await client.authorization(audience)).replace('Bearer ', '')
}

/** The ids of the events that an external client receives. */
async function watch(email: string) {
  const token = await tokenOf(email)
  const seen: (string | null)[] = []
  let closed: number | undefined
  const client = createClient({
    url: address,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
    on: { closed: (event) => (closed = (event as { code: number }).code) },
  })
  let ended = false
  client.subscribe<{ uploadChanged: { id: string | null } }>(
    { query: WATCH },
    {
      next: ({ data }) => seen.push(data?.uploadChanged.id ?? null),
      error: () => (ended = true),
      complete: () => (ended = true),
    },
  )
  afterAll(() => void client.dispose())
  return { seen, hasEnded: () => ended, closedWith: () => closed }
}

type Message = { type: string; id?: string; payload?: unknown }

/** A raw socket of an external client, for single frames. */
async function open(at = address, protocol: string[] | string = 'graphql-transport-ws') {
  const socket = new WebSocket(at, protocol)
  onTestFinished(() => socket.terminate())
  const messages: Message[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data)) as Message))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  socket.on('error', () => undefined)
  await once(socket, 'open')
  const send = (message: Message) => socket.send(JSON.stringify(message))
  const init = async (token: string) => {
    send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })
    await expect.poll(() => messages[0]?.type).toBe('connection_ack')
  }
  return { socket, messages, closed, send, init }
}

/** A socket that is authenticated. */
async function enter(token: string, at = address) {
  const opened = await open(at)
  await opened.init(token)
  return opened
}

const isOpen = ({ socket }: { socket: WebSocket }) => socket.readyState === WebSocket.OPEN

const subscribe = (id: string): Message => ({ id, type: 'subscribe', payload: { query: WATCH } })

const publishUploadEvent = (id: string) =>
  publish(server.db, { kind: 'upload', id, patientId: null, institutionId: null })

/** Publishes the event until it arrives: the subscription may not be active yet at the first one. */
async function arrives(seen: (string | null)[], id: string): Promise<void> {
  const tellAndLook = async () => {
    await publishUploadEvent(id)
    return seen
  }
  await expect.poll(tellAndLook).toContain(id)
}

describe('realtime', () => {
  it('sends a reviewer what changed, and an institution nothing that it may not see [6.4]', async () => {
    const reviewer = await watch(
      (await makeUser(server.db, { features: ['admin::review-files', 'patient::files'] })).email,
    )
    const institution = await watch((await makeUser(server.db, { role: 'institution' })).email)
    const { id } = await makeUpload(server.db, server.services.storage)
    await arrives(reviewer.seen, id)
    expect(institution.seen.filter(Boolean)).toEqual([])
  })

  it('begins with what has changed since the data of the page was asked for, by the same rules', async () => {
    const features = ['admin::review-files', 'patient::files'] as const
    const reviewer = await tokenOf((await makeUser(server.db, { features: [...features] })).email)
    const stranger = await tokenOf((await makeUser(server.db, { role: 'institution' })).email)
    const { id } = await makeUpload(server.db, server.services.storage)
    const connect = async (token: string, age: object) => {
      const { messages, send } = await open()
      send({ type: 'connection_init', payload: { authorization: `Bearer ${token}`, ...age } })
      await expect.poll(() => messages[0]?.type).toBe('connection_ack')
      send(subscribe('1'))
      return () => messages.slice(1).map(({ payload }) => payload)
    }
    const event = { data: { uploadChanged: { id } } }
    const publishBefore = async () => {
      const changes = server.services.events.subscribe()
      await publishUploadEvent(id)
      for await (const change of changes) if (change.kind === 'upload' && change.id === id) break
      const received = await connect(reviewer, { dataAgeMs: 0 })
      await expect.poll(() => received().length).toBeGreaterThan(0)
      return received()
    }
    // A server that has just started sends a resync instead.
    await expect.poll(publishBefore).toContainEqual(event)
    // Asked for later, an age that is none, a program that names none, and an institution that may not see the upload.
    const others = [
      await connect(reviewer, { dataAgeMs: -60_000 }),
      await connect(reviewer, { dataAgeMs: `${Date.now()}` }),
      await connect(reviewer, {}),
      await connect(stranger, { dataAgeMs: 0 }),
    ]
    const later = await makeUpload(server.db, server.services.storage)
    const haveLater = async () => {
      await publishUploadEvent(later.id)
      return others.map((messages) => JSON.stringify(messages()).includes(later.id))
    }
    await expect.poll(haveLater).toEqual([true, true, true, false])
    for (const messages of others) expect(messages()).not.toContainEqual(event)
  })

  it('closes with 4401 when the token is missing, wrong or for another audience', async () => {
    const forGraphql = await tokenOf((await makeUser(server.db)).email, 'graphql')
    for (const authorization of [undefined, 'Bearer x.y.z', `Bearer ${forGraphql}`]) {
      const socket = new WebSocket(address, 'graphql-transport-ws')
      const closed = new Promise<number>((resolve) => socket.once('close', resolve))
      socket.once('open', () =>
        socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } })),
      )
      expect(await closed).toBe(4401)
    }
  })

  it('rejects a page of another origin before the upgrade', async () => {
    const socket = new WebSocket(address, 'graphql-transport-ws', { origin: 'https://evil.example' })
    const status = new Promise((resolve) =>
      socket.once('unexpected-response', (_req, res) => resolve(res.statusCode)),
    )
    socket.once('error', () => undefined)
    expect(await status).toBe(403)
  })

  it('survives clients that disconnect while they are rejected', async () => {
    const { hostname, port } = new URL(address)
    const hangUp = () =>
      new Promise((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(
            'GET /nope HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
          )
          socket.write('x'.repeat(100_000), () => socket.resetAndDestroy())
        })
        socket.on('error', () => undefined).on('close', resolve)
      })
    // An unhandled error would end this process, and with it the test run.
    for (let caller = 0; caller < 50; caller += 1) await hangUp()
    const reviewer = await watch(
      (await makeUser(server.db, { features: ['admin::review-files', 'patient::files'] })).email,
    )
    await arrives(reviewer.seen, (await makeUpload(server.db, server.services.storage)).id)
  })

  it('runs subscriptions only', async () => {
    const token = await tokenOf((await makeUser(server.db)).email)
    const client = createClient({
      url: address,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
    })
    const responses = client.iterate({ query: '{ me { id } }' })
    await expect(responses.next()).rejects.toMatchObject([
      { message: 'only subscriptions use the websocket' },
    ])
    await client.dispose()
  })

  it('leaves every other upgrade to HTTP, as an ordinary request (RFC 9110, 7.8)', async () => {
    const { port } = new URL(address)
    const sentRequest = request(`http://localhost:${port}/healthz`, {
      headers: {
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
      },
    }).end()
    const [response] = (await once(sentRequest, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(200)
  })

  it('sends subscribers a resync after a lost database connection', async () => {
    const reviewer = await watch(
      (await makeUser(server.db, { features: ['admin::review-files', 'patient::files'] })).email,
    )
    const { id } = await makeUpload(server.db, server.services.storage)
    await arrives(reviewer.seen, id)
    reviewer.seen.length = 0
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dosar-events' and datname = current_database()`.execute(
      server.db,
    )
    await expect.poll(() => reviewer.seen).toContain(null)
    await arrives(reviewer.seen, id)
  })
})

describe('a socket is closed with its permissions', () => {
  /** Enters a socket that is checked by a clock of its own: a test that replaces the clock may stop that of `address`. */
  const enterAnew = async (token: string) =>
    enter(token, await listen(server.services, schema, onTestFinished))
  const suspend = (id: string) =>
    server.db.updateTable('app_user').set({ status: 'suspended' }).where('id', '=', id).execute()

  it('within 5 s after a suspension that was not published [6.4] [8.14]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const at = await listen(server.services, schema, onTestFinished)
    const user = await makeUser(server.db)
    const { closed } = await enter(await tokenOf(user.email), at)
    await suspend(user.id)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await closed).toBe(4401)
  })

  it('before the first event that a suspended account would get, which is not sent', async () => {
    const user = await makeUser(server.db, { features: ['admin::review-files', 'patient::files'] })
    const { closed, messages, send } = await enter(await tokenOf(user.email))
    send(subscribe('a'))
    const { id } = await makeUpload(server.db, server.services.storage)
    const tellAndLook = async () => {
      await publishUploadEvent(id)
      return JSON.stringify(messages)
    }
    await expect.poll(tellAndLook).toContain(id)
    const later = await makeUpload(server.db, server.services.storage)
    await suspend(user.id)
    await publishUploadEvent(later.id)
    expect(await closed).toBe(4401)
    expect(JSON.stringify(messages)).not.toContain(later.id)
  })

  it('at once after a sign-out, and only the sockets of that session', async () => {
    const { email } = await createUser(server.db, { email: 'doua-ferestre@exemplu.test' })
    const visitors = [createTestClient(server), createTestClient(server)]
    const windows = []
    for (const visitor of visitors) {
      await visitor.signIn(email)
      const token = (await visitor.authorization('realtime')).replace('Bearer ', '')
      windows.push([await enter(token), await enter(token)])
    }
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    await visitors[0]!.post('/api/auth/signout')
    expect(await Promise.all(windows[0]!.map(({ closed }) => closed))).toEqual([4401, 4401])
    expect(windows[1]!.every(isOpen)).toBe(true)
  })

  it.each([
    ['role', { role: 'admin' as const }],
    ['features', { features: [] }],
  ])(
    'when the %s changes, with a code after which clients reconnect with the new permissions',
    async (_what, change) => {
      const user = await makeUser(server.db, { features: ['admin::review-files', 'patient::files'] })
      const { closed } = await enterAnew(await tokenOf(user.email))
      await server.db.updateTable('app_user').set(change).where('id', '=', user.id).execute()
      expect(await closed).toBe(4499)
    },
  )

  it.each([
    ['only institution is suspended, permanently', [], 4401],
    ['institution is suspended, but not another one', [{}], 4499],
  ])('when the %s', async (_what, others, code) => {
    const institution = await makeInstitution(server.db)
    const left = await Promise.all(others.map((over) => makeInstitution(server.db, over)))
    const institutionIds = [institution, ...left].map(({ id }) => id)
    const user = await makeUser(server.db, { role: 'institution', institutionIds })
    const { closed } = await enterAnew(await tokenOf(user.email))
    const suspended_at = new Date()
    await server.db
      .updateTable('institution')
      .set({ suspended_at })
      .where('id', '=', institution.id)
      .execute()
    expect(await closed).toBe(code)
  })

  it('with the session and not with its token, so that live updates have no gap in a working day [4.2]', async () => {
    const user = await makeUser(server.db, { features: ['admin::review-files', 'patient::files'] })
    const token = await tokenOf(user.email)
    const in20Minutes = Date.now() + 20 * 60_000
    const reviewer = await enter(token)
    reviewer.send(subscribe('a'))
    vi.useFakeTimers({ toFake: ['Date'], now: in20Minutes })
    const late = await open()
    late.send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })
    expect(await late.closed).toBe(4401)
    const { id } = await makeUpload(server.db, server.services.storage)
    const tellAndLook = async () => {
      await publishUploadEvent(id)
      return JSON.stringify(reviewer.messages)
    }
    await expect.poll(tellAndLook).toContain(id)
    expect(isOpen(reviewer)).toBe(true)
    // Sessions of this test server last an hour.
    vi.setSystemTime(in20Minutes + 60 * 60_000)
    expect(await reviewer.closed).toBe(4401)
  })
})

describe('limits of realtime', () => {
  it('are 20 subscriptions per socket: one more is rejected, the others continue', async () => {
    const { socket, messages, send } = await enter(await tokenOf((await makeUser(server.db)).email))
    for (let number = 1; number <= 21; number += 1) send(subscribe(String(number)))
    await expect
      .poll(() => messages.find(({ type }) => type === 'error'))
      .toMatchObject({
        id: '21',
        payload: [{ extensions: { code: 'TOO_MANY' } }],
      })
    send({ id: '1', type: 'complete' })
    send({ ...subscribe('22') })
    send({ type: 'ping' })
    await expect.poll(() => messages.some(({ type }) => type === 'pong')).toBe(true)
    expect(messages.filter(({ type }) => type === 'error').length).toBe(1)
    expect(socket.readyState).toBe(WebSocket.OPEN)
  })

  it('are 100 messages per minute, pings included', async () => {
    const token = await tokenOf((await makeUser(server.db)).email)
    const modest = await enter(token)
    for (let number = 0; number < 98; number += 1) modest.send({ type: 'ping' })
    await expect.poll(() => modest.messages.length).toBe(99)
    expect(isOpen(modest)).toBe(true)
    modest.socket.ping()
    modest.send({ type: 'ping' })
    expect(await modest.closed).toBe(4429)
  })

  it('are 64 KiB per message', async () => {
    const { socket, closed } = await enter(await tokenOf((await makeUser(server.db)).email))
    socket.send('x'.repeat(65 * 1024))
    expect(await closed).toBe(1009)
  })

  it('are five sockets per user: the sixth closes that user’s oldest alone', async () => {
    const token = await tokenOf((await makeUser(server.db)).email)
    const other = await enter(await tokenOf((await makeUser(server.db)).email))
    const own = []
    for (let number = 0; number < 6; number += 1) own.push(await enter(token))
    expect(await own[0]!.closed).toBe(4498)
    // A closed socket does not count.
    own[1]!.socket.close()
    await own[1]!.closed
    const last = await enter(token)
    expect([other, ...own.slice(2), last].every(isOpen)).toBe(true)
  })

  it('are 20 unauthenticated sockets per address, and rejected ones may come back', async () => {
    const token = await tokenOf((await makeUser(server.db)).email)
    const unauthenticated = await Promise.all(Array.from({ length: 20 }, () => open()))
    expect(await (await open()).closed).toBe(1013)
    await unauthenticated[0]!.init(token)
    await enter(token)
    expect(unauthenticated.every(isOpen)).toBe(true)
    // After 3 s the unauthenticated sockets are closed and no longer count.
    expect(await unauthenticated[1]!.closed).toBe(4408)
    await enter(token)
  })

  it('keep a slow client from filling the memory or delaying others', async () => {
    const chunk = 'x'.repeat(512 * 1024)
    let sent = 0
    async function* flood() {
      for (; sent < 1_000; sent += 1) yield { flood: chunk }
    }
    async function* count() {
      for (let number = 0; ; number += 1) {
        await setImmediate()
        yield { count: number }
      }
    }
    const fields = {
      flood: { type: GraphQLString, subscribe: flood },
      count: { type: GraphQLInt, subscribe: count },
    }
    const query = new GraphQLObjectType({ name: 'Query', fields: { ok: { type: GraphQLInt } } })
    const served = new GraphQLSchema({
      query,
      subscription: new GraphQLObjectType({ name: 'Subscription', fields }),
    })
    const at = await listen(server.services, served, onTestFinished)
    const token = await tokenOf((await makeUser(server.db)).email)
    const slow = await enter(token, at)
    const quick = await enter(token, at)
    slow.socket.pause()
    for (let number = 0; number < 20; number += 1)
      slow.send({ id: String(number), type: 'subscribe', payload: { query: 'subscription { flood }' } })
    quick.send({ id: 'a', type: 'subscribe', payload: { query: 'subscription { count }' } })
    await expect.poll(() => quick.messages.length).toBeGreaterThan(200)
    quick.socket.close()
    slow.socket.resume()
    // Closed without a code, like a broken connection, after which clients reconnect and refetch.
    expect(await slow.closed).toBe(1006)
    // Bytes that the connection itself buffered, and one chunk for each stream.
    expect(sent).toBeLessThan(100)
  })
})

describe('abuse of the protocol', () => {
  const frames = {
    'text that is not JSON': [4400, 'cnp 1960229410013 {'],
    'a message of no known type': [4400, '{"type":"nonsense","payload":"1960229410013"}'],
    'a message without a type': [4400, '{}'],
    'a binary frame': [4400, Buffer.from('{"type":"ping"}')],
    'a subscription before the introduction': [4401, JSON.stringify(subscribe('a'))],
    'an introduction without a token': [4401, '{"type":"connection_init"}'],
  } as const

  it.each(Object.entries(frames))('%s', async (_name, [code, frame]) => {
    const { socket, closed } = await open()
    socket.send(frame)
    expect(await closed).toBe(code)
  })

  it('a second connection_init', async () => {
    const { send, closed } = await enter(await tokenOf((await makeUser(server.db)).email))
    send({ type: 'connection_init' })
    expect(await closed).toBe(4429)
  })

  it('the same subscription id twice', async () => {
    const { send, closed } = await enter(await tokenOf((await makeUser(server.db)).email))
    send(subscribe('a'))
    send(subscribe('a'))
    expect(await closed).toBe(4409)
  })

  it('messages that only a server may send', async () => {
    const { send, closed } = await enter(await tokenOf((await makeUser(server.db)).email))
    send({ id: 'a', type: 'next', payload: { data: {} } })
    expect(await closed).toBe(4500)
  })

  it('another subprotocol, or none [7.9]', async () => {
    for (const protocols of ['graphql-ws', []]) {
      // The WebSocket client of Node would itself reject a server that agrees to no subprotocol.
      const { hostname, port } = new URL(address)
      const line = connect(Number(port), hostname)
      onTestFinished(() => void line.destroy())
      const offer = protocols.length > 0 ? `Sec-WebSocket-Protocol: ${protocols}\r\n` : ''
      line.write(
        `GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n${offer}\r\n`,
      )
      const received: Buffer[] = []
      line.on('data', (data: Buffer) => received.push(data))
      const code = () => {
        const frame = Buffer.concat(received).toString('latin1').split('\r\n\r\n')[1] ?? ''
        return frame.length >= 4 ? Buffer.from(frame, 'latin1').readUInt16BE(2) : 0
      }
      await expect.poll(code).toBe(4406)
    }
  })

  it('invalid frames', async () => {
    const broken = [
      [1002, [0xf1, 0x80, 0, 0, 0, 0]],
      [1007, [0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]],
    ] as const
    for (const [code, bytes] of broken) {
      const { socket, closed } = await open()
      const { _socket: line } = socket as unknown as { _socket: NodeJS.WritableStream }
      line.write(Buffer.from(bytes))
      expect(await closed).toBe(code)
    }
  })

  it('unknown operations get an error without names of the schema', async () => {
    const { send, messages, socket } = await enter(await tokenOf((await makeUser(server.db)).email))
    const queries = ['subscription { uploadChange { id } }', 'nonsense', '{ me { id } }', 'mutation { a }']
    for (const [id, query] of queries.entries())
      send({ id: String(id), type: 'subscribe', payload: { query } })
    await expect.poll(() => messages.filter(({ type }) => type === 'error').length).toBe(queries.length)
    expect(JSON.stringify(messages)).not.toContain('uploadChanged')
    expect(socket.readyState).toBe(WebSocket.OPEN)
  })

  it('leaves nothing of the sent data in the log, and nothing on the console', async () => {
    const printed = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'log')]
    const { send, socket, closed } = await enter(await tokenOf((await makeUser(server.db)).email))
    send({ id: 'cnp-1960229410013', type: 'next', payload: { data: {} } })
    await closed
    const { closed: brokenOff, socket: other } = await open()
    other.send('1960229410013'.repeat(10_000))
    await brokenOff
    expect(socket.readyState).toBe(WebSocket.CLOSED)
    const about = server.logged.filter((line) => line.includes('realtime:'))
    expect(about.some((line) => line.includes('"realtime: unexpected error"'))).toBe(true)
    expect(about.some((line) => line.includes('"realtime: broken frame"'))).toBe(true)
    expect(server.logged.join('')).not.toContain('1960229410013')
    for (const print of printed) expect(print).not.toHaveBeenCalled()
  })
})

it('closes with a code to reconnect later while the database is unavailable', async () => {
  const db = openDatabase({ ...server.connection, port: 1 }, () => undefined)
  onTestFinished(() => db.destroy())
  const at = await listen({ ...server.services, db }, schema, onTestFinished)
  const { send, closed } = await open(at)
  const token = await tokenOf((await makeUser(server.db)).email)
  send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })
  expect(await closed).toBe(1013)
})

it('closes with a code to reconnect when the server stops', async () => {
  let stop = async () => {}
  const at = await listen(server.services, schema, (end) => (stop = end))
  const { closed } = await enter(await tokenOf((await makeUser(server.db)).email), at)
  const stopped = stop()
  expect(await closed).toBe(1012)
  await stopped
})
