import { ApolloClient, InMemoryCache } from '@apollo/client'
import { forgetSession } from '../session/session.ts'
import { GRAPHQL_ADDRESS } from './graphql-address.ts'
import { createGraphqlLink, SERVER_RENDERED_DELAY } from './graphql-link.ts'
import { findPublicKey } from './public-key.ts'

/** The public client [6.5], for pages that need no account: it may ask only what everybody may know. */
export const publicClient = new ApolloClient({
  link: createGraphqlLink({
    uri: GRAPHQL_ADDRESS,
    identity: () => ({ 'x-api-key': findPublicKey(document.cookie) ?? '' }),
    onUnauthorized: forgetSession,
  }),
  ssrForceFetchDelay: SERVER_RENDERED_DELAY,
  cache: new InMemoryCache(),
})
