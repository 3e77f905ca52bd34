import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import { type FormattedExecutionResult, GraphQLError, type GraphQLSchema, getOperationAST } from 'graphql'
import { handleProtocols, makeServer } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { CLOSE } from '../../../shared/close-codes.ts'
import { createContext, type UserActor } from '../../context.ts'
import { queryError } from '../../errors.ts'
import { errorFields } from '../../platform/log.ts'
import type { Services } from '../../services.ts'
import { authenticateBearer } from '../auth/authenticate.ts'
import { prepareDocument } from '../graphql/graphql-documents.ts'
import { formatError } from '../graphql/graphql-errors.ts'
import { networkOf, requestAddress } from '../middleware/client-address.ts'
import { hasManyHosts, isSameOrigin } from '../middleware/same-origin.ts'
import { type LiveSocket, watchLiveSessions } from './live-sessions.ts'
import { closeSocket, serveSocket } from './realtime-socket.ts'

const PATH = '/graphql'
/** A longer message closes the socket with code 1009. */
const MAX_MESSAGE_BYTES = 64 * 1024
const MAX_SUBSCRIPTIONS_PER_SOCKET = 20
/**
 * Sockets of one network (an IPv4 address, an IPv6 /64) that are not authenticated yet, which takes 3 s at
 * most. Authenticated sockets do not count, since a whole hospital may share one address.
 */
const MAX_UNAUTHENTICATED_PER_NETWORK = 20
/** A socket that has not responded to a ping by the next ping is terminated. */
const PING_INTERVAL_MS = 12_000
/** How long clients may take to close their sockets when the server stops. */
const CLOSE_TIMEOUT_MS = 2_000

type Extra = {
  socket: WebSocket
  ip: string | null
  /** Removes the socket from the count of unauthenticated sockets. */
  onAuthenticated: () => void
  /** Set when the connection is acknowledged. */
  live?: LiveSocket
}

/**
 * Whether the request becomes a websocket; any other `Upgrade` (such as h2c) is an ordinary request (RFC
 * 9110, 7.8).
 */
export const isWebSocketUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

/**
 * Serves subscriptions by `graphql-transport-ws` [7.9] at the address of GraphQL. The token comes in
 * `connection_init`; cookies are not read, and a page of another origin is rejected before the upgrade.
 *
 * The token is needed only to connect; the socket then lives as long as the session. Closing it when the
 * token expires, every quarter of an hour, would end the live updates of each page (4401 is final) or make
 * all pages refetch. This is safe, since session and permissions are checked at each event and every few
 * seconds (`live-sessions.ts`).
 */
export function attachRealtime(
  server: Server,
  services: Services,
  schema: GraphQLSchema,
): { stop: () => Promise<void> } {
  const { config, log } = services
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols,
  })
  const sessions = watchLiveSessions(services)
  const unauthenticated = limitUnauthenticated()
  const stopPinging = startPinging(sockets)

  const formatErrors = (errors: readonly GraphQLError[], { socket }: Extra) => {
    // A new id, since the id of the subscription is a text that the client chose.
    const requestId = randomUUID()
    const formatted = errors.map((error) => formatError(error, services, requestId))
    // The cause affects all streams of the socket, so the socket is closed: the client handles the close
    // code.
    const codes = formatted.map(({ extensions }) => extensions.code)
    if (codes.includes('UNAUTHENTICATED')) closeSocket(socket, CLOSE.unauthorized)
    else if (codes.includes('UNAVAILABLE')) closeSocket(socket, CLOSE.tryAgainLater)
    return formatted
  }

  const protocol = makeServer<{ authorization?: unknown }, Extra>({
    schema,
    onConnect: async ({ connectionParams, extra }) => {
      const authorization = connectionParams?.authorization
      try {
        const bearer = typeof authorization === 'string' ? authorization : undefined
        const session = await authenticateBearer(services, bearer)
        if (!session) {
          closeSocket(extra.socket, CLOSE.unauthorized)
          return false
        }
        // A socket that has closed by now must not be added, because its `close` event would not remove it
        // again.
        if (extra.socket.readyState !== extra.socket.OPEN) return false
        extra.onAuthenticated()
        extra.live = { actor: session.actor, close: (reason) => closeSocket(extra.socket, reason) }
        sessions.add(extra.live)
        return true
      } catch (error) {
        log.warn('realtime: cannot authenticate', errorFields(error))
        closeSocket(extra.socket, CLOSE.tryAgainLater)
        return false
      }
    },
    onSubscribe: ({ extra, subscriptions }, _id, { query, operationName, variables }) => {
      if (Object.keys(subscriptions).length > MAX_SUBSCRIPTIONS_PER_SOCKET)
        return [queryError('too many subscriptions', 'TOO_MANY')]
      try {
        const document = prepareDocument(schema, query, config)
        if ('errors' in document) return document.errors
        if (getOperationAST(document, operationName)?.operation !== 'subscription') {
          return [new GraphQLError('only subscriptions use the websocket')]
        }
        const requestOrigin = { id: randomUUID(), ip: extra.ip, userAgent: null, origin: 'web' as const }
        return {
          schema,
          document,
          operationName: operationName ?? null,
          variableValues: variables ?? null,
          contextValue: createContext(services, requireActor(extra), requestOrigin),
        }
      } catch (error) {
        return [error instanceof GraphQLError ? error : new GraphQLError('the subscription cannot be read')]
      }
    },
    onError: ({ extra }, _id, _payload, errors) => formatErrors(errors, extra),
    onNext: ({ extra }, _id, _payload, _args, { errors, ...result }) =>
      errors ? ({ ...result, errors: formatErrors(errors, extra) } as FormattedExecutionResult) : undefined,
  })

  const onOpen = (socket: WebSocket, request: IncomingMessage) => {
    // The library closes the socket with its code (1002, 1007, 1009); the content of the frame is not logged.
    socket.on('error', (error) => log.info('realtime: broken frame', errorFields(error)))
    const ip = requestAddress(request, config.trustProxy)
    const onAuthenticated = unauthenticated.tryAdd(networkOf(ip ?? ''))
    if (!onAuthenticated) return closeSocket(socket, CLOSE.tryAgainLater)
    const extra: Extra = { socket, ip, onAuthenticated }
    socket.once('close', () => {
      onAuthenticated()
      if (extra.live) sessions.remove(extra.live)
    })
    serveSocket(protocol, socket, extra, log)
  }

  server.on('upgrade', (request, socket, head) => {
    // The HTTP server no longer handles this socket: without a listener an error would end the whole process.
    socket.on('error', () => socket.destroy())
    const path = request.url?.split('?')[0]
    const { origin, host } = request.headers
    // A browser always sends an origin; a program sends none.
    const isAllowed = origin === undefined || isSameOrigin(config, origin, host)
    const reject = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
    if (hasManyHosts(request)) return reject('400 Bad Request')
    if (!isAllowed) return reject('403 Forbidden')
    if (path !== PATH) return reject('404 Not Found')
    sockets.handleUpgrade(request, socket, head, (opened) => onOpen(opened, request))
  })

  return {
    stop: async () => {
      stopPinging()
      await sessions.stop()
      for (const socket of sockets.clients) closeSocket(socket, CLOSE.restart)
      const timer = setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate()
      }, CLOSE_TIMEOUT_MS)
      await new Promise((resolve) => sockets.close(resolve))
      clearTimeout(timer)
    },
  }
}

function requireActor({ live }: Extra): UserActor {
  if (!live) throw new GraphQLError('the connection is not authenticated')
  return live.actor
}

/**
 * Counts unauthenticated sockets per network. `tryAdd` returns a function that removes the socket again, or
 * null when the network has reached MAX_UNAUTHENTICATED_PER_NETWORK.
 */
function limitUnauthenticated(): { tryAdd(network: string): (() => void) | null } {
  const counts = new Map<string, number>()
  return {
    tryAdd: (network) => {
      const count = counts.get(network) ?? 0
      if (count >= MAX_UNAUTHENTICATED_PER_NETWORK) return null
      counts.set(network, count + 1)
      let isCounted = true
      return () => {
        if (!isCounted) return
        isCounted = false
        const left = counts.get(network)! - 1
        if (left > 0) counts.set(network, left)
        else counts.delete(network)
      }
    },
  }
}

/**
 * Pings every socket and terminates those that have not responded to the last ping. Returns a function that
 * stops it.
 */
function startPinging(sockets: WebSocketServer): () => void {
  const silent = new WeakSet<WebSocket>()
  const timer = setInterval(() => {
    for (const socket of sockets.clients) {
      if (silent.has(socket)) {
        socket.terminate()
        continue
      }
      silent.add(socket)
      socket.once('pong', () => silent.delete(socket))
      socket.ping()
    }
  }, PING_INTERVAL_MS)
  return () => clearInterval(timer)
}
