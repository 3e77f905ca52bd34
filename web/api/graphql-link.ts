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
  /** The address of the GraphQL endpoint [7.8]. */
  uri: string
  /** Returns the header that identifies the caller; called for each request. */
  identity: () => Promise<Record<string, string>> | Record<string, string>
  /** Called at each 401 [4.3]; not at a 403, nor at an error inside a GraphQL response. */
  onUnauthorized: () => void
}

/**
 * Milliseconds for which a client uses the data of a server-rendered page instead of sending requests [9.7].
 */
export const SERVER_RENDERED_DELAY_MS = 100

/** Creates the link that both clients use: POST and JSON, with the header of the client. */
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
 * Sends the hash of a document instead of its text: the server knows the documents of its own build. If the
 * server does not know a hash, it runs another build than this page, and all later requests carry the text.
 */
function createHashLink(): ApolloLink {
  let isOtherBuild = false
  return new PersistedQueryLink({
    generateHash: hashDocument,
    disable: ({ meta }) => {
      isOtherBuild ||= meta.persistedQueryNotFound || meta.persistedQueryNotSupported
      return isOtherBuild
    },
  })
}

/** Returns the SHA-256 (hex) of the text that would be sent. */
async function hashDocument(document: DocumentNode): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(print(document)))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Gives a response with neither data nor errors the message that the specification requires [8.8]; the
 * library calls it "malformed".
 */
const describeMissingResponse = new ErrorLink(({ error, operation }) => {
  if (!ServerError.is(error) || error.statusCode >= 300) return
  const { response, bodyText } = error
  const message = `Server response was missing for query '${operation.operationName}'.`
  return new Observable((observer) => observer.error(new ServerError(message, { response, bodyText })))
})
