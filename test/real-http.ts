import { once } from 'node:events'
import { request, type Server } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import type { Hono } from 'hono'
import { BODY_TIME_MS, limitBodyTime } from '../server/http/middleware/limit-body-time.ts'
import type { Env } from '../server/http/types.ts'

export type RealServer = { url: string; close(): Promise<void> }

/** Returns a port of this machine that no program listens on. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Serves the app over real connections, on a free port of this machine, with a time limit for bodies. */
export async function listen(app: Hono<Env>, bodyTimeMs = BODY_TIME_MS): Promise<RealServer> {
  const server: ServerType = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
  limitBodyTime(server as Server, bodyTimeMs)
  if (!server.listening) await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      if ('closeAllConnections' in server) server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Begins a PATCH with the cookie or the headers of its sender, sends the first bytes of a body of `length` bytes, and leaves the
 * connection open: a new one, or `connection`.
 */
export async function beginPatch(
  url: string,
  sender: string | Record<string, string>,
  {
    offset,
    length,
    sent,
    connection,
  }: { offset: number; length: number; sent: Uint8Array; connection?: Socket },
): Promise<{ socket: Socket; status: Promise<number>; finish: (rest: Uint8Array) => void }> {
  const patch = request(url, {
    method: 'PATCH',
    agent: false,
    ...(connection && { createConnection: () => connection }),
    headers: {
      ...(typeof sender === 'string' ? { cookie: sender } : sender),
      'tus-resumable': '1.0.0',
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      'content-length': String(length),
    },
  })
  // A connection that the test closes fails on this side too.
  patch.on('error', () => undefined)
  const status = once(patch, 'response').then(([response]) => response.statusCode as number)
  status.catch(() => undefined)
  const opened = once(patch, 'socket')
  patch.flushHeaders()
  const [socket] = (await opened) as [Socket]
  await new Promise<void>((resolve, reject) => {
    socket.once('close', () => reject(new Error('closed before all was sent')))
    patch.write(sent, (error) => (error ? reject(error) : resolve()))
  })
  return { socket, status, finish: (rest) => patch.end(rest) }
}

/**
 * Begins a PATCH and closes the connection once the bytes are sent: with an end of the stream, or with a
 * reset.
 */
export async function cutPatch(
  url: string,
  cookie: string,
  options: { offset: number; length: number; sent: Uint8Array },
  abruptly: boolean,
): Promise<void> {
  const { socket } = await beginPatch(url, cookie, options)
  if (abruptly) socket.resetAndDestroy()
  else socket.destroy()
}
