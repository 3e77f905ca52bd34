import { createHash, randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { basename } from 'node:path/posix'
import { pipeline } from 'node:stream/promises'

/** Where documents go, and the key of the integration. */
export type Server = { address: URL; key: string }

export type Document = {
  path: string
  handle: FileHandle
  size: number
  sha256: string
  facts: Buffer | null
}

export type Answer = {
  status: number
  code: string
  message: string
  /** Whether the answer names what is wrong in the facts or the headers. */
  hasFields: boolean
  sha256: string
  retryAfterMs: number
}

/** The document has become another one while it was read: nothing of it was accepted. */
export class ChangedError extends Error {}

/** A connection without any progress for so long counts as broken. */
const IDLE_MS = 120_000
const MAX_ANSWER_BYTES = 64 * 1024

/** Reads the open file once, a chunk at a time. */
export async function hashFile(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) hash.update(chunk)
  return hash.digest('hex')
}

/**
 * The sender's id of the document: the same for the same content at the same path, so that a repeated request stores
 * nothing. The path is hashed, because it may have a patient's name and characters that no header takes.
 */
export const idempotencyKey = ({ path, sha256 }: Pick<Document, 'path' | 'sha256'>): string =>
  `${createHash('sha256').update(path).digest('hex').slice(0, 32)}-${sha256}`

/**
 * Sends the document in one request. The end of the body follows only after the hash of what was sent proved to be the
 * announced one; otherwise the request is broken off, and the server keeps nothing of it.
 */
export async function sendDocument(
  { address, key }: Server,
  document: Document,
  isUnchanged: () => Promise<boolean>,
): Promise<Answer> {
  const boundary = `dosar-${randomUUID()}`
  const fileName = escapeName(basename(document.path))
  const head = Buffer.concat([
    ...(document.facts ? [partHead(boundary, 'name="facts"', 'application/json'), document.facts, CRLF] : []),
    partHead(boundary, `name="file"; filename="${fileName}"`, 'application/octet-stream'),
  ])
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const request = (address.protocol === 'https:' ? httpsRequest : httpRequest)(
    new URL('/api/intake', address),
    {
      method: 'POST',
      agent: false,
      timeout: IDLE_MS,
      headers: {
        authorization: `Bearer ${key}`,
        'idempotency-key': idempotencyKey(document),
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': head.length + document.size + tail.length,
      },
    },
  )
  request.on('timeout', () => request.destroy(Object.assign(new Error('no progress'), { code: 'ETIMEDOUT' })))
  async function* body() {
    yield head
    yield* checkedBytes(document)
    if (!(await isUnchanged())) throw new ChangedError()
    yield tail
  }
  const sending = pipeline(body, request)
  const changed = sending.then(
    () => new Promise<never>(() => undefined),
    // Any other failure is one of the connection, which `readAnswer` reports; it may come after an answer.
    (error) => (error instanceof ChangedError ? Promise.reject(error) : new Promise<never>(() => undefined)),
  )
  try {
    return await Promise.race([readAnswer(request), changed])
  } finally {
    request.destroy()
    await sending.catch(() => undefined)
  }
}

/** Yields the bytes of the file; throws ChangedError where they are not those that were hashed before. */
async function* checkedBytes({ handle, size, sha256 }: Document) {
  const hash = createHash('sha256')
  let sent = 0
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) {
    sent += chunk.length
    if (sent > size) throw new ChangedError()
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== sha256) throw new ChangedError()
}

async function readAnswer(request: ClientRequest): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
    request.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
  })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) break
    chunks.push(chunk)
  }
  const { code, message, fields, sha256 } = parseObject(Buffer.concat(chunks).toString())
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    status: response.statusCode ?? 0,
    code: text(code),
    message: text(message),
    hasFields: Array.isArray(fields),
    sha256: text(sha256),
    retryAfterMs: Number(response.headers['retry-after'] ?? 0) * 1000 || 0,
  }
}

/** Returns `{}` for anything else than an object, such as the page of a proxy. */
function parseObject(json: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(json))
  } catch {
    return {}
  }
}

/** Writes a file name as browsers do in `multipart/form-data`. */
const escapeName = (name: string) =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const CRLF = Buffer.from('\r\n')
const partHead = (boundary: string, disposition: string, type: string): Buffer =>
  Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n`,
  )
