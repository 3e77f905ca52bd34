import type { Server } from 'graphql-ws'
import type { WebSocket } from 'ws'
import { CLOSE, type CloseReason } from '../../../shared/close-codes.ts'
import { errorFields, type Log } from '../../platform/log.ts'

/** Messages and pings of one socket per minute; the product's own screens send only a few. */
const MAX_MESSAGES_PER_MINUTE = 100
const MINUTE_MS = 60_000
/**
 * Unsent bytes of a slow client, after which its socket is closed; a client that reconnects refetches its
 * data.
 */
const MAX_UNSENT_BYTES = 1024 * 1024

export const closeSocket = (socket: WebSocket, { code, reason }: CloseReason): void =>
  socket.close(code, reason)

/**
 * Runs the protocol on one socket, like `graphql-ws/use/ws`, with three differences: errors are logged
 * without their text (the library prints frames and messages to the console), binary frames are rejected, and
 * a flood of messages closes the socket. Each stream waits until its message is sent, so a slow client delays
 * only its own streams; many waiting events are replaced by one `resync` (`platform/events.ts`).
 */
export function serveSocket<Extra>(protocol: Server<Extra>, socket: WebSocket, extra: Extra, log: Log): void {
  const isWithinLimit = countMessages()
  const accept = (): boolean => {
    if (socket.readyState !== socket.OPEN) return false
    const accepted = isWithinLimit()
    if (!accepted) closeSocket(socket, CLOSE.flood)
    return accepted
  }
  const onUnexpectedError = (error: unknown) => {
    log.error('realtime: unexpected error', errorFields(error))
    closeSocket(socket, CLOSE.fault)
  }

  const onClose = protocol.opened(
    {
      protocol: socket.protocol,
      send: (text) =>
        new Promise((resolve) => {
          if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate()
          // A stream that never waits must let the event loop run, so that the socket can report its end.
          if (socket.readyState !== socket.OPEN) return setImmediate(resolve)
          // An error means that the connection is lost, which the socket's `close` event reports.
          socket.send(text, () => resolve())
        }),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (listener) =>
        socket.on('message', (data, isBinary) => {
          if (!accept()) return
          if (isBinary) return closeSocket(socket, CLOSE.badMessage)
          listener(String(data)).catch(onUnexpectedError)
        }),
    },
    extra,
  )
  socket.on('ping', accept)
  socket.once('close', (code, reason) => {
    onClose(code, String(reason)).catch(onUnexpectedError)
  })
}

/**
 * Returns a function that counts a message and returns whether it is within the limit of the current minute.
 */
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
