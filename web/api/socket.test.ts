import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { handleProtocols } from 'graphql-ws'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { FATAL_CLOSE_CODES, isFatalClose } from '../../shared/close-codes.ts'
import { createLiveSocket, type LiveSocketOptions, MAX_RETRIES, retryDelay } from './socket.ts'

const SPECIFIED_FATAL = [4400, 4401, 4403, 4406, 4409, 4429, 4500, 4005, 4004]

type Message = { type: string; id?: string; payload?: { authorization?: string } }
type Arrival = { number: number; authorization: string | undefined; socket: WebSocket }

/** A server that takes every connection and does with it, once it has introduced itself, what the test says. */
async function startServer(onInit: (arrival: Arrival) => void, port = 0) {
  const server = new WebSocketServer({ port, handleProtocols })
  const arrivals: Arrival[] = []
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      const { type, id, payload } = JSON.parse(String(data)) as Message
      if (type === 'subscribe')
        socket.send(JSON.stringify({ id, type: 'next', payload: { data: { tick: 1 } } }))
      if (type !== 'connection_init') return
      const arrival = { number: arrivals.length + 1, authorization: payload?.authorization, socket }
      arrivals.push(arrival)
      onInit(arrival)
    }),
  )
  await once(server, 'listening')
  const stop = async () => {
    for (const socket of server.clients) socket.terminate()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(stop)
  return { port: (server.address() as AddressInfo).port, arrivals, stop }
}

const acknowledge = ({ socket }: Arrival) => socket.send(JSON.stringify({ type: 'connection_ack' }))

/** The page's client, whose pauses pass at once and are written down. */
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
    const seen = { ticks: 0, error: undefined as unknown }
    const end = client.subscribe(
      { query: 'subscription { tick }' },
      {
        next: () => (seen.ticks += 1),
        error: (error) => (seen.error = error ?? 'ended'),
        complete: () => {},
      },
    )
    onTestFinished(end)
    return seen
  }
  return { client, pauses, subscribe }
}

/** Whether pauses double from a second, each with its jitter. */
function expectBackOff(pauses: readonly number[]) {
  for (const [tries, pause] of pauses.entries()) {
    expect(pause).toBeGreaterThanOrEqual(1000 * 2 ** tries + 300)
    expect(pause).toBeLessThanOrEqual(1000 * 2 ** tries + 3000)
  }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('the retry policy', () => {
  it('pauses 1, 2, 4, 8 and 16 s, each with 300 to 3000 ms of jitter [9.6]', () => {
    expect(MAX_RETRIES).toBe(5)
    const pauses = (random: number) => [0, 1, 2, 3, 4].map((tries) => retryDelay(tries, random))
    expect(pauses(0)).toEqual([1300, 2300, 4300, 8300, 16_300])
    expect(pauses(1)).toEqual([4000, 5000, 7000, 11_000, 19_000])
    expect(pauses(0.5)).toEqual([2650, 3650, 5650, 9650, 17_650])
  })

  it('takes exactly the specified codes for final [8.14]', () => {
    const fatal = Array.from({ length: 5000 }, (_, code) => code).filter(isFatalClose)
    expect(fatal).toEqual(SPECIFIED_FATAL.toSorted((a, b) => a - b))
    expect(FATAL_CLOSE_CODES.size).toBe(SPECIFIED_FATAL.length)
  })

  it.each(SPECIFIED_FATAL)('does not come back after %i [8.14]', async (code) => {
    for (const isKnown of [false, true]) {
      const server = await startServer((arrival) => {
        if (isKnown) acknowledge(arrival)
        arrival.socket.close(code)
      })
      const { pauses, subscribe } = createClient(server.port)
      const seen = subscribe()
      await expect.poll(() => seen.error).toMatchObject({ code })
      expect(server.arrivals.length).toBe(1)
      expect(pauses).toEqual([])
    }
  })

  it.each([
    1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 4408, 4498, 4499,
    4504,
  ])('comes back five times after %i, and then no more [8.14] [9.6]', async (code) => {
    const server = await startServer(({ socket }) => {
      if (code === 1005) socket.close()
      // Neither may be sent: the one is a broken line, the other for clients alone.
      else if (code === 1006) socket.terminate()
      else if (code === 1010) sendClose(socket, code)
      else socket.close(code)
    })
    const { pauses, subscribe } = createClient(server.port, { whenLookedAt: async () => {} })
    const seen = subscribe()
    await expect.poll(() => seen.error).toBeDefined()
    expect(server.arrivals.length).toBe(1 + MAX_RETRIES)
    expect(pauses.length).toBe(MAX_RETRIES)
    expectBackOff(pauses)
  })

  it('comes back after a normal closure that it has not asked for [8.14]', async () => {
    const server = await startServer((arrival) => {
      acknowledge(arrival)
      if (arrival.number === 1) arrival.socket.close(1000)
    })
    const { subscribe } = createClient(server.port)
    const seen = subscribe()
    await expect.poll(() => seen.ticks).toBe(1)
    expect(server.arrivals.length).toBe(2)
  })

  it('counts anew once it was there again, for all subscriptions together [9.6]', async () => {
    const server = await startServer((arrival) => {
      if (arrival.number % 3 === 0) acknowledge(arrival)
      if (arrival.number < 12) arrival.socket.close(1012)
    })
    const { pauses, subscribe } = createClient(server.port)
    const all = [subscribe(), subscribe(), subscribe()]
    await expect.poll(() => all.map(({ ticks }) => ticks)).toEqual([1, 1, 1])
    expect(server.arrivals.length).toBe(12)
    // Two in vain, the third is taken, and breaks.
    expect(pauses.length).toBe(11)
    expectBackOff(pauses.slice(0, 2))
    for (const first of [2, 5, 8]) expectBackOff(pauses.slice(first, first + 3))
  })
})

/** A close frame with a code that `ws` does not let a server send. */
function sendClose(socket: WebSocket, code: number) {
  const { _socket: line } = socket as unknown as { _socket: NodeJS.WritableStream }
  line.write(Buffer.from([0x88, 2, code >> 8, code & 0xff]))
}

describe('after it has given up', () => {
  it('comes back at once when somebody asks anew, also where the server was never there, and with all its retries [9.6]', async () => {
    const gone = await startServer(() => {})
    await gone.stop()
    const { pauses, subscribe } = createClient(gone.port)
    const first = subscribe()
    await expect.poll(() => first.error).toBeDefined()
    expect(pauses.length).toBe(MAX_RETRIES)
    expectBackOff(pauses)

    // In vain: at once, then five pauses again.
    pauses.length = 0
    const second = subscribe()
    await expect.poll(() => second.error).toBeDefined()
    expect(pauses.length).toBe(MAX_RETRIES)
    expectBackOff(pauses)

    pauses.length = 0
    await startServer(acknowledge, gone.port)
    const third = subscribe()
    await expect.poll(() => third.ticks).toBe(1)
    expect(pauses).toEqual([])
  })
})

describe('the connection', () => {
  it('is made anew at once for somebody else, and the subscriptions go over to it [4.5]', async () => {
    const server = await startServer(acknowledge)
    let token: string | null = 'first'
    const { client, pauses, subscribe } = createClient(server.port, { getToken: async () => token })
    const seen = subscribe()
    await expect.poll(() => seen.ticks).toBe(1)
    token = 'second'
    client.restart()
    await expect.poll(() => seen.ticks).toBe(2)
    token = null
    client.restart()
    await expect.poll(() => seen.ticks).toBe(3)
    expect(server.arrivals.map(({ authorization }) => authorization)).toEqual([
      'Bearer first',
      'Bearer second',
      '',
    ])
    expect(pauses).toEqual([])
  })

  it('is tried again where the token cannot be had [9.6]', async () => {
    const server = await startServer(acknowledge)
    let refusals = 4
    const getToken = async () => {
      if (refusals-- > 0) throw new Error('cannot be reached')
      return 'token'
    }
    const { pauses, subscribe } = createClient(server.port, { getToken })
    const seen = subscribe()
    await expect.poll(() => seen.ticks).toBe(1)
    expect(pauses.length).toBe(2)
    expect(server.arrivals.length).toBe(1)
  })

  it('that had to make room comes back when somebody looks at the page', async () => {
    const server = await startServer((arrival) => {
      acknowledge(arrival)
      if (arrival.number === 1) arrival.socket.close(4498)
    })
    let look = () => {}
    const looked = new Promise<void>((resolve) => (look = resolve))
    const requested = vi.fn(() => looked)
    const { subscribe } = createClient(server.port, { whenLookedAt: requested })
    const seen = subscribe()
    await expect.poll(() => requested.mock.calls.length).toBe(1)
    expect(server.arrivals.length).toBe(1)
    look()
    await expect.poll(() => seen.ticks).toBe(1)
  })

  it('is cut and made anew when the other side answers no more', async () => {
    const server = await startServer(acknowledge)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { subscribe } = createClient(server.port)
    const seen = subscribe()
    await expect.poll(() => seen.ticks).toBe(1)
    // This server answers no ping.
    await vi.advanceTimersByTimeAsync(16_900)
    expect(server.arrivals.length).toBe(1)
    await vi.advanceTimersByTimeAsync(200)
    await expect.poll(() => seen.ticks).toBe(2)
    expect(server.arrivals.length).toBe(2)
  })
})
