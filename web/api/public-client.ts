import { ApolloClient, InMemoryCache } from '@apollo/client'
import { findCookie } from '../session/find-cookie.ts'
import { forgetSession } from '../session/session.ts'
import { GRAPHQL_ADDRESS } from './graphql-address.ts'
import { createGraphqlLink, SERVER_RENDERED_DELAY_MS } from './graphql-link.ts'

/** The cookie in which the page brings the public API key [9.5]. It is no secret: every visitor gets it. */
const KEY_COOKIE = 'apollo:public.token'

/** The public client [6.5], for pages that need no account: it may ask only what everybody may know. */
export const publicClient = new ApolloClient({
  link: createGraphqlLink({
    uri: GRAPHQL_ADDRESS,
    identity: () => ({ 'x-api-key': findCookie(document.cookie, KEY_COOKIE) ?? '' }),
    onUnauthorized: forgetSession,
  }),
  ssrForceFetchDelay: SERVER_RENDERED_DELAY_MS,
  cache: new InMemoryCache(),
})
