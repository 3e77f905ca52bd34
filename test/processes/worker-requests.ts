import { once } from 'node:events'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createTestClient, type TestClient } from '../client.ts'
import type { MainProcess } from './main-process.ts'

/** Returns the process ids of the workers of a main process. */
export async function workersOf({ pid }: MainProcess): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const pids = children.trim().split(' ').filter(Boolean).map(Number)
  const commands = await Promise.all(
    pids.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')),
  )
  return pids.filter((_, index) => commands[index]!.includes('server/main.ts'))
}

/** Opens a connection to this worker. The main process gives connections to its workers in turn. */
export async function connectTo(worker: number, url: string): Promise<Socket> {
  for (;;) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    if (await hasArrived(socket, worker)) return socket
    socket.destroy()
  }
}

/** Creates a client whose requests are all answered by this worker, each on a connection of its own. */
export function createWorkerClient(
  worker: number,
  url: string,
  of?: Pick<TestClient, 'cookies'>,
): TestClient {
  const send = async (input: string, init: RequestInit): Promise<Response> => {
    const sent = new Request(input, init)
    const { method, headers } = sent
    const body = Buffer.from(await sent.arrayBuffer())
    const socket = await connectTo(worker, url)
    const message = request(input, {
      method,
      headers: { ...Object.fromEntries(headers), 'content-length': String(body.length) },
      createConnection: () => socket,
    })
    message.end(body)
    const [response] = (await once(message, 'response')) as [IncomingMessage]
    const received = new Headers()
    for (let at = 0; at < response.rawHeaders.length; at += 2)
      received.append(response.rawHeaders[at]!, response.rawHeaders[at + 1]!)
    const isEmpty = method === 'HEAD' || response.statusCode === 204 || response.statusCode === 304
    return new Response(isEmpty ? null : (Readable.toWeb(response) as ReadableStream), {
      status: response.statusCode!,
      headers: received,
    })
  }
  return createTestClient(
    { app: { request: send as never } },
    { origin: url, ...(of && { cookies: of.cookies }) },
  )
}

/** Whether the other end of the connection is open in this process, once the main process has passed it on. */
async function hasArrived({ localPort, remotePort }: Socket, worker: number): Promise<boolean> {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')
  const ends = `0100007F:${hex(remotePort!)} 0100007F:${hex(localPort!)}`
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const table = await readFile('/proc/net/tcp', 'utf8')
    const inode = table
      .split('\n')
      .find((line) => line.includes(ends))
      ?.trim()
      .split(/\s+/)[9]
    const folder = `/proc/${worker}/fd`
    const files = await Promise.all(
      (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => '')),
    )
    if (files.includes(`socket:[${inode}]`)) return true
    await pause(10)
  }
  return false
}
