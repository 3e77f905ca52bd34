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
const listeners = new Set<() => void>()

/**
 * `fetch` for the requests of the page. On 408, 409, 425, 429, 500, 502, 503, 504 or no response, it retries a safe
 * method once; it never retries PATCH, POST, PUT and DELETE, because the first request may have arrived [7.12]. Rejects
 * with a `TimeoutError` if the response, after the retry too, is not complete after `timeoutMs`.
 */
export async function connectedFetch(
  input: RequestInfo | URL,
  { timeoutMs = REQUEST_TIMEOUT_MS, ...init }: ConnectedInit = {},
): Promise<Response> {
  const timeout = new AbortController()
  setTimeout(() => timeout.abort(new DOMException('no response', 'TimeoutError')), timeoutMs)
  const signal = init.signal ? AbortSignal.any([init.signal, timeout.signal]) : timeout.signal
  const send = () => fetch(input, { ...init, signal })
  try {
    const response = await (SAFE_METHODS.has(init.method ?? 'GET') ? sendTwice(send, signal) : send())
    // Any response counts, also an error status.
    setUnreachable(false)
    return response
  } catch (error) {
    // A request that the page itself has cancelled says nothing.
    if (!init.signal?.aborted) setUnreachable(true)
    throw error
  }
}

async function sendTwice(send: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  try {
    const response = await send()
    if (!RETRIED_STATUSES.has(response.status)) return response
    void response.body?.cancel()
    const delay = 1000 * (Number(response.headers.get('retry-after')) || 0)
    await pause(Math.min(delay, MAX_RETRY_DELAY_MS), signal)
  } catch (error) {
    // Else the time is over, or the page has cancelled the request.
    if (!(error instanceof TypeError)) throw error
  }
  return send()
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', () => reject(signal.reason))
  })

/** Whether the last request has not reached the server. */
export const readIsUnreachable = (): boolean => isUnreachable

/** Calls a function after each change of `readIsUnreachable`; returns the function that stops this. */
export function subscribeConnection(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setUnreachable(next: boolean): void {
  if (next === isUnreachable) return
  isUnreachable = next
  for (const listener of listeners) listener()
}
