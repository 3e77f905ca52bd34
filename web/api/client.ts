import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client'
import { Defer20220824Handler } from '@apollo/client/incremental'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { OperationTypeNode } from 'graphql'
import { onInstitutionsChange, onPersonChange } from '../session/person-change.ts'
import { forgetSession } from '../session/session.ts'
import { getIdToken } from '../session/token.ts'
import { GRAPHQL_ADDRESS } from './graphql-address.ts'
import { createGraphqlLink, SERVER_RENDERED_DELAY_MS } from './graphql-link.ts'
import { socket } from './socket.ts'
import { typePolicies } from './type-policies.ts'

// What one person has read is not there for the next.
onPersonChange(() => void client.clearStore())
onInstitutionsChange(() => void client.resetStore().catch(() => undefined))

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
  ssrForceFetchDelay: SERVER_RENDERED_DELAY_MS,
  cache: new InMemoryCache({ typePolicies }),
  defaultOptions: { watchQuery: { fetchPolicy: 'cache-and-network', nextFetchPolicy: 'cache-first' } },
})
