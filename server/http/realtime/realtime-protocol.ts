import { randomUUID } from 'node:crypto'
import {
  type ExecutionArgs,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
} from 'graphql'
import { makeServer, type Server, type SubscribePayload } from 'graphql-ws'
import type { WebSocket } from 'ws'
import { CLOSE } from '../../../shared/close-codes.ts'
import { createContext } from '../../context.ts'
import { queryError } from '../../errors.ts'
import { errorFields } from '../../platform/log.ts'
import type { Services } from '../../services.ts'
import { authenticateBearer } from '../auth/authenticate.ts'
import { prepareDocument } from '../graphql/graphql-documents.ts'
import { formatError } from '../graphql/graphql-errors.ts'
import type { LiveSessions, LiveSocket } from './live-sessions.ts'
import { closeSocket } from './realtime-socket.ts'

const MAX_SUBSCRIPTIONS_PER_SOCKET = 20
/** The subscriptions that waited for a connection follow its acknowledgement within this time; later ones are of other screens. */
const WAITED_MS = 1_000
/** How long the message with the age of the data may have been on its way. */
const ON_ITS_WAY_MS = 1_000

export type SocketContext = {
  socket: WebSocket
  ip: string | null
  /** Removes the socket from the count of unauthenticated sockets. */
  onAuthenticated: () => void
  /** Set when the connection is acknowledged. */
  live?: LiveSocket
  /**
   * Since when (ms) the page has data, as it names with its first connection, and until when a subscription waited for the
   * connection: it begins with the changes since then, so that none is missed.
   */
  replay?: { since: number; until: number }
}

/**
 * Runs `graphql-transport-ws` on the sockets: authenticates each connection, and starts subscriptions with the
 * rights of its user.
 */
export function createRealtimeProtocol(
  services: Services,
  schema: GraphQLSchema,
  sessions: LiveSessions,
): Server<SocketContext> {
  return makeServer<{ authorization?: unknown; dataAgeMs?: unknown }, SocketContext>({
    schema,
    onConnect: async ({ connectionParams, extra }) => {
      const dataAgeMs = connectionParams?.dataAgeMs
      const since = typeof dataAgeMs === 'number' ? Date.now() - dataAgeMs - ON_ITS_WAY_MS : null
      const isAccepted = await acceptConnection(services, sessions, extra, connectionParams?.authorization)
      if (since !== null) extra.replay = { since, until: Date.now() + WAITED_MS }
      return isAccepted
    },
    onSubscribe: ({ extra, subscriptions }, _id, payload) => {
      if (Object.keys(subscriptions).length > MAX_SUBSCRIPTIONS_PER_SOCKET)
        return [queryError('too many subscriptions', 'TOO_MANY')]
      try {
        return prepareSubscription(services, schema, extra, payload)
      } catch (error) {
        return [error instanceof GraphQLError ? error : new GraphQLError('the subscription cannot be read')]
      }
    },
    onError: ({ extra }, _id, _payload, errors) => formatErrors(services, errors, extra.socket),
    onNext: ({ extra }, _id, _payload, _args, { errors, ...result }) =>
      errors
        ? ({ ...result, errors: formatErrors(services, errors, extra.socket) } as FormattedExecutionResult)
        : undefined,
  })
}

/**
 * Authenticates a connection by the token of `connection_init` and adds its socket to the live sessions. The
 * socket lives as long as the session: if it ended with the token, each page would lose its live updates every
 * quarter of an hour. Closes the socket and returns false without a valid token, or while the session cannot
 * be read.
 */
async function acceptConnection(
  services: Services,
  sessions: LiveSessions,
  context: SocketContext,
  authorization: unknown,
): Promise<boolean> {
  const { socket } = context
  try {
    const bearer = typeof authorization === 'string' ? authorization : undefined
    const session = await authenticateBearer(services, bearer, 'realtime')
    if (!session) {
      closeSocket(socket, CLOSE.unauthorized)
      return false
    }
    // A socket that has closed by now must not be added, because its `close` event would not remove it
    // again.
    if (socket.readyState !== socket.OPEN) return false
    context.onAuthenticated()
    context.live = { actor: session.actor, close: (reason) => closeSocket(socket, reason) }
    sessions.add(context.live)
    return true
  } catch (error) {
    services.log.warn('realtime: cannot authenticate', errorFields(error))
    closeSocket(socket, CLOSE.tryAgainLater)
    return false
  }
}

/**
 * Returns what the library executes, or the errors of the document. Throws GraphQLError before the connection
 * is acknowledged.
 */
function prepareSubscription(
  services: Services,
  schema: GraphQLSchema,
  { live, ip, replay }: SocketContext,
  { query, operationName, variables }: SubscribePayload,
): ExecutionArgs | readonly GraphQLError[] {
  const document = prepareDocument(schema, query, services.config)
  if ('errors' in document) return document.errors
  if (getOperationAST(document, operationName)?.operation !== 'subscription') {
    return [new GraphQLError('only subscriptions use the websocket')]
  }
  if (!live) throw new GraphQLError('the connection is not authenticated')
  const requestOrigin = { id: randomUUID(), ip, userAgent: null, origin: 'web' as const }
  const since = replay && Date.now() < replay.until ? replay.since : undefined
  const events = {
    ...services.events,
    subscribe: (signal?: AbortSignal) => services.events.subscribe(signal, since),
  }
  return {
    schema,
    document,
    operationName: operationName ?? null,
    variableValues: variables ?? null,
    contextValue: createContext({ ...services, events }, live.actor, requestOrigin),
  }
}

/**
 * Returns the errors as clients get them. Closes the socket for a cause that affects all of its streams, since
 * the client handles the close code.
 */
function formatErrors(services: Services, errors: readonly GraphQLError[], socket: WebSocket) {
  // A new id, since the id of the subscription is a text that the client chose.
  const requestId = randomUUID()
  const formatted = errors.map((error) => formatError(error, services, requestId))
  const codes = formatted.map(({ extensions }) => extensions.code)
  if (codes.includes('UNAUTHENTICATED')) closeSocket(socket, CLOSE.unauthorized)
  else if (codes.includes('UNAVAILABLE')) closeSocket(socket, CLOSE.tryAgainLater)
  return formatted
}
