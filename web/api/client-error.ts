import {
  CombinedGraphQLErrors,
  CombinedProtocolErrors,
  LinkError,
  ServerError,
  ServerParseError,
} from '@apollo/client/errors'
import type { GraphQLFormattedError } from 'graphql'
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

const FAULT = 'A apărut o eroare. Încearcă din nou.'
const STATUS_SENTENCES: Readonly<Record<number, string>> = {
  // The page asks for what this server does not have: it is older than the server.
  400: 'Pagina nu mai este actuală. Reîncarc-o și încearcă din nou.',
  401: 'Sesiunea s-a încheiat. Autentifică-te din nou.',
  413: 'Este prea mult text. Scurtează-l și încearcă din nou.',
  429: 'Au fost prea multe cereri. Încearcă din nou peste un minut.',
  502: 'Serviciul nu răspunde pentru moment. Încearcă din nou peste câteva secunde.',
  503: 'Serviciul nu răspunde pentru moment. Încearcă din nou peste câteva secunde.',
  504: 'Serviciul nu răspunde pentru moment. Încearcă din nou peste câteva secunde.',
}

/** The Romanian sentence of what went wrong with an operation, or with a plain call, and what to do. */
export function errorMessage(error: unknown): string {
  const plain = explainHttpError(error)
  if (plain) return plain
  const { graphQLErrors, networkError } = toClientError(error)
  if (graphQLErrors[0]) return graphQLErrors[0].message
  if (!networkError) return FAULT
  if (ServerError.is(networkError)) return STATUS_SENTENCES[networkError.statusCode] ?? FAULT
  if (ServerParseError.is(networkError)) return FAULT
  return 'Nu am putut ajunge la server. Verifică rețeaua și încearcă din nou.'
}

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
