import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { pipeline } from 'node:stream/promises'
import { WHOLE_FILE_BYTES } from '../shared/limits.ts'
import { metadata } from '../test/tus.ts'
import { respondToTask } from './processes.ts'

export type SourceFile = { path: string; name: string; size: number; sha256: string }
export type SendTask = {
  /** http://127.0.0.1:port: files are sent to no other machine. */
  url: string
  files: readonly SourceFile[]
  /** The number of files sent at once. */
  parallel: number
} & (
  | { how: 'put'; durable: boolean }
  /** `uploadIds` has the upload of each file. */
  | { how: 'tus'; authorization: string; uploadIds: readonly string[] }
)
/** Seconds for all files; the median of one file in milliseconds. */
export type SendResult = { seconds: number; p50: number }

const READ_SIZE = 1024 * 1024

respondToTask(async (task: SendTask): Promise<SendResult> => {
  const { hostname, protocol } = new URL(task.url)
  if (hostname !== '127.0.0.1' || protocol !== 'http:') throw new Error(`${task.url} is not this machine`)
  const agent = new Agent({ keepAlive: true, maxSockets: task.parallel })
  const left = task.files.entries()
  const times: number[] = []
  const start = performance.now()
  const run = async () => {
    for (const [place, file] of left) {
      const begun = performance.now()
      await (task.how === 'put'
        ? put(task, file, agent)
        : sendByTus(task, file, task.uploadIds[place]!, agent))
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: task.parallel }, run))
  const seconds = (performance.now() - start) / 1000
  agent.destroy()
  return { seconds, p50: times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0 }
})

async function put(task: SendTask & { how: 'put' }, file: SourceFile, agent: Agent): Promise<void> {
  const { body } = await send(
    `${task.url}/files/${file.name}${task.durable ? '?durable' : ''}`,
    { method: 'PUT', headers: {}, expected: 200, agent },
    file,
  )
  if (!body.includes(file.sha256)) throw new Error(`${file.name} arrived with another hash`)
}

/** Sends a small file in one request, as programs may, and a larger one as the pages do: its bytes in a second request. */
async function sendByTus(
  task: SendTask & { how: 'tus' },
  file: SourceFile,
  uploadId: string,
  agent: Agent,
): Promise<void> {
  const headers = { authorization: task.authorization, 'tus-resumable': '1.0.0' }
  const bytes = { 'content-type': 'application/offset+octet-stream' }
  const isWhole = file.size <= WHOLE_FILE_BYTES
  const { name: filename, sha256 } = file
  const id = randomUUID().replaceAll('-', '')
  const { location } = await send(
    `${task.url}/files`,
    {
      method: 'POST',
      headers: {
        ...headers,
        ...(isWhole && bytes),
        'upload-length': String(file.size),
        'upload-metadata': metadata({ filename, filetype: 'application/pdf', uploadId, sha256, id }),
      },
      expected: 201,
      agent,
    },
    isWhole ? file : undefined,
  )
  if (isWhole) return
  await send(
    new URL(location, task.url).href,
    { method: 'PATCH', headers: { ...headers, ...bytes, 'upload-offset': '0' }, expected: 204, agent },
    file,
  )
}

async function send(
  url: string,
  options: { method: string; headers: Record<string, string>; expected: number; agent: Agent },
  file?: SourceFile,
): Promise<{ location: string; body: string }> {
  const { method, headers, expected, agent } = options
  const outgoing = request(url, {
    method,
    agent,
    headers: { ...headers, 'content-length': String(file?.size ?? 0) },
  })
  const responded = new Promise<IncomingMessage>((resolve, reject) =>
    outgoing.once('response', resolve).once('error', reject),
  )
  if (file) await pipeline(createReadStream(file.path, { highWaterMark: READ_SIZE }), outgoing)
  else outgoing.end()
  const response = await responded
  let body = ''
  for await (const part of response.setEncoding('utf8')) body += part
  if (response.statusCode !== expected)
    throw new Error(`${method} ${url} responded ${response.statusCode} ${body}`)
  return { location: response.headers.location ?? '', body }
}
