import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { GraphQLError, type GraphQLSchema, getOperationAST, parse, validate } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import type { UserActor } from '../context.ts'
import { createContext, type Parts } from '../parts.ts'
import { errorFacts } from '../platform/log.ts'
import { findBearer } from './actors.ts'
import { formatError } from './graphql.ts'
import { assertModestDocument } from './graphql-limits.ts'
import { isOwnOrigin } from './same-origin.ts'

const PATH = '/graphql'
const MAX_MESSAGE = 64 * 1024
const UNAUTHORIZED = 4401
/** Neither is among the codes that clients take for final: they come back when the server, or its database, does. */
const GOING_AWAY = 1012
const TRY_AGAIN_LATER = 1013

type Extra = { actor?: UserActor }

/**
 * Subscriptions over `graphql-transport-ws` [7.9] on the address of GraphQL. The token comes in `connection_init`; cookies
 * do not count, and a page of another origin is turned away before the upgrade.
 */
export function attachRealtime(
  server: Server,
  parts: Parts,
  schema: GraphQLSchema,
): { stop: () => Promise<void> } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE, perMessageDeflate: false })
  const protocol = useServer<{ authorization?: unknown }, Extra>(
    {
      schema,
      onConnect: async (connection) => {
        const authorization = connection.connectionParams?.authorization
        const { extra } = connection
        try {
          const session = await findBearer(
            parts,
            typeof authorization === 'string' ? authorization : undefined,
          )
          if (session) {
            extra.actor = session.actor
            return true
          }
          extra.socket.close(UNAUTHORIZED, 'Unauthorized')
        } catch (error) {
          parts.log.warn('realtime: cannot ask who connects', errorFacts(error))
          extra.socket.close(TRY_AGAIN_LATER, 'Try Again Later')
        }
        return false
      },
      onSubscribe: ({ extra }, _id, { query, operationName, variables }) => {
        try {
          const document = parse(query, { maxTokens: 500 })
          const errors = validate(schema, document)
          if (errors.length > 0) return errors
          assertModestDocument(document)
          if (getOperationAST(document, operationName)?.operation !== 'subscription') {
            return [new GraphQLError('only subscriptions use the websocket')]
          }
          const facts = { id: randomUUID(), ip: null, userAgent: null, origin: 'web' as const }
          return {
            schema,
            document,
            operationName: operationName ?? null,
            variableValues: variables ?? null,
            contextValue: createContext(parts, requireActor(extra), facts),
          }
        } catch (error) {
          return [error instanceof GraphQLError ? error : new GraphQLError('the subscription cannot be read')]
        }
      },
      onError: (_connection, id, _payload, errors) =>
        errors.map((error) => formatError(error, parts, id)) as never,
    },
    sockets,
  )

  server.on('upgrade', (request, socket, head) => {
    // The HTTP server has let go of the socket: a caller who hangs up now would else take the whole process along.
    socket.on('error', () => socket.destroy())
    const path = request.url?.split('?')[0]
    const { origin, host } = request.headers
    // A program sends no origin; a browser always does.
    const own = origin === undefined || isOwnOrigin(parts.config, origin, host)
    if (path !== PATH || !own) {
      socket.end(`HTTP/1.1 ${own ? '404 Not Found' : '403 Forbidden'}\r\nConnection: close\r\n\r\n`)
      return
    }
    sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request))
  })

  return {
    stop: async () => {
      for (const socket of sockets.clients) socket.close(GOING_AWAY, 'Service Restart')
      await protocol.dispose()
    },
  }
}

function requireActor(extra: Extra): UserActor {
  if (!extra.actor) throw new GraphQLError('the connection has not said whose it is')
  return extra.actor
}
