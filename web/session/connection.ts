import { useSyncExternalStore } from 'react'

/** Interval between two requests that check whether the server can be reached again. */
const PROBE_INTERVAL_MS = 3_000
/** Longer than any request takes that the server still works on, except those that give their own limit. */
const REQUEST_TIMEOUT_MS = 30_000
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504])
/** The longest `Retry-After` of a server that is respected before the retry. */
const MAX_RETRY_DELAY_MS = 10_000

type ConnectedInit = RequestInit & {
  /** The time until the response is complete. */
  timeoutMs?: number
}

let isUnreachable = false
let probe: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/**
 * `fetch` for all requests of the page. On 408, 409, 425, 429, 500, 502, 503, 504 or no response, it retries a safe
 * method once; it never retries PATCH, POST, PUT and DELETE, because the first request may have arrived [7.12].
 * A request whose response is not complete after `timeoutMs` is aborted and rejects with a `TimeoutError`.
 */
export async function connectedFetch(input: RequestInfo | URL, init: ConnectedInit = {}): Promise<Response> {
  if (!SAFE_METHODS.has(init.method ?? 'GET')) return fetchOnce(input, init)
  try {
    const response = await fetchOnce(input, init)
    if (!RETRIED_STATUSES.has(response.status)) return response
    void response.body?.cancel()
    const delay = 1000 * (Number(response.headers.get('retry-after')) || 0)
    await new Promise((resolve) => setTimeout(resolve, Math.min(delay, MAX_RETRY_DELAY_MS)))
  } catch (error) {
    // Else the time is over, or the page has cancelled the request.
    if (!(error instanceof TypeError)) throw error
  }
  return fetchOnce(input, init)
}

/**
 * Sends a request, and records whether the server can be reached: any response counts, also an error status; a
 * request that the page itself has cancelled does not.
 */
async function fetchOnce(
  input: RequestInfo | URL,
  { timeoutMs = REQUEST_TIMEOUT_MS, ...init }: ConnectedInit,
): Promise<Response> {
  const timeout = new AbortController()
  setTimeout(() => timeout.abort(new DOMException('no response', 'TimeoutError')), timeoutMs)
  const signal = init.signal ? AbortSignal.any([init.signal, timeout.signal]) : timeout.signal
  try {
    const response = await fetch(input, { ...init, signal })
    setUnreachable(false)
    return response
  } catch (error) {
    if (!init.signal?.aborted) setUnreachable(true)
    throw error
  }
}

/** Whether the browser has no network, or the last request has not reached the server. */
export const useIsOffline = (): boolean => useSyncExternalStore(subscribe, readIsOffline)

const readIsOffline = () => !navigator.onLine || isUnreachable

function setUnreachable(next: boolean): void {
  if (next === isUnreachable) return
  isUnreachable = next
  notify()
}

function notify(): void {
  scheduleProbe()
  for (const listener of listeners) listener()
}

/**
 * Probes the server only while a component shows the state: nothing else needs to know when the server is
 * back.
 */
function scheduleProbe(): void {
  clearTimeout(probe)
  if (!isUnreachable || listeners.size === 0) return
  probe = setTimeout(() => {
    if (navigator.onLine) fetchOnce('/healthz', { cache: 'no-store' }).catch(() => undefined)
    scheduleProbe()
  }, PROBE_INTERVAL_MS)
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('online', notify)
    window.addEventListener('offline', notify)
  }
  listeners.add(listener)
  scheduleProbe()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('online', notify)
    window.removeEventListener('offline', notify)
    clearTimeout(probe)
  }
}
