import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client'
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors'
import { SetContextLink } from '@apollo/client/link/context'
import { ErrorLink } from '@apollo/client/link/error'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { OperationTypeNode } from 'graphql'
import { createClient as createSocket } from 'graphql-ws'
import { forgetSession, getIdToken, getSession, subscribeSession } from '../session/session.ts'

const authorization = async () => {
  const token = await getIdToken()
  // The session ended elsewhere; the request goes without a token and the 401 says so to everybody.
  return token ? `Bearer ${token}` : ''
}

const withToken = new SetContextLink(async ({ headers }) => ({
  headers: { ...headers, authorization: await authorization() },
}))

/** 401 means that the server no longer knows the person: out, wherever they are [4.3]. */
const signOutOn401 = new ErrorLink(({ error }) => {
  if (ServerError.is(error) && error.statusCode === 401) forgetSession()
})

const socket = createSocket({
  url: () => `${window.location.origin.replace(/^http/, 'ws')}/graphql`,
  connectionParams: async () => ({ authorization: await authorization() }),
  lazy: true,
})

/** Calls back once the websocket is there again after a break: what happened meanwhile, nobody has told. Answers the end of it. */
export const onReconnected = (listener: () => void): (() => void) =>
  socket.on('connected', (_socket, _payload, wasRetry) => {
    if (wasRetry) listener()
  })

// What was subscribed with one person's rights is not carried on with another's [4.5].
let userId = getSession().user?.id
subscribeSession(() => {
  const next = getSession().user?.id
  if (next === userId) return
  userId = next
  socket.terminate()
  if (!next) void client.clearStore()
})

/** The authenticated client [6.5]: GraphQL over POST, subscriptions over the websocket. */
export const client = new ApolloClient({
  link: ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    new GraphQLWsLink(socket),
    ApolloLink.from([signOutOn401, withToken, new HttpLink({ uri: '/graphql' })]),
  ),
  cache: new InMemoryCache({
    typePolicies: {
      // Lists are read page by page with a cursor; the pages of one question stand one after another.
      Query: {
        fields: {
          patients: pages(['search']),
          institutions: pages(['search']),
          uploads: pages(['states', 'category', 'institutionId', 'mine', 'search']),
          myUploads: pages(['states']),
          inbox: pages(['unread', 'search']),
          users: pages([]),
          auditEvents: pages(['action', 'patientId']),
        },
      },
      Patient: { fields: { uploads: pages([]), can: { merge: true } } },
      Upload: { fields: { can: { merge: true } } },
    },
  }),
  defaultOptions: { watchQuery: { fetchPolicy: 'cache-and-network', nextFetchPolicy: 'cache-first' } },
})

type Page = { nodes: readonly unknown[] }

function pages(keyArgs: string[]) {
  return {
    keyArgs,
    merge: (
      existing: Page | undefined,
      incoming: Page,
      { args }: { args: Record<string, unknown> | null },
    ): Page =>
      args?.after && existing ? { ...incoming, nodes: [...existing.nodes, ...incoming.nodes] } : incoming,
  }
}

/** The Romanian sentence of what went wrong. */
export function errorMessage(error: unknown): string {
  if (CombinedGraphQLErrors.is(error))
    return error.errors[0]?.message ?? 'A apărut o eroare. Încearcă din nou.'
  if (ServerError.is(error) && error.statusCode === 503) {
    return 'Serviciul nu răspunde pentru moment. Încearcă din nou peste câteva secunde.'
  }
  return 'Nu am putut ajunge la server. Verifică rețeaua și încearcă din nou.'
}

/** The code of a refusal (`NOT_FOUND`, `CONFLICT` …); undefined where the server did not answer. */
export const errorCode = (error: unknown): string | undefined =>
  CombinedGraphQLErrors.is(error) ? String(error.errors[0]?.extensions?.code) : undefined

/** The sentences of a refused input by field name, for a form to show under its fields. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!CombinedGraphQLErrors.is(error)) return {}
  const fields = (error.errors[0]?.extensions?.fields ?? []) as { field: string; message: string }[]
  return Object.fromEntries(fields.map(({ field, message }) => [field, message]))
}
