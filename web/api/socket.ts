import { type Client, createClient } from 'graphql-ws'
import { CLOSE, isFatalClose } from '../../shared/close-codes.ts'
import { isAskedEarly } from '../loading/early-responses.ts'
import { whenIdle } from '../loading/when-idle.ts'
import { onPersonChange } from '../session/person-change.ts'
import { getSession, loadSession } from '../session/session.ts'
import { getTokenFor } from '../session/token/token-for.ts'
import { GRAPHQL_ADDRESS } from './graphql-address.ts'

/** How often a broken connection is retried automatically [9.6]. */
export const MAX_RETRIES = 5
const FIRST_RETRY_DELAY_MS = 1_000
const RETRY_JITTER_MS = { min: 300, max: 3_000 }

/**
 * Interval between two pings, and how long to wait for a pong. A connection that broke silently is noticed
 * after their sum.
 */
const PING_MS = { interval: 12_000, timeout: 5_000 }
/** How long the server may take to acknowledge an accepted connection. */
const ACKNOWLEDGEMENT_TIMEOUT_MS = 10_000
/** How long an unused connection stays open, so that the next screen with live updates can reuse it. */
const CLOSE_DELAY_MS = 5_000

/**
 * Returns the milliseconds to wait before the retry after `attempts` others (0 for the first). The delay
 * doubles; `random` in 0..1 adds jitter, so that clients do not retry together [9.6].
 */
export const retryDelay = (attempts: number, random: number): number =>
  FIRST_RETRY_DELAY_MS * 2 ** attempts +
  RETRY_JITTER_MS.min +
  random * (RETRY_JITTER_MS.max - RETRY_JITTER_MS.min)

/**
 * Whether the library, without calling `shouldRetry`, gives up at this close code or reconnects without a
 * pause (1000). Except for the fatal codes, the specification requires a retry with its pauses [8.14] [9.6].
 */
const isHandledByLibrary = (code: number): boolean =>
  code >= 1000 && code < 2000 && ![1001, 1005, 1006, 1012, 1013, 1014].includes(code)

export type LiveSocket = Client & {
  /** Closes the open connection and reconnects at once, with the full number of retries [4.5]. */
  restart(): void
  /**
   * Calls the listener when the websocket has reconnected after a break, not after `restart`: events during
   * the break were not delivered. Returns the unsubscribe function.
   */
  onReconnected(listener: () => void): () => void
}

export type LiveSocketOptions = {
  url: () => string
  /** Resolves to null when signed out; rejects if the server cannot be reached. */
  getToken: () => Promise<string | null>
  /** When the page asked for its first data, in the time of `performance.now()`. */
  askedAt?: number
  /** Resolves when the first connection may begin. */
  whenReady?: () => Promise<void>
  sleep?: (milliseconds: number) => Promise<void>
  /** Resolves when the page is visible. */
  whenVisible?: () => Promise<void>
  webSocketImpl?: unknown
}

/**
 * Creates a websocket that is open while there are subscriptions and reconnects after every close but a fatal
 * one. It retries up to MAX_RETRIES times automatically, and again for each later subscription.
 */
export function createLiveSocket({
  url,
  getToken,
  askedAt = performance.now(),
  whenReady = async () => {},
  sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  whenVisible = waitUntilVisible,
  webSocketImpl,
}: LiveSocketOptions): LiveSocket {
  let attempts = 0
  let isRestarting = false
  let isDisplaced = false
  let isConnected = false
  let ready: Promise<void> | undefined
  /** Whether a connection was acknowledged before. */
  let isKnown = false
  /** Whether a connection has ended without `restart`, and none has replaced it yet. */
  let isBroken = false
  /** `isBroken` when the present connection began. */
  let wasBroken = false
  let pongTimer: ReturnType<typeof setTimeout>

  const client = createClient({
    url: async () => {
      ready ??= whenReady()
      await ready
      // The server waits 3 s for the first message, so the token is fetched before connecting.
      // `connectionParams` handles a failure.
      await getToken().catch(() => null)
      return url()
    },
    connectionParams: async () => {
      const token = await getToken().catch(() => undefined)
      // The server cannot be reached: handled as any other lost connection.
      if (token === undefined) client.terminate()
      return {
        authorization: token ? `Bearer ${token}` : '',
        // From then on the first subscriptions get the changes.
        // One of the two clocks does not run while the computer sleeps.
        ...(!isKnown && {
          dataAgeMs: Math.ceil(
            Math.max(performance.now() - askedAt, Date.now() - performance.timeOrigin - askedAt),
          ),
        }),
      }
    },
    lazyCloseTimeout: CLOSE_DELAY_MS,
    keepAlive: PING_MS.interval,
    connectionAckWaitTimeout: ACKNOWLEDGEMENT_TIMEOUT_MS,
    // Retries are counted here: the library does not reset its own count after giving up, so its pauses keep
    // growing.
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: (problem) => !isFatalClose(codeOf(problem)) && (isRestarting || attempts < MAX_RETRIES),
    retryWait: async () => {
      if (isRestarting || attempts >= MAX_RETRIES) {
        isRestarting = false
        attempts = 0
        return
      }
      await sleep(retryDelay(attempts, Math.random()))
      // A page displaced by another window reconnects only when it is visible, so as not to displace that
      // window.
      if (isDisplaced) await whenVisible()
      attempts += 1
    },
    on: {
      connected: () => {
        attempts = 0
        isRestarting = false
        isDisplaced = false
        isConnected = true
        wasBroken = isBroken
        isKnown = true
        isBroken = false
      },
      closed: (event) => {
        clearTimeout(pongTimer)
        isBroken = !isRestarting && (isBroken || isConnected)
        isConnected = false
        const code = codeOf(event)
        if (code === CLOSE.displaced.code) isDisplaced = true
        // A termination (4499) is handled as every code that is retried.
        if (isHandledByLibrary(code)) client.terminate()
      },
      ping: (received) => {
        if (!received) pongTimer = setTimeout(() => client.terminate(), PING_MS.timeout)
      },
      pong: (received) => {
        if (received) clearTimeout(pongTimer)
      },
    },
    ...(webSocketImpl ? { webSocketImpl } : {}),
  })

  return {
    ...client,
    restart: () => {
      isRestarting = true
      // The server may have closed the connection of the former user before.
      isBroken = false
      client.terminate()
    },
    onReconnected: (listener) =>
      client.on('connected', () => {
        if (wasBroken) listener()
      }),
  }
}

/** The close code of a closed socket; 0 for any other problem. */
const codeOf = (problem: unknown): number =>
  typeof problem === 'object' && problem !== null && 'code' in problem ? Number(problem.code) : 0

const waitUntilVisible = () =>
  new Promise<void>((resolve) => {
    const resolveIfVisible = () => {
      if (document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', resolveIfVisible)
      resolve()
    }
    document.addEventListener('visibilitychange', resolveIfVisible)
    resolveIfVisible()
  })

/** The one websocket of the page [7.9]. */
export const socket = createLiveSocket({
  url: () => new URL(GRAPHQL_ADDRESS, location.href).href.replace(/^http/, 'ws'),
  getToken: () => getTokenFor('realtime'),
  // This module is loaded before the first question of a screen that the page has not asked.
  askedAt: isAskedEarly() ? 0 : performance.now(),
  // The first data comes before the changes to it.
  whenReady: () => new Promise(whenIdle),
})

// The server knows no such session or token any more: checks whether the session of the page is still valid.
socket.on('closed', (event) => {
  const isUnauthorized = codeOf(event) === CLOSE.unauthorized.code
  if (isUnauthorized && getSession().status === 'authenticated') loadSession().catch(() => undefined)
})

// A subscription with one user's rights must not continue with another user's rights [4.5].
onPersonChange(socket.restart)
