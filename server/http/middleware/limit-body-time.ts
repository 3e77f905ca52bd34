import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Time for a request's body to arrive, but for that of a file. */
export const BODY_TIME_MS = 60_000

const ANSWER = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Closes the connection of a request whose body has not arrived in time, with 408 where nothing was answered yet. The bytes
 * of a file are left out: they may take hours, and have a limit of their own for a connection that is silent.
 */
export function limitBodyTime(server: Server, bodyTimeMs: number): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request) || sendsFile(request)) return
    const { socket } = request
    const timer = setTimeout(() => {
      if (request.complete || socket.destroyed) return
      if (!response.headersSent) socket.write(ANSWER)
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
  (method === 'POST' || method === 'PATCH') && /^\/files(\/|\?|$)/.test(url)
