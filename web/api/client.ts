import { ApolloClient, ApolloLink, InMemoryCache, Observable } from '@apollo/client'
import { Defer20220824Handler } from '@apollo/client/incremental'
import { SetContextLink } from '@apollo/client/link/context'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { OperationTypeNode } from 'graphql'
import { onInstitutionsChange, onPersonChange } from '../session/person-change.ts'
import { forgetSession } from '../session/session.ts'
import { initialSite } from '../session/site.ts'
import { getIdToken } from '../session/token/token.ts'
import { repeatWithProof } from './fresh-proof.ts'
import { GRAPHQL_ADDRESS } from './graphql-address.ts'
import { createGraphqlLink, SERVER_RENDERED_DELAY_MS } from './graphql-link.ts'
import { takeLatestAnswer } from './latest-answer.ts'
import { socket } from './socket.ts'
import { typePolicies } from './type-policies.ts'

// Data that one user has loaded must not be shown to the next user.
onPersonChange(() => void client.clearStore())
onInstitutionsChange(() => void client.resetStore().catch(() => undefined))

/**
 * The authenticated client [6.5]: GraphQL over POST, subscriptions over the websocket; without one they get no
 * event [7.9].
 */
export const client = new ApolloClient({
  link: ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    initialSite.realtime ? new GraphQLWsLink(socket) : new ApolloLink(() => new Observable(() => {})),
    ApolloLink.from([
      takeLatestAnswer(),
      new SetContextLink((_context, { extensions }) => {
        // The page reports the use of the session by its user (session/report-use.ts); its own requests are none.
        extensions.reportsUse = true
        return {}
      }),
      repeatWithProof(),
      createGraphqlLink({
        uri: GRAPHQL_ADDRESS,
        identity: async () => {
          const token = await getIdToken()
          // If the session ended elsewhere, the request is sent without a token and its 401 signs out every
          // tab.
          return { authorization: token ? `Bearer ${token}` : '' }
        },
        onUnauthorized: forgetSession,
      }),
    ]),
  ),
  // A request that is under way may have been answered before the change for which a list is read again.
  queryDeduplication: false,
  incrementalHandler: new Defer20220824Handler(),
  ssrForceFetchDelay: SERVER_RENDERED_DELAY_MS,
  cache: new InMemoryCache({ typePolicies }),
  defaultOptions: { watchQuery: { fetchPolicy: 'cache-and-network', nextFetchPolicy: 'cache-first' } },
})
