import { ofetch } from 'ofetch'
import { connectedFetch } from './connection.ts'

declare module 'ofetch' {
  interface FetchOptions {
    /** See `connectedFetch`. */
    timeoutMs?: number
  }
}

/** The longest `Retry-After` of a server that is respected before the retry. */
const MAX_RETRY_DELAY_MS = 10_000

/**
 * The client for requests other than GraphQL. On 408, 409, 425, 429, 500, 502, 503, 504 or no response, it
 * retries a safe method once; it never retries PATCH, POST, PUT and DELETE, because the first request may
 * have arrived [7.12]. Rejects with a `FetchError`, whose `status` is undefined without a response.
 */
export const httpClient = ofetch.create(
  {
    retryDelay: ({ response }) =>
      Math.min(1000 * (Number(response?.headers.get('retry-after')) || 0), MAX_RETRY_DELAY_MS),
  },
  { fetch: connectedFetch as typeof fetch },
)
