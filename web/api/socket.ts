import { type Client, createClient } from 'graphql-ws'
import { CLOSE, isFatalClose } from '../../shared/close-codes.ts'
import { onPersonChange } from '../session/person-change.ts'
import { loadSession } from '../session/session.ts'
import { getIdToken } from '../session/token.ts'
import { GRAPHQL_ADDRESS } from './graphql-address.ts'

/** How often a broken connection is tried again by itself [9.6]. */
export const MAX_RETRIES = 5
const FIRST_RETRY_DELAY_MS = 1_000
const JITTER_MS = { least: 300, most: 3_000 }

/** Milliseconds; a line that has broken without a word is noticed after their sum. */
const PING_MS = { every: 12_000, within: 5_000 }
/** Milliseconds for a server that has taken the connection to say that it knows us. */
const ACKNOWLEDGEMENT_TIMEOUT_MS = 10_000
/** Milliseconds: a screen that gives way to the next one with live updates leaves it the connection. */
const CLOSE_DELAY_MS = 5_000

/** Milliseconds before the retry after `tries` others (0 the first), `random` in 0..1: doubling, and apart from each other [9.6]. */
export const retryDelay = (tries: number, random: number): number =>
  FIRST_RETRY_DELAY_MS * 2 ** tries + JITTER_MS.least + random * (JITTER_MS.most - JITTER_MS.least)

/** What the library gives up at before it asks anybody, beside the fatal ones; the specification retries these too [8.14]. */
const isFatalForLibrary = (code: number): boolean =>
  code > 1001 && code < 2000 && ![1005, 1006, 1012, 1013, 1014].includes(code)

export type LiveSocket = Client & {
  /** Ends what is open and connects anew, at once and with all retries before it [4.5]. */
  restart(): void
}

export type LiveSocketOptions = {
  url: () => string
  /** Null where nobody is signed in; rejects where the server cannot be reached. */
  getToken: () => Promise<string | null>
  sleep?: (milliseconds: number) => Promise<void>
  /** Resolves when somebody looks at the page. */
  whenLookedAt?: () => Promise<void>
  webSocketImpl?: unknown
}

/**
 * A websocket that is open while somebody subscribes, and comes back after every break but a fatal one: up to RETRIES
 * times by itself, and anew each time that somebody subscribes after that.
 */
export function createLiveSocket({
  url,
  getToken,
  sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  whenLookedAt = waitUntilVisible,
  webSocketImpl,
}: LiveSocketOptions): LiveSocket {
  let tries = 0
  let isAskedFor = false
  let isDisplaced = false
  let silence: ReturnType<typeof setTimeout>

  const client = createClient({
    url: async () => {
      // The server waits 3 s for the first message: the token is here before the connection is. What fails shows below.
      await getToken().catch(() => null)
      return url()
    },
    connectionParams: async () => {
      const token = await getToken().catch(() => undefined)
      // The server cannot be reached: a break like any other.
      if (token === undefined) client.terminate()
      return { authorization: token ? `Bearer ${token}` : '' }
    },
    lazyCloseTimeout: CLOSE_DELAY_MS,
    keepAlive: PING_MS.every,
    connectionAckWaitTimeout: ACKNOWLEDGEMENT_TIMEOUT_MS,
    // Counted here: the library's own count is not set back when it has given up, and pauses ever longer after that.
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: (problem) => !isFatalClose(codeOf(problem)) && (isAskedFor || tries < MAX_RETRIES),
    retryWait: async () => {
      if (isAskedFor || tries >= MAX_RETRIES) {
        isAskedFor = false
        tries = 0
        return
      }
      await sleep(retryDelay(tries, Math.random()))
      // Who had to make room for another window comes back when somebody looks at this one, not to push out the next.
      if (isDisplaced) await whenLookedAt()
      tries += 1
    },
    on: {
      connected: () => {
        tries = 0
        isAskedFor = false
        isDisplaced = false
      },
      closed: (event) => {
        clearTimeout(silence)
        const code = codeOf(event)
        if (code === CLOSE.displaced.code) isDisplaced = true
        // A termination (4499) goes the way of all codes that are retried.
        if (isFatalForLibrary(code)) client.terminate()
      },
      ping: (received) => {
        if (!received) silence = setTimeout(() => client.terminate(), PING_MS.within)
      },
      pong: (received) => {
        if (received) clearTimeout(silence)
      },
    },
    ...(webSocketImpl ? { webSocketImpl } : {}),
  })

  return {
    ...client,
    restart: () => {
      isAskedFor = true
      client.terminate()
    },
  }
}

/** 0 where it is not the close of a socket. */
const codeOf = (problem: unknown): number =>
  typeof problem === 'object' && problem !== null && 'code' in problem ? Number(problem.code) : 0

const waitUntilVisible = () =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    look()
  })

/** The one websocket of the page [7.9]. */
export const socket = createLiveSocket({
  url: () => new URL(GRAPHQL_ADDRESS, location.href).href.replace(/^http/, 'ws'),
  getToken: getIdToken,
})

/** Calls back once the websocket is there again after a break: what happened meanwhile, nobody has told. Answers the end of it. */
export const onReconnected = (listener: () => void): (() => void) =>
  socket.on('connected', (_socket, _payload, wasRetry) => {
    if (wasRetry) listener()
  })

// The server knows of no session, or of no such token any more: the page asks whether it is still somebody's.
socket.on('closed', (event) => {
  if (codeOf(event) === CLOSE.unauthorized.code) loadSession().catch(() => undefined)
})

// What was subscribed with one person's rights is not carried on with another's [4.5].
onPersonChange(socket.restart)
