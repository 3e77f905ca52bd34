import type { IncomingMessage, Server } from 'node:http'
import type { GraphQLSchema } from 'graphql'
import { handleProtocols } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { CLOSE } from '../../../shared/close-codes.ts'
import type { Config } from '../../config.ts'
import { errorFields } from '../../platform/log.ts'
import type { Services } from '../../services.ts'
import { networkOf, requestAddress } from '../middleware/client-address.ts'
import { hasManyHosts, isSameOrigin } from '../middleware/same-origin.ts'
import { watchLiveSessions } from './live-sessions.ts'
import { createRealtimeProtocol, type SocketContext } from './realtime-protocol.ts'
import { closeSocket, serveSocket } from './realtime-socket.ts'

const PATH = '/graphql'
/** A longer message closes the socket with code 1009. */
const MAX_MESSAGE_BYTES = 64 * 1024
/**
 * Sockets of one network (an IPv4 address, an IPv6 /64) that are not authenticated yet, which takes 3 s at
 * most. Authenticated sockets do not count, since a whole hospital may share one address. Shared
 * evenly by the workers, to which connections are given in turn.
 */
const MAX_UNAUTHENTICATED_PER_NETWORK = 20
/** A socket that has not responded to a ping by the next ping is terminated. */
const PING_INTERVAL_MS = 12_000
/** How long clients may take to close their sockets when the server stops. */
const CLOSE_TIMEOUT_MS = 2_000

/**
 * Whether the request becomes a websocket; any other `Upgrade` (such as h2c) is an ordinary request (RFC
 * 9110, 7.8).
 */
export const isWebSocketUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

/**
 * Serves subscriptions by `graphql-transport-ws` [7.9] at the address of GraphQL. Cookies are not read, and a
 * page of another origin is rejected before the upgrade.
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
  const unauthenticated = limitUnauthenticated(Math.ceil(MAX_UNAUTHENTICATED_PER_NETWORK / config.workers))
  const stopPinging = startPinging(sockets)
  const protocol = createRealtimeProtocol(services, schema, sessions)

  const onOpen = (socket: WebSocket, request: IncomingMessage) => {
    // The library closes the socket with its code (1002, 1007, 1009); the content of the frame is not logged.
    socket.on('error', (error) => log.info('realtime: broken frame', errorFields(error)))
    const ip = requestAddress(request, config.trustProxy)
    const onAuthenticated = unauthenticated.tryAdd(networkOf(ip ?? ''))
    if (!onAuthenticated) return closeSocket(socket, CLOSE.tryAgainLater)
    const context: SocketContext = { socket, ip, onAuthenticated }
    socket.once('close', () => {
      onAuthenticated()
      if (context.live) sessions.remove(context.live)
    })
    serveSocket(protocol, socket, context, log)
  }

  server.on('upgrade', (request, socket, head) => {
    // The HTTP server no longer handles this socket: without a listener an error would end the whole process.
    socket.on('error', () => socket.destroy())
    const error = findUpgradeError(config, request)
    if (error) return socket.end(`HTTP/1.1 ${error}\r\nConnection: close\r\n\r\n`)
    sockets.handleUpgrade(request, socket, head, (opened) => onOpen(opened, request))
  })

  return {
    stop: async () => {
      stopPinging()
      await sessions.stop()
      await closeAll(sockets)
    },
  }
}

/** Returns the HTTP status of a request that may not become a websocket, null for all others. */
function findUpgradeError(config: Config, request: IncomingMessage): string | null {
  const { origin, host } = request.headers
  if (hasManyHosts(request)) return '400 Bad Request'
  // Browsers always send Origin; a client that sends none is not a browser and is allowed.
  if (origin !== undefined && !isSameOrigin(config, origin, host)) return '403 Forbidden'
  return config.realtime && request.url?.split('?')[0] === PATH ? null : '404 Not Found'
}

/** Asks all clients to close their sockets, and terminates those that have not after CLOSE_TIMEOUT_MS. */
async function closeAll(sockets: WebSocketServer): Promise<void> {
  for (const socket of sockets.clients) closeSocket(socket, CLOSE.restart)
  const timer = setTimeout(() => {
    for (const socket of sockets.clients) socket.terminate()
  }, CLOSE_TIMEOUT_MS)
  await new Promise((resolve) => sockets.close(resolve))
  clearTimeout(timer)
}

/**
 * Counts unauthenticated sockets per network. `tryAdd` returns a function that removes the socket again, or
 * null when the network has reached `most`.
 */
function limitUnauthenticated(most: number): { tryAdd(network: string): (() => void) | null } {
  const counts = new Map<string, number>()
  return {
    tryAdd: (network) => {
      const count = counts.get(network) ?? 0
      if (count >= most) return null
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
