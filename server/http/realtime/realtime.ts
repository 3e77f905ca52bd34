import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import { type FormattedExecutionResult, GraphQLError, type GraphQLSchema, getOperationAST } from 'graphql'
import { handleProtocols, makeServer } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { CLOSE } from '../../../shared/close-codes.ts'
import { createContext, type UserActor } from '../../context.ts'
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
/** Bytes; a longer message ends the socket with 1009. */
const MAX_MESSAGE_BYTES = 64 * 1024
const MAX_SUBSCRIPTIONS_PER_SOCKET = 20
/**
 * Sockets of one network (an IPv4 address, an IPv6 /64) that have not said yet who they are. A whole hospital may sit behind
 * one address, so whoever has signed in counts for themselves alone; the time until then is short (3 s at most).
 */
const MAX_UNAUTHENTICATED_PER_NETWORK = 20
/** Milliseconds between two pings; a socket that has answered none of the last is cut. */
const PING_INTERVAL_MS = 12_000
/** Milliseconds for clients to take leave of a server that stops. */
const CLOSE_TIMEOUT_MS = 2_000

type Extra = {
  socket: WebSocket
  ip: string | null
  /** Gives back the place among those who have not said who they are. */
  onNamed: () => void
  /** From the acknowledgement on. */
  live?: LiveSocket
}

/** Which requests leave HTTP; every other `Upgrade` (h2c, which some clients always send) is a plain request (RFC 9110, 7.8). */
export const isWebSocketUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

/**
 * Subscriptions over `graphql-transport-ws` [7.9] on the address of GraphQL. The token comes in `connection_init`; cookies
 * do not count, and a page of another origin is turned away before the upgrade.
 *
 * The token is the ticket in, and the socket then lives as long as the session: a close at the token's end, every quarter
 * of an hour, would cost each page its live updates (4401 is final) or a break of seconds and a rush of readings. Nothing
 * is lost by it, since session and rights are asked for at each event and every few seconds (`live-sessions.ts`), which is
 * sooner than any token ends.
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
  const nameless = limitUnauthenticated()
  const stopPulse = startPinging(sockets)

  const formatErrors = (errors: readonly GraphQLError[], { socket }: Extra) => {
    // An id of ours: that of the subscription is whatever text the client likes.
    const requestId = randomUUID()
    const formatted = errors.map((error) => formatError(error, services, requestId))
    // What ends a stream here ends every other one of the socket, and the client knows what to do after a close.
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
        // Gone in the meantime, it would never be taken out again.
        if (extra.socket.readyState !== extra.socket.OPEN) return false
        extra.onNamed()
        extra.live = { actor: session.actor, close: (reason) => closeSocket(extra.socket, reason) }
        sessions.add(extra.live)
        return true
      } catch (error) {
        log.warn('realtime: cannot ask who connects', errorFields(error))
        closeSocket(extra.socket, CLOSE.tryAgainLater)
        return false
      }
    },
    onSubscribe: ({ extra, subscriptions }, _id, { query, operationName, variables }) => {
      if (Object.keys(subscriptions).length > MAX_SUBSCRIPTIONS_PER_SOCKET)
        return [new GraphQLError('too many subscriptions', { extensions: { code: 'TOO_MANY' } })]
      try {
        const document = prepareDocument(schema, query, config)
        if ('errors' in document) return document.errors
        if (getOperationAST(document, operationName)?.operation !== 'subscription') {
          return [new GraphQLError('only subscriptions use the websocket')]
        }
        const requestInfo = { id: randomUUID(), ip: extra.ip, userAgent: null, origin: 'web' as const }
        return {
          schema,
          document,
          operationName: operationName ?? null,
          variableValues: variables ?? null,
          contextValue: createContext(services, requireActor(extra), requestInfo),
        }
      } catch (error) {
        return [error instanceof GraphQLError ? error : new GraphQLError('the subscription cannot be read')]
      }
    },
    onError: ({ extra }, _id, _payload, errors) => formatErrors(errors, extra),
    onNext: ({ extra }, _id, _payload, _args, { errors, ...result }) =>
      errors ? ({ ...result, errors: formatErrors(errors, extra) } as FormattedExecutionResult) : undefined,
  })

  const welcome = (socket: WebSocket, request: IncomingMessage) => {
    // A broken frame has its code from the library (1002, 1007, 1009), and what it said is nobody's business.
    socket.on('error', (error) => log.info('realtime: broken frame', errorFields(error)))
    const ip = requestAddress(request, config.trustProxy)
    const onNamed = nameless.tryEnter(networkOf(ip ?? ''))
    if (!onNamed) return closeSocket(socket, CLOSE.tryAgainLater)
    const extra: Extra = { socket, ip, onNamed }
    socket.once('close', () => {
      onNamed()
      if (extra.live) sessions.remove(extra.live)
    })
    serveSocket(protocol, socket, extra, log)
  }

  server.on('upgrade', (request, socket, head) => {
    // The HTTP server has let go of the socket: a caller who hangs up now would else take the whole process along.
    socket.on('error', () => socket.destroy())
    const path = request.url?.split('?')[0]
    const { origin, host } = request.headers
    // A program sends no origin; a browser always does.
    const own = origin === undefined || isSameOrigin(config, origin, host)
    const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
    if (hasManyHosts(request)) return refuse('400 Bad Request')
    if (!own) return refuse('403 Forbidden')
    if (path !== PATH) return refuse('404 Not Found')
    sockets.handleUpgrade(request, socket, head, (opened) => welcome(opened, request))
  })

  return {
    stop: async () => {
      stopPulse()
      await sessions.stop()
      for (const socket of sockets.clients) closeSocket(socket, CLOSE.restart)
      const cut = setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate()
      }, CLOSE_TIMEOUT_MS)
      await new Promise((resolve) => sockets.close(resolve))
      clearTimeout(cut)
    },
  }
}

function requireActor({ live }: Extra): UserActor {
  if (!live) throw new GraphQLError('the connection has not said whose it is')
  return live.actor
}

/** Answers how to leave again, or null where the network has its number of places taken. */
function limitUnauthenticated(): { tryEnter(network: string): (() => void) | null } {
  const counts = new Map<string, number>()
  return {
    tryEnter: (network) => {
      const count = counts.get(network) ?? 0
      if (count >= MAX_UNAUTHENTICATED_PER_NETWORK) return null
      counts.set(network, count + 1)
      let isIn = true
      return () => {
        if (!isIn) return
        isIn = false
        const left = counts.get(network)! - 1
        if (left > 0) counts.set(network, left)
        else counts.delete(network)
      }
    },
  }
}

/** Pings every socket and cuts those that have not answered since the last time. Answers how to stop. */
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
