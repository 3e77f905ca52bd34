import { ApolloLink, Observable } from '@apollo/client'
import { ServerError } from '@apollo/client/errors'
import { SetContextLink } from '@apollo/client/link/context'
import { ErrorLink } from '@apollo/client/link/error'
import { BaseHttpLink } from '@apollo/client/link/http'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { print } from '@apollo/client/utilities'
import type { DocumentNode } from 'graphql'
import { connectedFetch } from '../session/connection.ts'

export type GraphqlLinkOptions = {
  /** The address of GraphQL [7.8]. */
  uri: string
  /** The header that says who asks, made anew for each request. */
  identity: () => Promise<Record<string, string>> | Record<string, string>
  /** Called at each 401 [4.3]; a 403 or a refusal inside an answer is none. */
  onUnauthorized: () => void
}

/** Milliseconds for which a client trusts what a server-rendered page brought along [9.7]. */
export const SERVER_RENDERED_DELAY_MS = 100

/** How both clients reach GraphQL: POST and JSON, with the header of theirs. */
export function createGraphqlLink({ uri, identity, onUnauthorized }: GraphqlLinkOptions): ApolloLink {
  return ApolloLink.from([
    new ErrorLink(({ error }) => {
      if (ServerError.is(error) && error.statusCode === 401) onUnauthorized()
    }),
    new SetContextLink(async ({ headers }) => ({ headers: { ...headers, ...(await identity()) } })),
    createHashLink(),
    describeMissingResponse,
    new BaseHttpLink({ uri, fetch: connectedFetch }),
  ])
}

/**
 * Sends the hash of a document in place of its text: the server has those of its own build. Where it does not know one,
 * it is of another build than this page, and from then on the text goes out.
 */
function createHashLink(): ApolloLink {
  let isForeign = false
  return new PersistedQueryLink({
    generateHash: hashDocument,
    disable: ({ meta }) => {
      isForeign ||= meta.persistedQueryNotFound || meta.persistedQueryNotSupported
      return isForeign
    },
  })
}

/** SHA-256 (hex) of the text that would be sent. */
async function hashDocument(document: DocumentNode): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(print(document)))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** An answer with neither data nor errors is called what the specification calls it [8.8]; the library says "malformed". */
const describeMissingResponse = new ErrorLink(({ error, operation }) => {
  if (!ServerError.is(error) || error.statusCode >= 300) return
  const { response, bodyText } = error
  const message = `Server response was missing for query '${operation.operationName}'.`
  return new Observable((observer) => observer.error(new ServerError(message, { response, bodyText })))
})
