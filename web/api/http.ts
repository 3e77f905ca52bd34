import { FetchError, ofetch } from 'ofetch'
import {
  FAULT_MESSAGE,
  SESSION_OVER_MESSAGE,
  TOO_MANY_MESSAGE,
  UNAVAILABLE_MESSAGE,
  UNREACHABLE_MESSAGE,
} from '../../shared/error-messages.ts'
import { connectedFetch } from '../session/connection.ts'
import { forgetSession } from '../session/session.ts'

/** The longest `Retry-After` of a server that is respected before the retry. */
const MAX_RETRY_DELAY_MS = 10_000

/**
 * The client for requests other than GraphQL. On 408, 409, 425, 429, 500, 502, 503, 504 or no response, it
 * retries a safe method once; it never retries PATCH, POST, PUT and DELETE, because the first request may
 * have arrived [7.12]. Rejects with a `FetchError`, whose `status` is undefined without a response; a 401
 * signs out [4.3].
 */
export const http = ofetch.create(
  {
    retryDelay: ({ response }) =>
      Math.min(1000 * (Number(response?.headers.get('retry-after')) || 0), MAX_RETRY_DELAY_MS),
    onResponseError: ({ response }) => {
      if (response.status === 401) forgetSession()
    },
  },
  { fetch: connectedFetch as typeof fetch },
)

const SENTENCES: Readonly<Record<number, string>> = {
  401: SESSION_OVER_MESSAGE,
  403: 'Contul nu are acest drept. Îl poate da un administrator.',
  404: 'Nu mai este aici.',
  408: UNAVAILABLE_MESSAGE,
  409: 'Între timp s-a schimbat ceva. Pagina trebuie reîncărcată.',
  413: 'Este prea mult pentru server odată.',
  425: UNAVAILABLE_MESSAGE,
  429: TOO_MANY_MESSAGE,
  502: UNAVAILABLE_MESSAGE,
  503: UNAVAILABLE_MESSAGE,
  504: UNAVAILABLE_MESSAGE,
}

/**
 * Returns the Romanian sentence that explains a rejection of `http`: the server's own if the response has
 * one. Null for any other error.
 */
export function explainHttpError(error: unknown): string | null {
  if (!(error instanceof FetchError)) return null
  if (error.status === undefined) return UNREACHABLE_MESSAGE
  const message = (error.data as { message?: unknown } | null | undefined)?.message
  if (typeof message === 'string' && message !== '') return message
  return SENTENCES[error.status] ?? FAULT_MESSAGE
}
