import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** How long the body of a request may take to arrive; files are exempt. */
export const BODY_TIME_MS = 60_000

const TIMEOUT_RESPONSE = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Closes the connection of a request whose body has not arrived in time, with 408 if no response was sent
 * yet. File uploads are exempt: they may take hours, and have their own limit for a silent connection.
 */
export function limitBodyTime(server: Server, bodyTimeMs: number): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request) || sendsFile(request)) return
    const { socket } = request
    const timer = setTimeout(() => {
      if (request.complete || socket.destroyed) return
      if (!response.headersSent) socket.write(TIMEOUT_RESPONSE)
      socket.destroySoon()
    }, bodyTimeMs).unref()
    response.once('close', () => {
      if (request.complete) clearTimeout(timer)
    })
  })
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const sendsFile = ({ method, url = '' }: IncomingMessage): boolean =>
  (method === 'POST' || method === 'PATCH') &&
  /^\/(files(\/|\?|$)|api\/intake(\/files\/[^/?]*)?(\?|$))/.test(url)
