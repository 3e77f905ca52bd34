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

/** Milliseconds that a server may ask to be left alone before the second try. */
const MAX_RETRY_DELAY_MS = 10_000

/**
 * Plain HTTP, for whatever is not GraphQL. On 408, 409, 425, 429, 500, 502, 503 and 504, and where nobody answers, a GET or
 * another safe method is tried once more; PATCH, POST, PUT and DELETE never are, since the first one may have arrived
 * [7.12]. This is the library's own policy. Rejects with a `FetchError`, whose `status` is undefined where nobody answered;
 * a 401 signs out [4.3].
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

/** The Romanian sentence of what `http` rejected with: the server's own where it says one. Null for any other error. */
export function explainHttpError(error: unknown): string | null {
  if (!(error instanceof FetchError)) return null
  if (error.status === undefined) return UNREACHABLE_MESSAGE
  const said = (error.data as { message?: unknown } | null | undefined)?.message
  if (typeof said === 'string' && said !== '') return said
  return SENTENCES[error.status] ?? FAULT_MESSAGE
}
