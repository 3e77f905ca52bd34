import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy to the product whose connections can be cut, as a real network breaks, at any point of a message. */
export type FlakyProxy = {
  url: string
  /** Cuts all connections at once. */
  cut(): void
  /** Cuts all connections once one of them has sent this many bytes to the server; resolves then. */
  cutAfter(bytes: number): Promise<void>
  restore(): void
  close(): Promise<void>
}

export async function openFlakyProxy(port: number): Promise<FlakyProxy> {
  const sockets = new Set<Socket>()
  let isCut = false
  let limit: { bytes: number; reached: () => void } | null = null

  const cut = () => {
    isCut = true
    limit?.reached()
    limit = null
    for (const socket of sockets) socket.resetAndDestroy()
  }
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // A broken connection ends on both sides.
    socket.on('error', () => undefined)
    return socket
  }

  const server = createServer((near) => {
    keep(near)
    if (isCut) return near.resetAndDestroy()
    const far = keep(connect({ host: 'localhost', port }))
    let carried = 0
    near.on('data', (bytes) => {
      carried += bytes.length
      if (limit && carried >= limit.bytes) cut()
    })
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  server.listen(0)
  await once(server, 'listening')

  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    cut,
    cutAfter: (bytes) =>
      new Promise<void>((reached) => {
        limit = { bytes, reached }
      }),
    restore: () => {
      isCut = false
    },
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
