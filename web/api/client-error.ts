import {
  CombinedGraphQLErrors,
  CombinedProtocolErrors,
  LinkError,
  ServerError,
  ServerParseError,
} from '@apollo/client/errors'
import type { GraphQLFormattedError } from 'graphql'
import { FetchError } from 'ofetch'
import { ERRORS, type ErrorCode, errorOf, type FieldError } from '../../shared/errors.ts'
import { UNREACHABLE_MESSAGE } from '../../shared/unavailable-messages.ts'
import { explainHttpError, statusMessage } from './http.ts'

/**
 * The failure of an operation in one shape for all kinds of errors [8.13]; three of the four properties are
 * empty.
 */
export type ClientError = {
  /** Errors that the server returned: code, Romanian sentence, fields. */
  graphQLErrors: readonly GraphQLFormattedError[]
  /** No valid response: no connection, a status of 300 or more [8.7], no content [8.8], not JSON [8.9]. */
  networkError: Error | null
  /** Errors that ended a stream of responses. */
  protocolErrors: readonly GraphQLFormattedError[]
  /** Errors thrown by the page's own code. */
  clientErrors: readonly Error[]
}

const NONE: ClientError = { graphQLErrors: [], networkError: null, protocolErrors: [], clientErrors: [] }

export function toClientError(error: unknown): ClientError {
  if (CombinedGraphQLErrors.is(error)) return { ...NONE, graphQLErrors: error.errors }
  if (CombinedProtocolErrors.is(error)) return { ...NONE, protocolErrors: error.errors }
  const thrown = error instanceof Error ? error : new Error(String(error))
  return LinkError.is(thrown) ? { ...NONE, networkError: thrown } : { ...NONE, clientErrors: [thrown] }
}

/** For status 400: the page requests what this server does not have, so it is older than the server. */
const OUTDATED_PAGE_MESSAGE = 'Pagina nu mai este actuală și trebuie reîncărcată.'

/** Other statuses explain nothing: not found is the address of the API, not what was requested. */
const EXPLAINED_STATUSES: ReadonlySet<number> = new Set([401, 413, 429, 502, 503, 504])

const explainStatus = (status: number): string =>
  status === 400 ? OUTDATED_PAGE_MESSAGE : statusMessage(EXPLAINED_STATUSES.has(status) ? status : 500)

/**
 * Returns the Romanian sentence that explains a failed GraphQL operation or plain HTTP call, and what to do.
 */
export function errorMessage(error: unknown): string {
  const plain = explainHttpError(error)
  if (plain) return plain
  const { graphQLErrors, networkError } = toClientError(error)
  if (graphQLErrors[0]) return graphQLErrors[0].message
  if (ServerError.is(networkError)) return explainStatus(networkError.statusCode)
  if (!networkError || ServerParseError.is(networkError)) return errorOf('INTERNAL_SERVER_ERROR').message
  return UNREACHABLE_MESSAGE
}

/** Whether the server may have done what was asked although no answer came. */
export function isAnswerLost(error: unknown): boolean {
  const { networkError } = toClientError(error)
  return networkError !== null && !ServerError.is(networkError)
}

/** Returns the line above the options of a picker that could not be loaded; null without an error. */
export const listProblem = (error: unknown): string | null =>
  error == null ? null : `Lista nu s-a încărcat. ${errorMessage(error)}`

/**
 * Returns the code of a GraphQL error (`NOT_FOUND`, `CONFLICT` …); undefined if the server did not respond.
 */
export function errorCode(error: unknown): ErrorCode | undefined {
  const received = toClientError(error).graphQLErrors[0]?.extensions?.code
  return ERRORS.find(({ code }) => code === received)?.code
}

/** Whether the same request may succeed later: no response, or the server was overloaded or failed. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof FetchError) return error.status === undefined || isTemporaryStatus(error.status)
  const { networkError } = toClientError(error)
  if (ServerError.is(networkError)) return isTemporaryStatus(networkError.statusCode)
  return networkError !== null && !ServerParseError.is(networkError)
}

const isTemporaryStatus = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** Returns the Romanian sentences about invalid input by field name, for a form to show under its fields. */
export function fieldErrors(error: unknown): Record<string, string> {
  const fields = (toClientError(error).graphQLErrors[0]?.extensions?.fields ?? []) as FieldError[]
  return Object.fromEntries(fields.map(({ field, message }) => [field, message]))
}
