import {
  CombinedGraphQLErrors,
  CombinedProtocolErrors,
  LinkError,
  ServerError,
  ServerParseError,
} from '@apollo/client/errors'
import type { GraphQLFormattedError } from 'graphql'
import {
  FAULT_MESSAGE,
  SESSION_OVER_MESSAGE,
  TOO_MANY_MESSAGE,
  UNAVAILABLE_MESSAGE,
  UNREACHABLE_MESSAGE,
} from '../../shared/error-messages.ts'
import { explainHttpError } from './http.ts'

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

const STATUS_SENTENCES: Readonly<Record<number, string>> = {
  // The page requests what this server does not have: the page is older than the server.
  400: 'Pagina nu mai este actuală și trebuie reîncărcată.',
  401: SESSION_OVER_MESSAGE,
  413: 'Este prea mult text: trebuie scurtat.',
  429: TOO_MANY_MESSAGE,
  502: UNAVAILABLE_MESSAGE,
  503: UNAVAILABLE_MESSAGE,
  504: UNAVAILABLE_MESSAGE,
}

/**
 * Returns the Romanian sentence that explains a failed GraphQL operation or plain HTTP call, and what to do.
 */
export function errorMessage(error: unknown): string {
  const plain = explainHttpError(error)
  if (plain) return plain
  const { graphQLErrors, networkError } = toClientError(error)
  if (graphQLErrors[0]) return graphQLErrors[0].message
  if (!networkError) return FAULT_MESSAGE
  if (ServerError.is(networkError)) return STATUS_SENTENCES[networkError.statusCode] ?? FAULT_MESSAGE
  if (ServerParseError.is(networkError)) return FAULT_MESSAGE
  return UNREACHABLE_MESSAGE
}

/** Returns the line above the options of a picker that could not be loaded; null without an error. */
export const listProblem = (error: unknown): string | null =>
  error == null ? null : `Lista nu s-a încărcat. ${errorMessage(error)}`

/**
 * Returns the code of a GraphQL error (`NOT_FOUND`, `CONFLICT` …); undefined if the server did not respond.
 */
export function errorCode(error: unknown): string | undefined {
  const code = toClientError(error).graphQLErrors[0]?.extensions?.code
  return typeof code === 'string' ? code : undefined
}

/** Returns the Romanian sentences about invalid input by field name, for a form to show under its fields. */
export function fieldErrors(error: unknown): Record<string, string> {
  const fields = (toClientError(error).graphQLErrors[0]?.extensions?.fields ?? []) as {
    field: string
    message: string
  }[]
  return Object.fromEntries(fields.map(({ field, message }) => [field, message]))
}
