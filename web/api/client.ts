import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client'
import { Defer20220824Handler } from '@apollo/client/incremental'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { OperationTypeNode } from 'graphql'
import { forgetSession, getSession, subscribeSession } from '../session/session.ts'
import { getIdToken } from '../session/token.ts'
import { GRAPHQL_ADDRESS } from './graphql-address.ts'
import { createGraphqlLink, SERVER_RENDERED_DELAY } from './graphql-link.ts'
import { socket } from './socket.ts'

// What one person has read is not there for the next.
let userId = getSession().user?.id
subscribeSession(() => {
  const next = getSession().user?.id
  if (next === userId) return
  userId = next
  void client.clearStore()
})

/** The authenticated client [6.5]: GraphQL over POST, subscriptions over the websocket. */
export const client = new ApolloClient({
  link: ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    new GraphQLWsLink(socket),
    createGraphqlLink({
      uri: GRAPHQL_ADDRESS,
      identity: async () => {
        const token = await getIdToken()
        // The session ended elsewhere; the request goes without a token and the 401 says so to everybody.
        return { authorization: token ? `Bearer ${token}` : '' }
      },
      onUnauthorized: forgetSession,
    }),
  ),
  incrementalHandler: new Defer20220824Handler(),
  ssrForceFetchDelay: SERVER_RENDERED_DELAY,
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
