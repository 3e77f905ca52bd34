import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { handleProtocols } from 'graphql-ws'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { FATAL_CLOSE_CODES, isFatalClose } from '../../shared/close-codes.ts'
import { createLiveSocket, type LiveSocketOptions, MAX_RETRIES, retryDelay } from './socket.ts'

const SPECIFIED_FATAL = [4400, 4401, 4403, 4406, 4409, 4429, 4500, 4005, 4004]

type Message = { type: string; id?: string; payload?: { authorization?: string; dataAgeMs?: number } }
type Connection = {
  number: number
  authorization: string | undefined
  dataAgeMs: number | undefined
  socket: WebSocket
}

/**
 * Starts a server that accepts every connection and calls `onInit` when the client has sent its first
 * message.
 */
async function startServer(onInit: (connection: Connection) => void, port = 0) {
  const server = new WebSocketServer({ port, handleProtocols })
  const connections: Connection[] = []
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      const { type, id, payload } = JSON.parse(String(data)) as Message
      if (type === 'subscribe')
        socket.send(JSON.stringify({ id, type: 'next', payload: { data: { tick: 1 } } }))
      if (type !== 'connection_init') return
      const { authorization, dataAgeMs } = payload ?? {}
      const connection = { number: connections.length + 1, authorization, dataAgeMs, socket }
      connections.push(connection)
      onInit(connection)
    }),
  )
  await once(server, 'listening')
  const stop = async () => {
    for (const socket of server.clients) socket.terminate()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(stop)
  return { port: (server.address() as AddressInfo).port, connections, stop }
}

const acknowledge = ({ socket }: Connection) => socket.send(JSON.stringify({ type: 'connection_ack' }))

/** Creates the page's client; its pauses take no time and are recorded. */
function createClient(port: number, over: Partial<LiveSocketOptions> = {}) {
  const pauses: number[] = []
  const client = createLiveSocket({
    url: () => `ws://localhost:${port}`,
    getToken: async () => 'token',
    sleep: async (pause) => void pauses.push(pause),
    webSocketImpl: WebSocket,
    ...over,
  })
  const subscribe = () => {
    const received = { ticks: 0, error: undefined as unknown }
    const end = client.subscribe(
      { query: 'subscription { tick }' },
      {
        next: () => (received.ticks += 1),
        error: (error) => (received.error = error ?? 'ended'),
        complete: () => {},
      },
    )
    onTestFinished(end)
    return received
  }
  return { client, pauses, subscribe }
}

/** Checks that pauses double from one second, each with its jitter. */
function expectBackOff(pauses: readonly number[]) {
  for (const [attempts, pause] of pauses.entries()) {
    expect(pause).toBeGreaterThanOrEqual(1000 * 2 ** attempts + 300)
    expect(pause).toBeLessThanOrEqual(1000 * 2 ** attempts + 3000)
  }
}

describe('the retry policy', () => {
  it('pauses 1, 2, 4, 8 and 16 s, each with 300 to 3000 ms of jitter [9.6]', () => {
    expect(MAX_RETRIES).toBe(5)
    const pauses = (random: number) => [0, 1, 2, 3, 4].map((attempts) => retryDelay(attempts, random))
    expect(pauses(0)).toEqual([1300, 2300, 4300, 8300, 16_300])
    expect(pauses(1)).toEqual([4000, 5000, 7000, 11_000, 19_000])
    expect(pauses(0.5)).toEqual([2650, 3650, 5650, 9650, 17_650])
  })

  it('treats exactly the specified codes as fatal [8.14]', () => {
    const fatal = Array.from({ length: 5000 }, (_, code) => code).filter(isFatalClose)
    expect(fatal).toEqual(SPECIFIED_FATAL.toSorted((a, b) => a - b))
    expect(FATAL_CLOSE_CODES.size).toBe(SPECIFIED_FATAL.length)
  })

  it.each(SPECIFIED_FATAL)('does not reconnect after %i [8.14]', async (code) => {
    for (const isKnown of [false, true]) {
      const server = await startServer((connection) => {
        if (isKnown) acknowledge(connection)
        connection.socket.close(code)
      })
      const { pauses, subscribe } = createClient(server.port)
      const received = subscribe()
      await expect.poll(() => received.error).toMatchObject({ code })
      expect(server.connections.length).toBe(1)
      expect(pauses).toEqual([])
    }
  })

  it.each([
    1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 4408, 4498,
    4499, 4504,
  ])('reconnects five times after %i, and then stops [8.14] [9.6]', async (code) => {
    const server = await startServer(({ socket }) => {
      if (code === 1005) socket.close()
      // Codes that `close` cannot send: 1006 is a broken connection, 1010 is for clients alone.
      else if (code === 1006) socket.terminate()
      else if (code === 1010) sendClose(socket, code)
      else socket.close(code)
    })
    const { pauses, subscribe } = createClient(server.port, { whenVisible: async () => {} })
    const received = subscribe()
    await expect.poll(() => received.error).toBeDefined()
    expect(server.connections.length).toBe(1 + MAX_RETRIES)
    expect(pauses.length).toBe(MAX_RETRIES)
    expectBackOff(pauses)
  })

  it('pauses before it reconnects after a normal close by the server [8.14] [9.6]', async () => {
    const server = await startServer((connection) => {
      acknowledge(connection)
      if (connection.number === 1) connection.socket.close(1000)
    })
    const { pauses, subscribe } = createClient(server.port)
    const received = subscribe()
    await expect.poll(() => received.ticks).toBe(1)
    expect(server.connections.length).toBe(2)
    expect(pauses).toHaveLength(1)
    expectBackOff(pauses)
  })

  it('resets the count after a successful connection, for all subscriptions together [9.6]', async () => {
    const server = await startServer((connection) => {
      if (connection.number % 3 === 0) acknowledge(connection)
      if (connection.number < 12) connection.socket.close(1012)
    })
    const { pauses, subscribe } = createClient(server.port)
    const all = [subscribe(), subscribe(), subscribe()]
    await expect.poll(() => all.map(({ ticks }) => ticks)).toEqual([1, 1, 1])
    expect(server.connections.length).toBe(12)
    // Two connections fail, the third is accepted and breaks.
    expect(pauses.length).toBe(11)
    expectBackOff(pauses.slice(0, 2))
    for (const first of [2, 5, 8]) expectBackOff(pauses.slice(first, first + 3))
  })
})

/** Sends a close frame with a code that `ws` does not let a server send. */
function sendClose(socket: WebSocket, code: number) {
  const { _socket: stream } = socket as unknown as { _socket: NodeJS.WritableStream }
  stream.write(Buffer.from([0x88, 2, code >> 8, code & 0xff]))
}

describe('the socket after its last retry', () => {
  it('reconnects at once for a new subscription, with all retries, also if the server was never there [9.6]', async () => {
    const stoppedServer = await startServer(() => {})
    await stoppedServer.stop()
    const { pauses, subscribe } = createClient(stoppedServer.port)
    const first = subscribe()
    await expect.poll(() => first.error).toBeDefined()
    expect(pauses.length).toBe(MAX_RETRIES)
    expectBackOff(pauses)

    // Fails at once, then five retries again.
    pauses.length = 0
    const second = subscribe()
    await expect.poll(() => second.error).toBeDefined()
    expect(pauses.length).toBe(MAX_RETRIES)
    expectBackOff(pauses)

    pauses.length = 0
    await startServer(acknowledge, stoppedServer.port)
    const third = subscribe()
    await expect.poll(() => third.ticks).toBe(1)
    expect(pauses).toEqual([])
  })
})

describe('the connection of the socket', () => {
  it('reports a reconnection after a break, and none after a restart for another user [4.5]', async () => {
    let isRejecting = false
    const server = await startServer((connection) => {
      if (isRejecting) connection.socket.close(4401)
      else acknowledge(connection)
      isRejecting = false
    })
    const { client, subscribe } = createClient(server.port)
    let reconnections = 0
    client.onReconnected(() => (reconnections += 1))
    const received = subscribe()
    await expect.poll(() => received.ticks).toBe(1)
    client.restart()
    await expect.poll(() => received.ticks).toBe(2)
    expect(reconnections).toBe(0)
    server.connections.at(-1)?.socket.close(1012)
    await expect.poll(() => received.ticks).toBe(3)
    expect(reconnections).toBe(1)
    // Signed out, and in again as another user.
    isRejecting = true
    client.restart()
    await expect.poll(() => received.error).toBeDefined()
    const next = subscribe()
    await expect.poll(() => next.ticks).toBe(1)
    expect(reconnections).toBe(1)
  })

  it('begins when the page is ready, and names the age of its first data once', async () => {
    const server = await startServer(acknowledge)
    let isReady = false
    const { client, subscribe } = createClient(server.port, {
      askedAt: performance.now() - 1_500,
      whenReady: async () => void (await vi.waitUntil(() => isReady)),
    })
    const received = subscribe()
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(server.connections).toEqual([])
    isReady = true
    await expect.poll(() => received.ticks).toBe(1)
    expect(server.connections[0]?.dataAgeMs).toBeGreaterThan(1_500)
    client.restart()
    await expect.poll(() => received.ticks).toBe(2)
    expect(server.connections[1]?.dataAgeMs).toBeUndefined()
  })

  it('restarts at once for another user and keeps the subscriptions [4.5]', async () => {
    const server = await startServer(acknowledge)
    let token: string | null = 'first'
    const { client, pauses, subscribe } = createClient(server.port, { getToken: async () => token })
    const received = subscribe()
    await expect.poll(() => received.ticks).toBe(1)
    token = 'second'
    client.restart()
    await expect.poll(() => received.ticks).toBe(2)
    token = null
    client.restart()
    await expect.poll(() => received.ticks).toBe(3)
    expect(server.connections.map(({ authorization }) => authorization)).toEqual([
      'Bearer first',
      'Bearer second',
      '',
    ])
    expect(pauses).toEqual([])
  })

  it('is retried if the token cannot be fetched [9.6]', async () => {
    const server = await startServer(acknowledge)
    let failuresLeft = 4
    const getToken = async () => {
      if (failuresLeft-- > 0) throw new Error('cannot be reached')
      return 'token'
    }
    const { pauses, subscribe } = createClient(server.port, { getToken })
    const received = subscribe()
    await expect.poll(() => received.ticks).toBe(1)
    expect(pauses.length).toBe(2)
    expect(server.connections.length).toBe(1)
  })

  it('reconnects after being displaced when the page is visible', async () => {
    const server = await startServer((connection) => {
      acknowledge(connection)
      if (connection.number === 1) connection.socket.close(4498)
    })
    let setVisible = () => {}
    const visible = new Promise<void>((resolve) => (setVisible = resolve))
    const requested = vi.fn(() => visible)
    const { subscribe } = createClient(server.port, { whenVisible: requested })
    const received = subscribe()
    await expect.poll(() => requested.mock.calls.length).toBe(1)
    expect(server.connections.length).toBe(1)
    setVisible()
    await expect.poll(() => received.ticks).toBe(1)
  })

  it('is closed and restarted when the server sends no pong', async () => {
    const server = await startServer(acknowledge)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { subscribe } = createClient(server.port)
    const received = subscribe()
    await expect.poll(() => received.ticks).toBe(1)
    // This server sends no pong.
    await vi.advanceTimersByTimeAsync(16_900)
    expect(server.connections.length).toBe(1)
    await vi.advanceTimersByTimeAsync(200)
    await expect.poll(() => received.ticks).toBe(2)
    expect(server.connections.length).toBe(2)
  })
})
