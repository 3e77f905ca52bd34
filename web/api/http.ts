import { FetchError, ofetch } from 'ofetch'
import { errorOf, isErrorStatus } from '../../shared/errors.ts'
import { UNREACHABLE_MESSAGE } from '../../shared/unavailable-messages.ts'
import { connectedFetch } from '../session/connection.ts'
import { forgetSession } from '../session/session.ts'

declare module 'ofetch' {
  interface FetchOptions {
    /** See `connectedFetch`. */
    timeoutMs?: number
  }
}

/**
 * The client for requests other than GraphQL and those of the session. Rejects with a `FetchError`, whose `status`
 * is undefined without a response; a 401 signs out [4.3].
 */
export const http = ofetch.create(
  {
    // By `connectedFetch`.
    retry: false,
    onResponseError: async ({ response }) => {
      if (response.status === 401) forgetSession()
      response._data = await readFailure(response._data)
    },
  },
  { fetch: connectedFetch as typeof fetch },
)

/** Returns the body of a failed response, which a request for a file receives as a Blob. */
async function readFailure(body: unknown): Promise<unknown> {
  if (!(body instanceof Blob)) return body
  try {
    return JSON.parse(await body.text())
  } catch {
    return undefined
  }
}

/** For requests that send or fetch a file: a slow network needs minutes for it. */
export const FILE_TIMEOUT_MS = 30 * 60_000

/** Statuses of a proxy whose server does not respond; this server never sends them. */
const PROXY_STATUSES: ReadonlySet<number> = new Set([408, 425, 502, 504])

/** Returns the Romanian sentence of an HTTP status. */
export function statusMessage(status: number): string {
  if (PROXY_STATUSES.has(status)) return errorOf('UNAVAILABLE').message
  return errorOf(isErrorStatus(status) ? status : 'INTERNAL_SERVER_ERROR').message
}

/**
 * Returns the Romanian sentence that explains a rejection of `http`: the server's own if the response has
 * one. Null for any other error.
 */
export function explainHttpError(error: unknown): string | null {
  // The body of a response may break off too.
  if (error instanceof DOMException && error.name === 'TimeoutError') return UNREACHABLE_MESSAGE
  if (!(error instanceof FetchError)) return null
  if (error.status === undefined) return UNREACHABLE_MESSAGE
  const message = (error.data as { message?: unknown } | null | undefined)?.message
  if (typeof message === 'string' && message !== '') return message
  return statusMessage(error.status)
}
