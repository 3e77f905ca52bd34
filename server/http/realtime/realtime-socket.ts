import type { Server } from 'graphql-ws'
import type { WebSocket } from 'ws'
import { CLOSE, type CloseReason } from '../../../shared/close-codes.ts'
import { errorFields, type Log } from '../../platform/log.ts'

/** Messages and pings of one socket in a minute; the product's own screens send a handful. */
const MAX_MESSAGES_PER_MINUTE = 100
const MINUTE_MS = 60_000
/** Bytes that may wait for a reader who does not take them; who comes back is told to read anew. */
const MAX_UNSENT_BYTES = 1024 * 1024

export const closeSocket = (socket: WebSocket, { code, reason }: CloseReason): void =>
  socket.close(code, reason)

/**
 * Speaks the protocol on one socket. It is what `graphql-ws/use/ws` does, but a fault goes to the log by its name alone
 * (the library prints frames and messages to the console), binary frames are no messages, and a flood ends the socket.
 * Each stream waits until what it said has left: a slow reader holds up its own, and what gathers behind it are ids that
 * `platform/events.ts` replaces by one "read anew" when they grow many.
 */
export function serveSocket<Extra>(protocol: Server<Extra>, socket: WebSocket, extra: Extra, log: Log): void {
  const isWithinLimit = countMessages()
  const accept = (): boolean => {
    if (socket.readyState !== socket.OPEN) return false
    const accepted = isWithinLimit()
    if (!accepted) closeSocket(socket, CLOSE.flood)
    return accepted
  }
  const onFault = (error: unknown) => {
    log.error('realtime: fault', errorFields(error))
    closeSocket(socket, CLOSE.fault)
  }

  const onClose = protocol.opened(
    {
      protocol: socket.protocol,
      send: (text) =>
        new Promise((resolve) => {
          if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate()
          // A stream that never waits must leave the socket time to say that it has ended.
          if (socket.readyState !== socket.OPEN) return setImmediate(resolve)
          // An error means that the line is gone; the socket's own end tells so.
          socket.send(text, () => resolve())
        }),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (listener) =>
        socket.on('message', (data, isBinary) => {
          if (!accept()) return
          if (isBinary) return closeSocket(socket, CLOSE.badMessage)
          listener(String(data)).catch(onFault)
        }),
    },
    extra,
  )
  socket.on('ping', accept)
  socket.once('close', (code, reason) => {
    onClose(code, String(reason)).catch(onFault)
  })
}

/** Whether one more is within the limit of the minute that the first one began. */
function countMessages(): () => boolean {
  let since = 0
  let count = 0
  return () => {
    const now = performance.now()
    if (now - since >= MINUTE_MS) {
      since = now
      count = 0
    }
    count += 1
    return count <= MAX_MESSAGES_PER_MINUTE
  }
}
