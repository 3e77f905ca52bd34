import { ApolloClient, InMemoryCache } from '@apollo/client'
import { findCookie } from '../session/find-cookie.ts'
import { forgetSession } from '../session/session.ts'
import { GRAPHQL_ADDRESS } from './graphql-address.ts'
import { createGraphqlLink, SERVER_RENDERED_DELAY_MS } from './graphql-link.ts'

/**
 * The cookie with the public API key that the server sets with the page [9.5]. The key is no secret: every
 * visitor gets it.
 */
const KEY_COOKIE = 'apollo:public.token'

/** The public client [6.5], for pages that need no account: it may query only public data. */
export const publicClient = new ApolloClient({
  link: createGraphqlLink({
    uri: GRAPHQL_ADDRESS,
    identity: () => ({ 'x-api-key': findCookie(document.cookie, KEY_COOKIE) ?? '' }),
    onUnauthorized: forgetSession,
  }),
  ssrForceFetchDelay: SERVER_RENDERED_DELAY_MS,
  cache: new InMemoryCache(),
})
