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

/** What went wrong with an operation, in one shape whatever it was [8.13]; three of the four are empty. */
export type ClientError = {
  /** What the server refused: its code, its Romanian sentence, its fields. */
  graphQLErrors: readonly GraphQLFormattedError[]
  /** No answer, or none that counts: a status of 300 or more [8.7], no content [8.8], not JSON [8.9]. */
  networkError: Error | null
  /** What broke a stream of answers. */
  protocolErrors: readonly GraphQLFormattedError[]
  /** What went wrong here, in the page. */
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
  // The page asks for what this server does not have: it is older than the server.
  400: 'Pagina nu mai este actuală și trebuie reîncărcată.',
  401: SESSION_OVER_MESSAGE,
  413: 'Este prea mult text: trebuie scurtat.',
  429: TOO_MANY_MESSAGE,
  502: UNAVAILABLE_MESSAGE,
  503: UNAVAILABLE_MESSAGE,
  504: UNAVAILABLE_MESSAGE,
}

/** The Romanian sentence of what went wrong with an operation, or with a plain call, and what to do. */
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

/** The line above the options of a picker that could not be loaded; null without an error. */
export const listProblem = (error: unknown): string | null =>
  error == null ? null : `Lista nu s-a încărcat. ${errorMessage(error)}`

/** The code of a refusal (`NOT_FOUND`, `CONFLICT` …); undefined where the server did not answer. */
export function errorCode(error: unknown): string | undefined {
  const code = toClientError(error).graphQLErrors[0]?.extensions?.code
  return typeof code === 'string' ? code : undefined
}

/** The sentences of a refused input by field name, for a form to show under its fields. */
export function fieldErrors(error: unknown): Record<string, string> {
  const fields = (toClientError(error).graphQLErrors[0]?.extensions?.fields ?? []) as {
    field: string
    message: string
  }[]
  return Object.fromEntries(fields.map(({ field, message }) => [field, message]))
}
