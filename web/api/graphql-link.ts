import { ApolloLink, Observable } from '@apollo/client'
import { ServerError } from '@apollo/client/errors'
import { SetContextLink } from '@apollo/client/link/context'
import { ErrorLink } from '@apollo/client/link/error'
import { BaseHttpLink } from '@apollo/client/link/http'
import { print } from '@apollo/client/utilities'
import type { DocumentNode } from 'graphql'
import { connectedFetch } from '../session/connection.ts'
import { takeEarlyAnswer } from './early-answer.ts'

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
    addHash,
    carryExtensions,
    describeMissingResponse,
    new BaseHttpLink({
      uri,
      fetch: (address, init = {}) => takeEarlyAnswer(init, () => connectedFetch(address, init)),
      includeExtensions: true,
    }),
  ])
}

/** The documents' hashes (SHA-256, hex), each computed once. */
const hashes = new WeakMap<DocumentNode, Promise<string>>()

/**
 * Adds the hash of the document's text to the `extensions` [7.8]: our server finds its own documents by it
 * and does not parse the text. A page without `crypto.subtle` (no TLS) sends the text alone.
 */
const addHash = new SetContextLink(async (_context, { query, extensions }) => {
  if (!crypto.subtle) return {}
  const hash = hashes.get(query) ?? hashDocument(query)
  hashes.set(query, hash)
  // The operation's own object: extensions are no part of the context.
  extensions.persistedQuery = { version: 1, sha256Hash: await hash }
  return {}
})

declare module '@apollo/client' {
  interface DefaultContext {
    /** Sent with the request [7.8]. */
    extensions?: Record<string, unknown>
    /** Called with the extensions of the response; `client.query` does not return them. */
    onExtensions?: (extensions: Record<string, unknown>) => void
  }
}

/** Sends and receives the `extensions` that the context of an operation names. */
const carryExtensions = new ApolloLink((operation, forward) => {
  const { extensions, onExtensions } = operation.getContext()
  Object.assign(operation.extensions, extensions)
  const results = forward(operation)
  if (!onExtensions) return results
  return new Observable((observer) =>
    results.subscribe({
      next: (result) => {
        if (result.extensions) onExtensions(result.extensions)
        observer.next(result)
      },
      error: (error) => observer.error(error),
      complete: () => observer.complete(),
    }),
  )
})

/** Returns the SHA-256 (hex) of the text that is sent. */
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
