import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { respondToTask } from './processes.ts'

/** A request that is sent repeatedly. */
export type LoadRequest = { path: string; headers: Record<string, string>; body: string }
export type LoadTask = {
  /** http://127.0.0.1:port: no other machine may be put under load. */
  url: string
  requests: readonly LoadRequest[]
  connections: number
  seconds: number
}
/** Latencies in milliseconds; `bytes` of all responses with their headers. */
export type LoadResult = {
  count: number
  failed: number
  perSecond: number
  p50: number
  p99: number
  bytes: number
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n')

respondToTask(load)

/**
 * Runs a closed loop: each connection sends its next request when it has the response to the last. On plain
 * sockets, since a
 * full client would use as much of the machine as the measured server.
 */
async function load({ url, requests, connections, seconds }: LoadTask): Promise<LoadResult> {
  const { hostname, port, protocol } = new URL(url)
  if (hostname !== '127.0.0.1' || protocol !== 'http:') throw new Error(`${url} is not this machine`)
  const texts = requests.map((request) => toBytes(request, `${hostname}:${port}`))
  const start = performance.now()
  const end = start + seconds * 1000
  const times: number[] = []
  let next = 0
  let failed = 0
  let bytes = 0

  const run = async () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    for (;;) {
      const sent = performance.now()
      if (sent >= end) break
      const response = await sendRequest(socket, texts[next++ % texts.length]!)
      times.push(performance.now() - sent)
      bytes += response.length
      if (!isGood(response)) failed += 1
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, run))
  const elapsed = (performance.now() - start) / 1000
  times.sort((a, b) => a - b)
  const quantile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return {
    count: times.length,
    failed,
    perSecond: times.length / elapsed,
    p50: quantile(0.5),
    p99: quantile(0.99),
    bytes,
  }
}

function toBytes({ path, headers, body }: LoadRequest, host: string): Buffer {
  const lines = Object.entries({ ...headers, host, 'content-length': String(Buffer.byteLength(body)) })
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}

/** GraphQL responds with 200 for errors too; such a body begins with its errors or contains them. */
const isGood = (response: Buffer): boolean =>
  response.subarray(9, 12).toString() === '200' && !response.includes('"errors":[{')

/** Reads one complete response: of the length in its headers, or up to its last chunk. */
function sendRequest(socket: Socket, request: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let received = 0
    let length = -1
    const isWhole = (): boolean => {
      if (length < 0) {
        const all = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
        const headEnd = all.indexOf(HEAD_END)
        if (headEnd < 0) return false
        const stated = /\r\ncontent-length: (\d+)/i.exec(all.toString('latin1', 0, headEnd))
        length = stated ? headEnd + HEAD_END.length + Number(stated[1]) : 0
      }
      if (length > 0) return received >= length
      return Buffer.concat(parts.slice(-2)).subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
    }
    const stop = () => socket.off('data', onData).off('error', onEnd).off('close', onEnd)
    const onEnd = (error?: unknown) => {
      stop()
      reject(error instanceof Error ? error : new Error('the server hung up'))
    }
    const onData = (part: Buffer) => {
      parts.push(part)
      received += part.length
      if (!isWhole()) return
      stop()
      resolve(parts.length === 1 ? part : Buffer.concat(parts))
    }
    socket.on('data', onData).once('error', onEnd).once('close', onEnd)
    socket.write(request)
  })
}
